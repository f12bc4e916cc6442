/*
 * function_patterns.h - which functions auto= of EPROF chooses
 *
 * Patterns are those of the shell (fnmatch). A function is chosen by any pattern without a "!", or
 * where there is none; and not if one with a "!" is like it.
 */
#ifndef EP_CLI_FUNCTION_PATTERNS_H
#define EP_CLI_FUNCTION_PATTERNS_H

#include <stdbool.h>
#include <stddef.h>

struct ep_function_patterns {
    char *const *patterns;
    size_t count;
};

/* Whether there is one without a "!": what has no name is not chosen then. */
bool ep_function_patterns_name_some(const struct ep_function_patterns *patterns);
/* Whether a function is chosen that has all these names. */
bool ep_function_patterns_choose(const struct ep_function_patterns *patterns, char *const *names,
                                 size_t count);

#endif /* EP_CLI_FUNCTION_PATTERNS_H */
