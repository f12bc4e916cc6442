#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/deliver.h"
#include "cli/gate.h"
#include "cli/load.h"
#include "cli/options.h"
#include "cli/usage.h"
#include "diff/diff.h"

/* ---- the command line of `eprof diff` ---- */

/* Files after --before or --after belong to that side. */
struct reading {
    struct ep_diff_command_options diff;
    char **files[EP_DIFF_SIDES]; /* with room for every argument */
    bool is_named;               /* --before or --after was seen */
    enum ep_diff_side side;      /* of the next file */
};

static void read_by(void *to, const char *name, char *text)
{
    static const char *const known[] = {"total", "self", "mean", "p99"};
    enum { KNOWN = sizeof known / sizeof known[0] };
    const struct ep_field *field = ep_columns_find(text);
    size_t i = 0;
    (void)name;
    while (i < KNOWN && !(field && strcmp(field->name, known[i]) == 0))
        i++;
    if (i == KNOWN)
        ep_usage_fail_unknown(text, "figure to be judged", "total, self, mean, p99");
    *(const struct ep_field **)to = field;
}

static void read_format(void *to, const char *name, char *text)
{
    const struct ep_report_diff **report = to;
    *report = ep_report_diff_find(text);
    if (!*report)
        ep_usage_fail_unknown(text, name, EP_REPORT_DIFF_NAMES);
}

static void read_confidence(void *to, const char *name, char *argument)
{
    *(double *)to = 1 - ep_usage_decimal(name, argument, 50, 99.9999) / 100;
}

static void read_fail_above(void *to, const char *name, char *argument)
{
    struct ep_diff_command_options *diff = to;
    diff->fail_above_percent = ep_usage_decimal(name, argument, 0, 1e6);
    diff->is_gate = true;
}

/* ---- files ---- */

/* In `eprof diff A B` the first file is before, the others are after. */
static void add_file(void *to, char *path, struct argp_state *state)
{
    struct reading *reading = to;
    (void)state;
    reading->files[reading->side][reading->diff.counts[reading->side]++] = path;
    if (!reading->is_named)
        reading->side = EP_DIFF_AFTER;
}

static void read_side(void *to, const char *name, char *path)
{
    struct reading *reading = to;
    /* in `--before --after B` argp takes `--after` as the argument of `--before` */
    if (strcmp(path, "--before") == 0 || strcmp(path, "--after") == 0)
        ep_usage_fail(NULL, "diff: no FILE after --%s", name);
    if (!reading->is_named && reading->diff.counts[EP_DIFF_BEFORE] > 0) {
        ep_usage_fail(reading->files[EP_DIFF_BEFORE][0], "of no side; name FILEs after --before or "
                                                         "--after, or two in all");
    }
    reading->is_named = true;
    reading->side = strcmp(name, "before") == 0 ? EP_DIFF_BEFORE : EP_DIFF_AFTER;
    add_file(reading, path, NULL);
}

static void check_files(const struct reading *reading)
{
    const size_t *counts = reading->diff.counts;
    bool is_pair = counts[EP_DIFF_BEFORE] == 1 && counts[EP_DIFF_AFTER] == 1;
    if (reading->is_named && (counts[EP_DIFF_BEFORE] == 0 || counts[EP_DIFF_AFTER] == 0)) {
        ep_usage_fail(NULL, "diff: no FILE after %s",
                      counts[EP_DIFF_BEFORE] ? "--after" : "--before");
    }
    if (!reading->is_named && !is_pair) {
        ep_usage_fail(NULL, "diff: takes two FILEs; for several of a side: "
                            "--before FILE... --after FILE...");
    }
}

#define AT(field) offsetof(struct reading, field)

static const struct ep_option known_options[] = {
    {"before", 0, "FILE...", "profiles of one side, of a run each", 0, read_side},
    {"after", 0, "FILE...", "profiles of the other", 0, read_side},
    {"by", 0, "KEY", "judge total, self, mean or p99; else total", AT(diff.diff.by), read_by},
    {"fail-above", 0, "PCT", "exit with 3 at evidence of more percent slower", AT(diff),
     read_fail_above},
    {"confidence", 0, "PCT", "percent with which all intervals hold; else 95", AT(diff.diff.error),
     read_confidence},
    {"format", 'f', "FORMAT", EP_REPORT_DIFF_NAMES "; else table", AT(diff.report), read_format},
    {EP_OPTION_OUTPUT(AT(diff.output))},
    {"top", 0, "N", "only the first N rows", AT(diff.top), ep_usage_number},
    {"filter", 0, "PATTERN", "only regions whose names are like PATTERN", AT(diff.diff.filter),
     ep_usage_text},
    {EP_OPTION_RAW(AT(diff.diff.is_raw))},
    {EP_OPTION_DEBUG_DIRECTORY(AT(diff.debug_directory))},
    {EP_OPTION_COLOR},
    {0},
};

static const struct ep_command_line line = {
    .options = known_options,
    .args_doc = "BEFORE AFTER\n--before FILE... --after FILE...",
    .doc = "Compares profiles region by region, the greatest change first. With several files of a "
           "side each change has a confidence interval and a verdict: faster, slower, or no "
           "evidence.",
    .is_in_order = true,
    .take = add_file,
};

struct ep_diff_command_options ep_diff_options_read(int argc, char **argv)
{
    /* the second half is for the files of the side `after`, which may be all arguments */
    char **list = calloc(2 * (size_t)argc, sizeof *list);
    if (!list)
        exit(ep_complain_of_memory());
    struct reading reading = {.diff = {.files = list,
                                       .report = ep_report_diff_find("table"),
                                       .diff = {.by = ep_columns_find("total"), .error = 0.05}},
                              .files = {list, list + argc}};
    ep_usage_parse(&line, argc, argv, &reading);
    check_files(&reading);
    memmove(list + reading.diff.counts[EP_DIFF_BEFORE], list + argc,
            reading.diff.counts[EP_DIFF_AFTER] * sizeof *list);
    return reading.diff;
}

/* ---- reading ---- */

struct sides {
    struct ep_diff_making *making;
    size_t before_count; /* files from this number on belong to the side `after` */
};

static enum ep_diff_side side_of(const struct sides *sides, size_t file)
{
    return file < sides->before_count ? EP_DIFF_BEFORE : EP_DIFF_AFTER;
}

static void inspect(void *context, size_t file, const union ep_cell *header)
{
    struct sides *sides = context;
    ep_diff_make_inspect(sides->making, side_of(sides, file), header);
}

static int add(void *context, size_t file, const struct ep_image *image)
{
    struct sides *sides = context;
    return ep_diff_make_add(sides->making, side_of(sides, file), image);
}

static int finish(void *context)
{
    struct sides *sides = context;
    return ep_diff_make_complete(sides->making);
}

/* NULL with a complaint. */
static struct ep_diff *load(const struct ep_diff_command_options *options)
{
    struct sides sides = {ep_diff_make_begin(options->diff), options->counts[EP_DIFF_BEFORE]};
    struct ep_load_files files = {.paths = options->files,
                                  .count = options->counts[EP_DIFF_BEFORE] +
                                           options->counts[EP_DIFF_AFTER],
                                  .debug_directory = options->debug_directory};
    struct ep_load_visitor visitor = {&sides, inspect, add, finish};
    struct ep_diff *diff = NULL;
    if (sides.making) {
        if (ep_load_each(&files, &visitor) != 0) {
            ep_diff_make_abandon(sides.making);
            return NULL;
        }
        diff = ep_diff_make_end(sides.making);
    }
    if (!diff)
        ep_complain_of_memory();
    return diff;
}

/* ---- writing, and the command ---- */

struct writing {
    const struct ep_report_diff *report;
    const struct ep_diff *diff;
    struct ep_report_diff_options options;
};

static int write_to(const void *context, FILE *stream)
{
    const struct writing *writing = context;
    return ep_report_diff_write(writing->report, writing->diff, &writing->options, stream);
}

static int write_report(const struct ep_diff_command_options *options, const struct ep_diff *diff)
{
    struct writing writing = {options->report, diff, {.top = options->top}};
    const char *const first[EP_DIFF_SIDES] = {options->files[0],
                                              options->files[options->counts[EP_DIFF_BEFORE]]};
    for (int side = 0; side < EP_DIFF_SIDES; side++)
        writing.options.names[side] = options->counts[side] == 1 ? first[side] : NULL;
    return ep_deliver(options->output, write_to, &writing);
}

static int compare(const struct ep_diff_command_options *options, const struct ep_diff *diff)
{
    if (diff->row_count == 0 && options->diff.filter) {
        ep_complain(options->diff.filter, "no region of either side has such a name");
        return EP_STATUS_FAILED;
    }
    int status = write_report(options, diff);
    return status == EP_STATUS_DONE ? ep_gate_decide(options, diff) : status;
}

/* A run that is counted twice would be evidence for itself. */
static bool has_each_run_once(const struct ep_diff_command_options *options)
{
    char *const *files = options->files;
    for (int side = 0; side < EP_DIFF_SIDES; files += options->counts[side++]) {
        const char *twice = ep_gate_twice_find(files, options->counts[side]);
        if (!twice)
            continue;
        ep_complain(twice, "named twice on one side, where each file is a run of its own");
        return false;
    }
    return true;
}

int ep_diff_command(int argc, char **argv)
{
    struct ep_diff_command_options options = ep_diff_options_read(argc, argv);
    int status = EP_STATUS_USAGE;
    if (has_each_run_once(&options)) {
        struct ep_diff *diff = load(&options);
        status = diff ? compare(&options, diff) : EP_STATUS_FAILED;
        ep_diff_free(diff);
    }
    free(options.files);
    return status;
}
