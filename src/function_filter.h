/*
 * function_filter.h - which functions are recorded: EPROF=auto=PATTERN
 *
 * A pattern is matched against names and files, which the process does not know: the program
 * that does is asked for each module when it is first seen, and tells the addresses that are
 * left out. Where there is no such program, dynamic symbols are what is known.
 */
#ifndef EP_FUNCTION_FILTER_H
#define EP_FUNCTION_FILTER_H

#include "module.h"

/* A part of a module that is left out: addresses in its file. */
struct ep_left_out {
    uint64_t begin, end; /* addresses in the module's file */
};

/* Adds one: behind `!`, it leaves out what it matches; without any other, only what one matches is
 * recorded. Functions that were seen are looked at again. Lock. 0, or -1 and ENOMEM. */
int ep_function_filter_add(const char *pattern);

/* ---- function_filter_ask.c ---- */

/* Finds out what is left out of a module, which has a path, and what `cell` tells. Not to be called
 * with the lock: it takes as long as another program does, and who has the dynamic loader's lock
 * may wait for ours. The thread is busy. */
void ep_function_filter_ask(struct ep_loaded_module *module, const struct ep_module_cell *cell,
                            const char *path);

/* ---- function_filter.c ---- */

/* Whether a function is left out. Not to be called with the lock: it may ask the dynamic
 * loader. */
bool ep_function_filter_leaves_out(const struct ep_loaded_module *module, uintptr_t function);

#endif /* EP_FUNCTION_FILTER_H */
