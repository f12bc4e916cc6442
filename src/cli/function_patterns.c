#include "function_patterns.h"

#include <fnmatch.h>

bool ep_function_patterns_name_some(const struct ep_function_patterns *patterns)
{
    for (size_t i = 0; i < patterns->count; i++)
        if (patterns->patterns[i][0] != '!')
            return true;
    return false;
}

static bool is_like(const char *pattern, char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (fnmatch(pattern, names[i], 0) == 0)
            return true;
    return false;
}

bool ep_function_patterns_choose(const struct ep_function_patterns *patterns, char *const *names,
                                 size_t count)
{
    bool is_chosen = !ep_function_patterns_name_some(patterns);
    for (size_t i = 0; i < patterns->count; i++) {
        const char *pattern = patterns->patterns[i];
        if (*pattern != '!')
            is_chosen = is_chosen || is_like(pattern, names, count);
        else if (is_like(pattern + 1, names, count))
            return false;
    }
    return is_chosen;
}
