/*
 * fuzz_patterns.c - takes bytes as patterns of auto=, and as names to be matched
 *
 *     pattern NUL pattern NUL ... NUL NUL name NUL name ...
 *
 * The library matches patterns if it knows only the names of the dynamic loader; otherwise the
 * program that reads the file matches them. Both must give the same result for the same name.
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "cli/symbols/symbols.h"
#include "fuzz_target.h"
#include "instrument/function_filter.h"
#include "record/process_life.h"
#include "require.h"

/* The time of fnmatch() is exponential in the number of asterisks (for example glibc bug 18036);
 * the user who writes the pattern has to wait. */
enum { MOST_PATTERNS = 8, MOST_NAMES = 8, MOST_ASTERISKS = 4 };

struct fuzz_counts fuzz_counts;

/* ---- replacing the dynamic loader ---- */

static const char *dynamic_name; /* the name of the only function */

int __wrap_dladdr(const void *address, Dl_info *symbol);

int __wrap_dladdr(const void *address, Dl_info *symbol)
{
    *symbol = (Dl_info){.dli_sname = dynamic_name, .dli_saddr = (void *)(uintptr_t)address};
    return 1;
}

/* ---- the texts ---- */

/* The texts up to an empty one, which is skipped, or up to the end. */
static size_t take(char **texts, size_t most, char **at, const char *end)
{
    size_t count = 0;
    while (*at < end && **at) {
        if (count < most)
            texts[count++] = *at;
        *at += strlen(*at) + 1;
    }
    *at += *at < end;
    return count;
}

static size_t asterisks_in(const char *text)
{
    size_t count = 0;
    for (; *text; text++)
        count += *text == '*';
    return count;
}

/* "!" alone is refused earlier: api/config.c. */
static bool are_possible(char *const *patterns, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(patterns[i], "!") == 0 || asterisks_in(patterns[i]) > MOST_ASTERISKS)
            return false;
    return count > 0;
}

/* ---- both answers ---- */

static void set_patterns(char *const *patterns, size_t count)
{
    require(ep_process_lock() == 0, "the process can be set up");
    ep_function_filter_release();
    for (size_t i = 0; i < count; i++)
        require(ep_function_filter_add(patterns[i]) == 0, "there is memory for a pattern");
    ep_process_unlock();
}

static void compare(const struct ep_function_patterns *patterns, char *name)
{
    static const struct ep_loaded_module module; /* about which no question was asked */
    dynamic_name = name;
    bool is_chosen = ep_patterns_choose(patterns, &name, 1);
    bool is_left_out = ep_function_filter_leaves_out(&module, 0x1000);
    if (is_chosen == is_left_out)
        fprintf(stderr, "\"%s\" is %s\n", name, is_chosen ? "chosen and left out" : "neither");
    require(is_chosen != is_left_out, "a function is chosen or left out");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *texts = malloc(size + 1), *at = texts, *patterns[MOST_PATTERNS], *names[MOST_NAMES];
    require(texts != NULL, "there is memory for texts");
    memcpy(texts, data, size);
    texts[size] = '\0';
    size_t pattern_count = take(patterns, MOST_PATTERNS, &at, texts + size);
    size_t name_count = take(names, MOST_NAMES, &at, texts + size);
    if (are_possible(patterns, pattern_count)) {
        const struct ep_function_patterns chosen = {patterns, pattern_count};
        set_patterns(patterns, pattern_count);
        for (size_t i = 0; i < name_count; i++)
            compare(&chosen, names[i]);
        fuzz_counts.sound++;
    } else {
        fuzz_counts.refused++;
    }
    free(texts);
    return 0;
}
