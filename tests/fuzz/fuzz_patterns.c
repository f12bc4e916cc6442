/*
 * fuzz_patterns.c - bytes as patterns of auto=, and as names that they are matched against
 *
 *     pattern NUL pattern NUL ... NUL NUL name NUL name ...
 *
 * The library matches them where nobody knows more than the dynamic loader; the program that is
 * asked matches them where it reads the file. Of one and the same name both have to say the same.
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "cli/symbols/symbols.h"
#include "fuzz_target.h"
#include "instrument/function_filter.h"
#include "record/process_life.h"
#include "require.h"

/* Of fnmatch() the time is a power of the asterisks (glibc bug 18036, say); that is for who writes
 * the pattern, who would wait. */
enum { MOST_PATTERNS = 8, MOST_NAMES = 8, MOST_ASTERISKS = 4 };

struct fuzz_counts fuzz_counts;

/* ---- in the place of the dynamic loader ---- */

static const char *dynamic_name; /* of the one function that there is */

int __wrap_dladdr(const void *address, Dl_info *symbol);

int __wrap_dladdr(const void *address, Dl_info *symbol)
{
    *symbol = (Dl_info){.dli_sname = dynamic_name, .dli_saddr = (void *)(uintptr_t)address};
    return 1;
}

/* ---- the texts ---- */

/* Up to an empty one, which is passed, or the end. */
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

/* "!" alone is refused before: api/config.c. */
static bool are_possible(char *const *patterns, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(patterns[i], "!") == 0 || asterisks_in(patterns[i]) > MOST_ASTERISKS)
            return false;
    return count > 0;
}

/* ---- asked twice ---- */

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
    static const struct ep_loaded_module module; /* which nobody was asked about */
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
