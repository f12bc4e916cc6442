/*
 * fuzz_paths.c - takes bytes as the settings of `eprof run` for the profile
 *
 *     items NUL path NUL source
 *
 * The command converts them into items of EPROF=, after the existing items, and later looks for the
 * files by the same path. The library reads the items and names the files. Both must use the same
 * names. A path may have patterns: %n is the run, %p the process, %% a percent sign.
 */
#include <fnmatch.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/path_pattern.h"
#include "cli/run_files.h"
#include "fuzz_target.h"
#include "item_acts.h"
#include "require.h"

enum { RUN = 37 };

struct fuzz_counts fuzz_counts;

static void require_same(char *text, const char *other, const char *what)
{
    bool is_same = text && strcmp(text, other) == 0;
    if (!is_same)
        fprintf(stderr, "\"%s\" and \"%s\"\n", text ? text : "(none)", other);
    require(is_same, what);
    free(text);
}

/* ---- the path of a file ---- */

/* The path at which the library makes the file, and the command looks for it. */
static void compare_paths(const char *pattern, bool is_forked)
{
    char path[PATH_MAX];
    pid_t owner = is_forked ? getpid() + 1 : getpid();
    if (ep_path_pattern_expand(pattern, owner, 0, path) != 0)
        return; /* too long for any system */
    bool has_suffix = is_forked && !ep_run_files_pattern_has(pattern, 'p');
    require_same(ep_run_files_pattern_path(pattern, (uint64_t)getpid(), has_suffix), path,
                 "the command finds the file that the library makes");
    char *glob = ep_run_files_pattern_glob(pattern, has_suffix);
    bool is_found = glob && fnmatch(glob, path, 0) == 0;
    if (!is_found)
        fprintf(stderr, "\"%s\" and \"%s\"\n", glob ? glob : "(none)", path);
    require(is_found, "and by its glob as well");
    free(glob);
}

/* The pattern of the user gives a path for this run; %p and %% are left to the library. */
static char *pattern_of_run(const char *written)
{
    char *pattern = ep_run_files_pattern_of_run(written, RUN);
    require(pattern && pattern[0] == '/', "the pattern of a run is an absolute path");
    require(!ep_run_files_pattern_has(pattern, 'n'), "the run is in it");
    char *again = ep_run_files_pattern_of_run(pattern, RUN + 1);
    require_same(again, pattern, "a path without a run is that of every run");
    return pattern;
}

/* If a file is named after a program, its name contains that of the program, with any
 * characters. */
static void name_after_program(const char *program)
{
    char *pattern = ep_run_files_pattern_of_program(program), *wanted;
    const char *slash = strrchr(program, '/');
    require(pattern != NULL, "there is memory for a pattern");
    require(asprintf(&wanted, "%s.eprof", slash ? slash + 1 : program) >= 0, "and for a name");
    require_same(ep_run_files_pattern_path(pattern, 1, false), wanted, "it is called after it");
    free(wanted);
    free(pattern);
}

/* If there are several runs, each has its own file. */
static void name_several(const char *written)
{
    char *several = ep_run_files_pattern_for_several(written);
    require(several != NULL, "there is memory for a pattern");
    require(ep_run_files_pattern_has(several, 'n'), "its runs can be told apart");
    free(several);
}

/* ---- the items ---- */

/* The existing items must be unchanged, followed by the image and the source. */
static void compare_items(const char *before, const char *pattern, const char *source)
{
    struct item_acts acts, acts_before;
    char *items = ep_run_files_items(before, pattern, *source ? source : NULL);
    require(items != NULL, "there is memory for items");
    item_acts_of(&acts_before, before);
    item_acts_of(&acts, items);
    ep_strings_print(&acts_before.done, "image=%s", pattern);
    if (*source && strcmp(source, "clock_gettime") == 0)
        ep_strings_print(&acts_before.done, "source=%s", source);
    else if (*source)
        ep_strings_print(&acts_before.refused, "source=%s", source);
    require(item_acts_are(&acts, &acts_before), "items come to what was said, and no more");
    item_acts_free(&acts);
    item_acts_free(&acts_before);
    free(items);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = calloc(1, size + 3); /* each of the three texts has a NUL */
    require(text != NULL, "there is memory for texts");
    memcpy(text, data, size);
    const char *items = text, *written = items + strlen(items) + 1;
    const char *source = written + strlen(written) + 1;
    char *pattern = pattern_of_run(written);
    compare_paths(pattern, false);
    compare_paths(pattern, true);
    compare_items(items, pattern, strcmp(source, "clock") == 0 ? "clock_gettime" : "none,\\such");
    name_after_program(written);
    name_several(written);
    free(pattern);
    free(text);
    fuzz_counts.sound++;
    return 0;
}
