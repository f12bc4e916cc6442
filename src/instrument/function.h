/*
 * instrument/function.h - calls of functions out of line: what hooks (function.c) and patched
 * entries (entry.c) share
 */
#ifndef EP_INSTRUMENT_FUNCTION_H
#define EP_INSTRUMENT_FUNCTION_H

#include "record/stack.h"

/* Whether a function is not recorded. *number: of the function, or 0, which is then looked up. */
bool ep_function_is_left_out(uintptr_t address, uint32_t *number);

/* Between ep_light_begin() and ep_light_end(). number: as found by ep_function_is_left_out(). */
void ep_function_enter(uintptr_t address, uint32_t number, const struct ep_stack_scope *scope);

/* Leaves a function; begins and ends itself. called: what identifies the entry of a timed call.
 * now_ticks: a reading of the source; 0: it is to be read. */
void ep_function_leave(uint32_t called, uint32_t number, struct ep_stack_scope scope,
                       uint64_t now_ticks);

#endif /* EP_INSTRUMENT_FUNCTION_H */
