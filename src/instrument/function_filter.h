/*
 * instrument/function_filter.h - the functions that are recorded: EPROF=auto=PATTERN
 *
 * Patterns are matched against names and files, which the process does not know. So a helper
 * program is asked for each module when it is first seen, and answers with the address ranges that
 * are left out. Without that program, patterns are matched against dynamic symbols. The decisions
 * are stored in function_table.h.
 */
#ifndef EP_INSTRUMENT_FUNCTION_FILTER_H
#define EP_INSTRUMENT_FUNCTION_FILTER_H

#include "instrument/module.h"

/* Adds a pattern. After `!`, functions that match are left out; if there are other patterns, only
 * functions that match one are recorded. Decisions that were already made do not change: the caller
 * calls ep_function_ask_again(). Lock. 0, or -1 and ENOMEM. */
int ep_function_filter_add(const char *pattern);

/* Whether there are any patterns. */
bool ep_function_filter_is_set(void);

/* Finds out which ranges of a module are left out; the module has a path and a cell. Not called
 * with the lock: it takes as long as the helper program, and a thread that holds the dynamic
 * loader's lock may wait for ours. The thread is busy. */
void ep_function_filter_ask(struct ep_loaded_module *module, const struct ep_module_cell *cell,
                            const char *path);

/* Whether a function is left out. Not called with the lock: it may ask the dynamic loader. */
bool ep_function_filter_leaves_out(const struct ep_loaded_module *module, uintptr_t function);

/* Frees the patterns. No thread uses them any more. */
void ep_function_filter_release(void);

#endif /* EP_INSTRUMENT_FUNCTION_FILTER_H */
