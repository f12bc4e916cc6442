/*
 * debug_units.h - the units of a file's debug information (DWARF 2 to 5), by address
 *
 * Of a large program few functions are asked for. So where each unit lies is read at once, and the
 * functions of one when the first address in it is looked for.
 */
#ifndef EP_CLI_DEBUG_UNITS_H
#define EP_CLI_DEBUG_UNITS_H

#include <elfutils/libdwfl.h>

#include "debug_unit.h"

struct ep_debug_units {
    uint64_t bias; /* what the file's addresses are more than those of the debug information */
    struct ep_debug_unit *units;
    size_t count, room;
    struct ep_debug_span *spans; /* where the units lie */
    size_t span_count, span_room;
};

/* 0, or -1 and ENOMEM. A file without debug information has none. */
int ep_debug_units_open(struct ep_debug_units *debug, Dwfl_Module *module);
/* The one that an address of the file lies in, read; NULL: none, or no memory. */
struct ep_debug_unit *ep_debug_units_find(struct ep_debug_units *debug, uint64_t address);
void ep_debug_units_close(struct ep_debug_units *debug);

#endif /* EP_CLI_DEBUG_UNITS_H */
