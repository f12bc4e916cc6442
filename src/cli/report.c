#include <errno.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/deliver.h"
#include "cli/load.h"
#include "cli/options.h"
#include "cli/usage.h"
#include "report/chosen.h"

/* ---- formats: those of the library, and pprof ---- */

const struct ep_report *ep_report_choice(const struct eprof_snapshot *snapshot)
{
    const char *name = snapshot->scope_first < snapshot->diagnostic_first ? "tree" : "table";
    struct ep_snapshot_options options;
    return ep_report_find(name, strlen(name), &options);
}

#ifdef EPROF_PPROF
static const struct ep_report *const pprof = &ep_pprof_report;
#else
static const struct ep_report pprof_by_name = {.name = "pprof"}; /* a known name without a writer */
static const struct ep_report *const pprof = &pprof_by_name;
#endif

/* ---- reports on one region ---- */

static const struct ep_report callers_report = {.name = "callers", .write = ep_report_callers};
static const struct ep_report histogram_report = {.name = "histogram",
                                                  .write = ep_report_histogram};

/* ---- the command line of `eprof report` ---- */

/* These are stored until all options are read: --format may come after them, and sets all options
 * of the snapshot. */
struct reading {
    struct ep_report_options report;
    const char *unit; /* NULL: that of the format */
    bool is_raw, has_locations, is_by_process;
    struct ep_chosen_columns columns;
};

static void read_format(void *to, const char *name, char *text)
{
    struct ep_report_options *report = to;
    size_t length = strlen(text);
    bool is_pprof = ep_report_is(pprof, text, length, &report->snapshot);
    report->report = is_pprof ? pprof : ep_report_find(text, length, &report->snapshot);
    if (is_pprof && !pprof->write)
        ep_usage_fail(text, "this eprof was built without it; build it with -DEPROF_PPROF=ON");
    char why[512];
    if (!report->report && ep_report_explain(text, length, why, sizeof why))
        ep_usage_fail(NULL, "--%s: %s", name, why);
    if (!report->report)
        ep_usage_fail_unknown(
            text, name,
            EP_REPORT_FORMATS_NAMES
            " (each with :threads, :raw, :ticks; tree:parent; openmetrics:summary)");
}

static void read_columns(void *to, const char *name, char *text)
{
    char why[512];
    const char *unknown = ep_report_chosen_read(text, strlen(text), to);
    if (unknown) {
        ep_report_chosen_complain(why, sizeof why, unknown, text + strlen(text));
        ep_usage_fail(NULL, "--%s: %s", name, why);
    }
}

static void read_unit(void *to, const char *name, char *text)
{
    if (strcmp(text, "ns") != 0 && strcmp(text, "ticks") != 0)
        ep_usage_fail_unknown(text, name, "ns, ticks");
    *(const char **)to = text;
}

#define AT(field) offsetof(struct reading, field)
#define VIEW(field) AT(report.view.field)

static const struct ep_option known_options[] = {
    {"format", 'f', "FORMAT", EP_REPORT_FORMATS_NAMES, AT(report), read_format},
    {EP_OPTION_OUTPUT(AT(report.output))},
    {"sort", 0, "KEY", "by calls, total, self, mean, p50, max, name ...", VIEW(sort),
     ep_usage_text},
    {"top", 0, "N", "only the first N of each kind", VIEW(top), ep_usage_number},
    {"thread", 0, "NAME", "only figures of this thread", VIEW(thread), ep_usage_text},
    {"filter", 0, "PATTERN", "only names like PATTERN, as *_init", VIEW(filter), ep_usage_text},
    {"focus", 0, "PATH", "only this scope (a;b;c, or c) and below", VIEW(focus), ep_usage_text},
    {"depth", 0, "N", "only N levels of scopes", VIEW(depth), ep_usage_number},
    {"callers", 0, "NAME", "the callers of NAME with their shares", VIEW(callers), ep_usage_text},
    {"histogram", 0, "NAME", "the times of the calls of NAME", VIEW(histogram), ep_usage_text},
    {"columns", 0, "LIST", "only these figures, as calls,total,self", AT(columns), read_columns},
    {"by-process", 0, NULL, "how each time is spread over the processes", AT(is_by_process),
     ep_usage_flag},
    {"where", 0, NULL, "names have file and line", AT(has_locations), ep_usage_flag},
    {"unit", 0, "UNIT", "times in ns, or in ticks of the time source", AT(unit), read_unit},
    {EP_OPTION_RAW(AT(is_raw))},
    {EP_OPTION_DEBUG_DIRECTORY(AT(report.files.debug_directory))},
    {EP_OPTION_COLOR},
    {0},
};

static const struct ep_command_line line = {
    .options = known_options,
    .args_doc = "FILE...",
    .doc = "Shows the profiles in the FILEs, added up; also of a program that still runs.",
    .missing = "report: no FILE; name one that `eprof run` has made",
};

/* Such a report has its own rows and order. */
static void choose_region_report(struct ep_report_options *report)
{
    const struct ep_view *view = &report->view;
    const char *name = view->callers ? "callers" : "histogram";
    if (!view->callers && !view->histogram)
        return;
    if (view->callers && view->histogram)
        ep_usage_fail(NULL, "--callers and --histogram are two reports");
    if (report->report || view->sort || view->top || view->filter || view->depth ||
        report->snapshot.columns.count)
        ep_usage_fail(
            NULL, "--%s: takes no --format, --sort, --top, --filter, --depth or --columns", name);
    report->report = view->callers ? &callers_report : &histogram_report;
    report->snapshot.histogram_of = view->histogram;
}

/* The columns of --by-process. */
static void choose_process_columns(struct reading *reading)
{
    static const char columns[] =
        "calls,total,%total,processes,process_min,process_mean,process_max,"
        "process_stddev,imbalance,process_slowest";
    if (reading->is_by_process && reading->columns.count)
        ep_usage_fail(NULL, "--by-process chooses columns, and so does --columns");
    if (reading->is_by_process)
        ep_report_chosen_read(columns, strlen(columns), &reading->columns);
}

static void set_columns(struct reading *reading)
{
    struct ep_report_options *report = &reading->report;
    choose_process_columns(reading);
    bool is_asked = reading->columns.count || reading->has_locations;
    if (is_asked && report->report && !report->report->has_columns)
        ep_usage_fail(report->report->name,
                      "--columns, --by-process and --where are for tree and table");
    if (reading->columns.count)
        report->snapshot.columns = reading->columns;
    report->snapshot.locations |= reading->has_locations;
}

struct ep_report_options ep_report_options_read(int argc, char **argv)
{
    struct reading reading = {.is_raw = false};
    struct ep_arguments files = ep_usage_parse(&line, argc, argv, &reading);
    set_columns(&reading);
    struct ep_report_options report = reading.report;
    report.files.paths = files.at;
    report.files.count = (size_t)files.count;
    report.snapshot.raw |= reading.is_raw;
    report.files.is_raw = report.snapshot.raw;
    report.is_by_process = reading.is_by_process;
    report.has_options = files.count + 1 < argc;
    if (reading.unit)
        report.snapshot.ticks = strcmp(reading.unit, "ticks") == 0;
    report.snapshot.threads |= report.view.thread != NULL;
    choose_region_report(&report);
    return report;
}

/* ---- the command ---- */

struct writing {
    const struct ep_report *report;
    const struct eprof_snapshot *snapshot;
};

static int write_to(const void *context, FILE *stream)
{
    const struct writing *writing = context;
    return ep_report_write(writing->report, writing->snapshot, stream);
}

/* A binary format is not written to a terminal, which would take some of its bytes for commands. */
static int write_report(const struct ep_report_options *options,
                        const struct eprof_snapshot *snapshot)
{
    struct writing writing = {options->report, snapshot};
    if (!writing.report)
        writing.report = ep_report_choice(snapshot);
    if (writing.report != pprof || !ep_deliver_is_terminal(options->output))
        return ep_deliver(options->output, write_to, &writing);
    ep_complain(writing.report->name, "no text, and stdout is a terminal; name a file with -o");
    return EP_STATUS_USAGE;
}

static int show(const struct ep_report_options *options, struct eprof_snapshot *snapshot)
{
    const char *why;
    if (options->is_by_process && !snapshot->process_count)
        ep_complain(NULL,
                    "--by-process: this is the profile of one process; name those of several");
    snapshot->hint = options->has_options ? EP_HINT_NONE : EP_HINT_OPTIONS;
    if (ep_view_apply(snapshot, &options->view, &why) == 0)
        return write_report(options, snapshot);
    int error = errno;
    ep_complain(NULL, "%s", why);
    return error == EINVAL ? EP_STATUS_USAGE : EP_STATUS_FAILED;
}

int ep_report_command(int argc, char **argv)
{
    struct ep_report_options options = ep_report_options_read(argc, argv);
    struct eprof_snapshot *snapshot = ep_load_snapshot(&options.files, options.snapshot);
    int status = snapshot ? show(&options, snapshot) : EP_STATUS_FAILED;
    ep_snapshot_free(snapshot);
    return status;
}
