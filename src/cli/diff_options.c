#include "diff_options.h"

#include <argp.h>
#include <stdlib.h>
#include <string.h>

#include "complain.h"
#include "status.h"
#include "usage.h"

enum {
    KEY_BEFORE = 256,
    KEY_AFTER,
    KEY_BY,
    KEY_CONFIDENCE,
    KEY_FAIL_ABOVE,
    KEY_FILTER,
    KEY_TOP,
    KEY_RAW,
    KEY_COLOR,
    KEY_DEBUG_DIRECTORY
};

static const struct argp_option options[] = {
    {"before", KEY_BEFORE, "FILE...", 0, "profiles of one side, of a run each", 0},
    {"after", KEY_AFTER, "FILE...", 0, "profiles of the other", 0},
    {"by", KEY_BY, "KEY", 0, "judge total, self, mean or p99; else total", 0},
    {"fail-above", KEY_FAIL_ABOVE, "PCT", 0, "exit with 3 at evidence of more percent slower", 0},
    {"confidence", KEY_CONFIDENCE, "PCT", 0, "percent with which all intervals hold; else 95", 0},
    {"format", 'f', "FORMAT", 0, EP_REPORT_DIFF_NAMES "; else table", 0},
    {"output", 'o', "OUT", 0, "write to OUT, - is stdout", 0},
    {"top", KEY_TOP, "N", 0, "only the N first rows", 0},
    {"filter", KEY_FILTER, "PATTERN", 0, "only regions whose names are like PATTERN", 0},
    {"raw", KEY_RAW, NULL, 0, "the cost of the probes is not taken off", 0},
    {"debug-directory", KEY_DEBUG_DIRECTORY, "DIR", 0, "names of functions are here too", 0},
    {"color", KEY_COLOR, "WHEN", 0, "auto, always or never", 0},
    {0},
};

/* While it is read: files that follow --before or --after are of that side. */
struct reading {
    struct ep_diff_command_options diff;
    char **files[EP_DIFF_SIDES]; /* with room for every argument */
    bool is_named;               /* --before or --after was seen, */
    enum ep_diff_side side;      /* the last of them */
};

_Noreturn static void fail_of(const char *argument, const char *what, const char *known)
{
    ep_complain(argument, "no such %s; known are %s", what, known);
    exit(EP_STATUS_USAGE);
}

static const struct ep_field *read_by(const char *text)
{
    static const char *const known[] = {"total", "self", "mean", "p99"};
    const struct ep_field *field = ep_field_find(text);
    for (size_t i = 0; field && i < sizeof known / sizeof known[0]; i++)
        if (strcmp(field->name, known[i]) == 0)
            return field;
    fail_of(text, "figure to be judged", "total, self, mean, p99");
}

static const struct ep_report_diff *read_format(const char *text)
{
    const struct ep_report_diff *report = ep_report_diff_find(text);
    if (!report)
        fail_of(text, "format", EP_REPORT_DIFF_NAMES);
    return report;
}

/* ---- files ---- */

static void add_file(struct reading *reading, enum ep_diff_side side, char *path)
{
    reading->files[side][reading->diff.counts[side]++] = path;
}

/* In `eprof diff A B` the first is before, and what follows is after. */
static void add_bare_file(struct reading *reading, char *path)
{
    if (reading->is_named)
        add_file(reading, reading->side, path);
    else
        add_file(reading, reading->diff.counts[EP_DIFF_BEFORE] ? EP_DIFF_AFTER : EP_DIFF_BEFORE,
                 path);
}

/* An option's argument may be another option, where what should be there was empty. */
static void check_is_file(enum ep_diff_side side, const char *path)
{
    if (strcmp(path, "--before") != 0 && strcmp(path, "--after") != 0)
        return;
    ep_complain(NULL, "diff: no FILE behind %s", side == EP_DIFF_BEFORE ? "--before" : "--after");
    exit(EP_STATUS_USAGE);
}

static void name_side(struct reading *reading, enum ep_diff_side side, char *path)
{
    check_is_file(side, path);
    const size_t *counts = reading->diff.counts;
    if (!reading->is_named && counts[EP_DIFF_BEFORE] + counts[EP_DIFF_AFTER] > 0) {
        ep_complain(reading->files[EP_DIFF_BEFORE][0], "of no side; FILEs stand behind --before "
                                                       "or --after, or there are two in all");
        exit(EP_STATUS_USAGE);
    }
    reading->is_named = true;
    reading->side = side;
    add_file(reading, side, path);
}

static void check_files(const struct reading *reading)
{
    const size_t *counts = reading->diff.counts;
    bool is_pair = counts[EP_DIFF_BEFORE] == 1 && counts[EP_DIFF_AFTER] == 1;
    if (reading->is_named && (counts[EP_DIFF_BEFORE] == 0 || counts[EP_DIFF_AFTER] == 0)) {
        ep_complain(NULL, "diff: no FILE behind %s",
                    counts[EP_DIFF_BEFORE] ? "--after" : "--before");
        exit(EP_STATUS_USAGE);
    }
    if (!reading->is_named && !is_pair) {
        ep_complain(NULL, "diff: takes two FILEs; for several of a side: "
                          "--before FILE... --after FILE...");
        exit(EP_STATUS_USAGE);
    }
}

/* ---- options ---- */

/* False: it is none of them. */
static bool read_figure(struct ep_diff_command_options *diff, int key, const char *argument)
{
    switch (key) {
    case KEY_CONFIDENCE:
        diff->diff.error = 1 - ep_usage_decimal("--confidence", argument, 50, 99.9999) / 100;
        return true;
    case KEY_FAIL_ABOVE:
        diff->fail_above_percent = ep_usage_decimal("--fail-above", argument, 0, 1e6);
        diff->is_gate = true;
        return true;
    case KEY_TOP:
        diff->top = ep_usage_number("--top", argument);
        return true;
    default:
        return false;
    }
}

/* The same. */
static bool read_text(struct ep_diff_command_options *diff, int key, const char *argument)
{
    switch (key) {
    case 'o':
        diff->output = ep_usage_text("--output", argument);
        return true;
    case KEY_FILTER:
        diff->diff.filter = ep_usage_text("--filter", argument);
        return true;
    case KEY_DEBUG_DIRECTORY:
        diff->debug_directory = ep_usage_text("--debug-directory", argument);
        return true;
    default:
        return false;
    }
}

static error_t read_option(int key, char *argument, struct argp_state *state)
{
    struct reading *reading = state->input;
    struct ep_diff_command_options *diff = &reading->diff;
    if (read_text(diff, key, argument) || read_figure(diff, key, argument))
        return 0;
    switch (key) {
    case KEY_BEFORE:
        name_side(reading, EP_DIFF_BEFORE, argument);
        return 0;
    case KEY_AFTER:
        name_side(reading, EP_DIFF_AFTER, argument);
        return 0;
    case KEY_BY:
        diff->diff.by = read_by(argument);
        return 0;
    case KEY_RAW:
        diff->diff.is_raw = true;
        return 0;
    case KEY_COLOR:
        ep_usage_colour(argument);
        return 0;
    case 'f':
        diff->report = read_format(argument);
        return 0;
    case ARGP_KEY_ARG:
        add_bare_file(reading, argument);
        return 0;
    case ARGP_KEY_END:
        check_files(reading);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp parser = {
    .options = options,
    .parser = read_option,
    .args_doc = "BEFORE AFTER\n--before FILE... --after FILE...",
    .doc = "Compares profiles region by region, what changed most first. With several files of a "
           "side each change has a confidence interval and a verdict: faster, slower, or no "
           "evidence.",
};

/* With room for every argument: one list, and of its second half the files of after. */
static char **make_list(int argc)
{
    char **list = calloc(2 * (size_t)argc, sizeof *list);
    if (list)
        return list;
    ep_complain_of_memory();
    exit(EP_STATUS_FAILED);
}

struct ep_diff_command_options ep_diff_options_read(int argc, char **argv)
{
    char **list = make_list(argc);
    struct reading reading = {.diff = {.files = list,
                                       .report = ep_report_diff_find("table"),
                                       .diff = {.by = ep_field_find("total"), .error = 0.05}},
                              .files = {list, list + argc}};
    ep_usage_parse(&parser, argc, argv, ARGP_IN_ORDER, &reading);
    memmove(list + reading.diff.counts[EP_DIFF_BEFORE], list + argc,
            reading.diff.counts[EP_DIFF_AFTER] * sizeof *list);
    return reading.diff;
}

void ep_diff_options_free(struct ep_diff_command_options *diff)
{
    free(diff->files);
}
