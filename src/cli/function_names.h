/*
 * function_names.h - everything that a function may be called in a pattern
 */
#ifndef EP_CLI_FUNCTION_NAMES_H
#define EP_CLI_FUNCTION_NAMES_H

#include "symbols.h"

/* With and without parameters, as the linker has it, the same of its aliases; and its file, with
 * and without directories. */
struct ep_function_names {
    char **texts;
    size_t count, room;
};

/* 0, or -1 and ENOMEM. */
int ep_function_names_collect(struct ep_function_names *names, struct ep_symbols *symbols,
                              uint64_t address);
void ep_function_names_free(struct ep_function_names *names);

#endif /* EP_CLI_FUNCTION_NAMES_H */
