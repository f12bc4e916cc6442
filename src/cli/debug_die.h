/*
 * debug_die.h - what the debug information says of a function
 *
 * A copy of a function refers to the function, and a definition to the declaration: what is not
 * said of the one is said there.
 */
#ifndef EP_CLI_DEBUG_DIE_H
#define EP_CLI_DEBUG_DIE_H

#include <elfutils/libdw.h>

/* Each NULL: it is not said. */
const char *ep_debug_die_name(Dwarf_Die *die);
const char *ep_debug_die_linkage_name(Dwarf_Die *die);
/* The file that it is declared in, with the line. */
const char *ep_debug_die_place(Dwarf_Die *die, int *line);

#endif /* EP_CLI_DEBUG_DIE_H */
