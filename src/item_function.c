#include "item_function.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "function_filter.h"
#include "item.h"
#include "path_pattern.h"
#include "process.h"
#include "symbolizer_program.h"

/* EPROF named them itself. */
static bool has_patterns, has_depth, has_throttle, has_symbolizer;

/* Of a decimal number from `least` on; false: it is none. */
static bool read_number(const char *text, uint64_t least, uint64_t most, uint64_t *number)
{
    char *end;
    errno = 0;
    *number = *text >= '0' && *text <= '9' ? strtoull(text, &end, 10) : 0;
    return *text >= '0' && *text <= '9' && !errno && !*end && *number >= least && *number <= most;
}

static int carry_out_pattern(const char *item, const char *pattern, bool is_of_environment)
{
    if (!*pattern || strcmp(pattern, "!") == 0) {
        ep_item_complain(item, "a pattern of names is missing");
        return -1;
    }
    if (has_patterns && !is_of_environment)
        return 0;
    has_patterns = is_of_environment;
    if (ep_function_filter_add(pattern) == 0)
        return 0;
    ep_item_complain(item, "no memory");
    return -1;
}

static int carry_out_depth(const char *item, const char *text, bool is_of_environment)
{
    uint64_t depth;
    if (!read_number(text, 1, UINT16_MAX, &depth)) {
        ep_item_complain(item, "not a depth; known are 1 to 65535");
        return -1;
    }
    if (has_depth && !is_of_environment)
        return 0;
    has_depth = is_of_environment;
    ep_store(&ep_process.depth_limit, (uint32_t)depth);
    return 0;
}

static int carry_out_throttle(const char *item, const char *text, bool is_of_environment)
{
    uint64_t calls = 0;
    if (strcmp(text, "off") != 0 && !read_number(text, 1, UINT64_MAX, &calls)) {
        ep_item_complain(item, "not a number of calls; known are 1 and more, and off");
        return -1;
    }
    if (has_throttle && !is_of_environment)
        return 0;
    has_throttle = is_of_environment;
    ep_store(&ep_process.throttle_calls, calls);
    return 0;
}

/* A folder may be "executed" as well. */
static bool is_program(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

/* NULL, or why not. */
static const char *set_symbolizer(const char *path)
{
    char *absolute = ep_path_pattern_absolute(path);
    const char *why = NULL;
    if (!absolute)
        /* NOLINTNEXTLINE(bugprone-branch-clone): there are two that may want it */
        why = "no memory";
    else if (!is_program(absolute))
        why = "not a program; it takes the path of the program eprof";
    else if (ep_symbolizer_program_set(absolute) != 0)
        why = "no memory";
    free(absolute);
    return why;
}

static int carry_out_symbolizer(const char *item, const char *path, bool is_of_environment)
{
    if (has_symbolizer && !is_of_environment)
        return 0;
    const char *why = set_symbolizer(path);
    if (why) {
        ep_item_complain(item, why);
        return -1;
    }
    has_symbolizer = is_of_environment;
    return 0;
}

bool ep_item_function_carry_out(const char *item, bool is_of_environment, int *result)
{
    static const struct {
        const char *name;
        int (*carry_out)(const char *item, const char *value, bool is_of_environment);
    } items[] = {{"auto=", carry_out_pattern},
                 {"depth=", carry_out_depth},
                 {"throttle=", carry_out_throttle},
                 {"symbolizer=", carry_out_symbolizer}};
    for (size_t i = 0; i < sizeof items / sizeof items[0]; i++) {
        size_t bytes = strlen(items[i].name);
        if (strncmp(item, items[i].name, bytes) == 0) {
            *result = items[i].carry_out(item, item + bytes, is_of_environment);
            return true;
        }
    }
    return false;
}

void ep_process_filter_is_blind(void)
{
    static bool is_told;
    if (!is_told)
        ep_item_complain("auto=", "the names of some functions and files are not known (it takes "
                                  "the program eprof, and symbols); dynamic symbols are matched");
    is_told = true;
}
