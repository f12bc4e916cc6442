/*
 * debug_unit.h - the functions of one unit of the debug information: of one source file, mostly
 *
 * Addresses are those of the debug information.
 */
#ifndef EP_CLI_DEBUG_UNIT_H
#define EP_CLI_DEBUG_UNIT_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One stretch of a function's code; one that the compiler has split has several. */
struct ep_debug_function {
    uint64_t begin, end;
    Dwarf_Die die;
};

/* `functions` are by address; of several at one address the first in the unit is the last. They
 * are read when the first of them is looked for. */
struct ep_debug_unit {
    Dwarf_Die die;
    struct ep_debug_function *functions;
    size_t count, room;
    bool is_read;
};

/* A stretch of code with what stands for it in debug information; begin 0: the linker has left it
 * out. For ep_debug_stretches(). */
typedef int ep_debug_stretch(void *arg, Dwarf_Die *die, uint64_t begin, uint64_t end);

/* Calls `take` with each stretch of code of a unit or function; stops at what is not 0, and
 * returns that. */
int ep_debug_stretches(Dwarf_Die *die, ep_debug_stretch *take, void *arg);

/* 0, or -1 and ENOMEM. */
int ep_debug_unit_read(struct ep_debug_unit *unit);
/* The function that the address lies in; NULL: none. */
struct ep_debug_function *ep_debug_unit_find(const struct ep_debug_unit *unit, uint64_t address);
void ep_debug_unit_free(struct ep_debug_unit *unit);

#endif /* EP_CLI_DEBUG_UNIT_H */
