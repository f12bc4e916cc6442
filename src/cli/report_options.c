#include "report_options.h"

#include <argp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "complain.h"
#include "report_formats.h"
#include "status.h"
#include "usage.h"

enum {
    KEY_SORT = 256,
    KEY_TOP,
    KEY_THREAD,
    KEY_FILTER,
    KEY_FOCUS,
    KEY_UNIT,
    KEY_RAW,
    KEY_COLOR,
    KEY_DEBUG_DIRECTORY
};

static const struct argp_option options[] = {
    {"format", 'f', "FORMAT", 0,
     EP_REPORT_FORMATS_NAMES
     "; behind it :threads, :raw, :ticks; tree, or table where there are no scopes",
     0},
    {"output", 'o', "OUT", 0, "write to OUT, - is stdout", 0},
    {"sort", KEY_SORT, "KEY", 0, "by calls, total, self, mean, p50, max, name ...", 0},
    {"top", KEY_TOP, "N", 0, "only the N first of each kind", 0},
    {"thread", KEY_THREAD, "NAME", 0, "only what this thread recorded", 0},
    {"filter", KEY_FILTER, "PATTERN", 0, "only names like PATTERN, as *_init", 0},
    {"focus", KEY_FOCUS, "PATH", 0, "only this scope (a;b;c, or c) and below", 0},
    {"unit", KEY_UNIT, "UNIT", 0, "times in ns, or in ticks of the time source", 0},
    {"raw", KEY_RAW, NULL, 0, "the cost of the probes is not taken off", 0},
    {"debug-directory", KEY_DEBUG_DIRECTORY, "DIR", 0, "names of functions are here too", 0},
    {"color", KEY_COLOR, "WHEN", 0, "auto, always or never", 0},
    {0},
};

/* While it is read: --format, --unit and --raw stand in any order. */
struct reading {
    struct ep_report_options report;
    const char *unit; /* NULL: as the format has it */
    bool is_raw;
};

_Noreturn static void fail_of(const char *argument, const char *what, const char *known)
{
    ep_complain(argument, "no such %s; known are %s", what, known);
    exit(EP_STATUS_USAGE);
}

static void read_format(struct ep_report_options *report, const char *text)
{
    report->report = ep_report_formats_find(text, &report->snapshot);
    if (report->report)
        return;
    if (ep_report_formats_lacks(text)) {
        ep_complain(text, "this eprof was built without it; build it with -DEPROF_PPROF=ON");
        exit(EP_STATUS_USAGE);
    }
    fail_of(text, "format", EP_REPORT_FORMATS_NAMES " (each with :threads, :raw, :ticks)");
}

static const char *read_unit(const char *text)
{
    if (strcmp(text, "ns") != 0 && strcmp(text, "ticks") != 0)
        fail_of(text, "unit", "ns, ticks");
    return text;
}

/* Options whose argument is kept as it is. False: it is none of them. */
static bool read_text(struct ep_report_options *report, int key, const char *argument)
{
    static const struct {
        int key;
        const char *option;
        size_t offset;
    } texts[] = {
        {'o', "--output", offsetof(struct ep_report_options, output)},
        {KEY_SORT, "--sort", offsetof(struct ep_report_options, view.sort)},
        {KEY_THREAD, "--thread", offsetof(struct ep_report_options, view.thread)},
        {KEY_FILTER, "--filter", offsetof(struct ep_report_options, view.filter)},
        {KEY_FOCUS, "--focus", offsetof(struct ep_report_options, view.focus)},
        {KEY_DEBUG_DIRECTORY, "--debug-directory",
         offsetof(struct ep_report_options, debug_directory)},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (texts[i].key == key) {
            const char **text = (const char **)((char *)report + texts[i].offset);
            *text = ep_usage_text(texts[i].option, argument);
            return true;
        }
    return false;
}

static error_t read_option(int key, char *argument, struct argp_state *state)
{
    struct reading *reading = state->input;
    struct ep_report_options *report = &reading->report;
    if (read_text(report, key, argument))
        return 0;
    switch (key) {
    case 'f':
        read_format(report, argument);
        return 0;
    case KEY_TOP:
        report->view.top = ep_usage_number("--top", argument);
        return 0;
    case KEY_UNIT:
        reading->unit = read_unit(argument);
        return 0;
    case KEY_RAW:
        reading->is_raw = true;
        return 0;
    case KEY_COLOR:
        ep_usage_colour(argument);
        return 0;
    case ARGP_KEY_ARGS:
        report->files = &state->argv[state->next];
        report->file_count = (size_t)(state->argc - state->next);
        return 0;
    case ARGP_KEY_NO_ARGS:
        ep_complain(NULL, "report: no FILE; name one that `eprof run` has made");
        exit(EP_STATUS_USAGE);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp parser = {
    .options = options,
    .parser = read_option,
    .args_doc = "FILE...",
    .doc = "Shows what the programs recorded whose profiles the FILEs are, also of one that was "
           "killed or still runs. Several are added up.",
};

struct ep_report_options ep_report_options_read(int argc, char **argv)
{
    struct reading reading = {.is_raw = false};
    ep_usage_parse(&parser, argc, argv, 0, &reading);
    struct ep_report_options report = reading.report;
    report.snapshot.raw |= reading.is_raw;
    if (reading.unit)
        report.snapshot.ticks = strcmp(reading.unit, "ticks") == 0;
    report.snapshot.threads |= report.view.thread != NULL;
    return report;
}
