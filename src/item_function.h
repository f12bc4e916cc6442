/*
 * item_function.h - the items of EPROF= and eprof_setup() for automatic instrumentation
 *
 *     auto=PATTERN     functions that are recorded; behind `!`, that are not
 *     depth=N          how deep in the tree
 *     throttle=N       from how many calls on a brief function is throttled; or `off`
 *     symbolizer=PATH  the program that knows what functions are called
 */
#ifndef EP_ITEM_FUNCTION_H
#define EP_ITEM_FUNCTION_H

#include <stdbool.h>

#define EP_ITEM_FUNCTION_NAMES "auto=PATTERN, depth=N, throttle=N or off, symbolizer=PATH"

/* Whether it is one of them: it is carried out then, and *result 0, or -1 where a line on stderr
 * says why not. */
bool ep_item_function_carry_out(const char *item, bool is_of_environment, int *result);

#endif /* EP_ITEM_FUNCTION_H */
