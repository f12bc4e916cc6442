/*
 * One text that both parsers of Prometheus accept: that of OpenMetrics, and that of the older text
 * format.
 */
#include "report/report.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "report/openmetrics_head.h"
#include "report/walk.h"
#include "snapshot/series.h"

/* ---- samples ---- */

/* The rows of instances, or those of scopes and functions. */
struct group {
    const char *name; /* the names of its metrics begin with it */
    size_t first, end;
    bool is_of_scopes;
};

/* A figure of each series of a group. */
struct metric {
    const char *name, *ending; /* after the group's name; the unit of a duration comes between */
    const char *type, *help;
    enum ep_series_figure figure;
    bool is_duration;
    bool is_distribution; /* of the timed calls: histogram or quantiles, sum and count */
};

/* The state of the loops over the metrics of a group and the series of a metric. */
struct walk {
    struct ep_output *out;
    const struct eprof_snapshot *snapshot;
    struct ep_series_set set;
    const struct group *group;
    const struct metric *metric;
    char metric_name[48];
    const struct ep_series *series;
    const struct eprof_row *row; /* the first of the series */
    const char *path;
};

static const struct metric metrics[] = {
    {"", "", "histogram", "Time of the outermost calls, with all that was called in them.",
     EP_SERIES_TOTAL, true, true},
    {"self_", "_total", "counter", "Time without that of the scopes and functions inside.",
     EP_SERIES_SELF, true, false},
    {"cpu_", "_total", "counter", "The part of the time that its thread was on a processor.",
     EP_SERIES_CPU, true, false},
    {"wait_", "_total", "counter", "The part of the time that its thread was not on a processor.",
     EP_SERIES_WAIT, true, false},
    {"calls", "_total", "counter",
     "Calls, recursive and rejected ones too; under a budget open ones as well.", EP_SERIES_CALLS,
     false, false},
    {"errors", "_total", "counter", "Calls whose time was impossible and is not counted.",
     EP_SERIES_ERRORS, false, false},
    {"open", "", "gauge", "Calls that have begun and not ended.", EP_SERIES_OPEN, false, false},
};

/* The name, `part` after it, and the labels. */
static void begin_sample(const struct walk *walk, const char *part, const char *label,
                         const char *value)
{
    struct ep_output *out = walk->out;
    const char *between = "{";
    ep_output_print(out, "%s%s", walk->metric_name, part);
    if (walk->group->is_of_scopes)
        ep_report_openmetrics_head_label(out, &between, "kind", walk->row->kind);
    ep_report_openmetrics_head_label(out, &between, "name", walk->row->name);
    if (walk->group->is_of_scopes)
        ep_report_openmetrics_head_label(out, &between, "path", walk->path);
    if (walk->snapshot->options.threads)
        ep_report_openmetrics_head_label(out, &between, "thread", walk->row->thread);
    if (label)
        ep_report_openmetrics_head_label(out, &between, label, value);
    ep_output_text(out, "} ");
}

/* A duration in seconds, unless ticks are asked for. */
static void end_sample(const struct walk *walk, uint64_t value, bool is_duration)
{
    if (is_duration && !walk->snapshot->options.ticks)
        ep_report_openmetrics_head_seconds(walk->out, value);
    else
        ep_output_print(walk->out, "%" PRIu64, value);
    ep_output_text(walk->out, "\n");
}

/* The shortest and the longest call are quantiles too. Quantiles of several rows have no sum. */
static void write_quantiles(const struct walk *walk)
{
    const struct eprof_row *row = walk->row;
    const struct {
        const char *quantile;
        uint64_t duration;
    } of_row[] = {{"0", row->min_ns},    {"0.5", row->p50_ns},    {"0.9", row->p90_ns},
                  {"0.99", row->p99_ns}, {"0.999", row->p999_ns}, {"1", row->max_ns}};
    if (walk->series->row_count > 1 || row->timed == 0)
        return;
    for (size_t i = 0; i < sizeof of_row / sizeof of_row[0]; i++) {
        begin_sample(walk, "", "quantile", of_row[i].quantile);
        end_sample(walk, of_row[i].duration, true);
    }
}

/* The bounds of the ladder, as OpenMetrics requires numbers in labels to be written. */
static const struct {
    const char *seconds, *ticks;
} bounds[] = {
    {"1e-07", "100.0"},    {"2.5e-07", "250.0"},   {"5e-07", "500.0"},      {"1e-06", "1000.0"},
    {"2.5e-06", "2500.0"}, {"5e-06", "5000.0"},    {"1e-05", "10000.0"},    {"2.5e-05", "25000.0"},
    {"5e-05", "50000.0"},  {"0.0001", "100000.0"}, {"0.00025", "250000.0"}, {"0.0005", "500000.0"},
    {"0.001", "1e+06"},    {"0.0025", "2.5e+06"},  {"0.005", "5e+06"},      {"0.01", "1e+07"},
    {"0.025", "2.5e+07"},  {"0.05", "5e+07"},      {"0.1", "1e+08"},        {"0.25", "2.5e+08"},
    {"0.5", "5e+08"},      {"1.0", "1e+09"},       {"2.5", "2.5e+09"},      {"5.0", "5e+09"},
    {"10.0", "1e+10"},
};
_Static_assert(sizeof bounds / sizeof bounds[0] == EP_LADDER_BOUNDS, "each bound has its text");

static void write_buckets(const struct walk *walk)
{
    for (int i = 0; i < EP_LADDER_BOUNDS; i++) {
        bool is_in_ticks = walk->snapshot->options.ticks;
        begin_sample(walk, "_bucket", "le", is_in_ticks ? bounds[i].ticks : bounds[i].seconds);
        end_sample(walk, walk->series->ladder.calls[i], false);
    }
    begin_sample(walk, "_bucket", "le", "+Inf");
    end_sample(walk, walk->series->sum[EP_SERIES_TIMED], false);
}

static void write_distribution(const struct walk *walk)
{
    if (walk->snapshot->options.summaries)
        write_quantiles(walk);
    else
        write_buckets(walk);
    begin_sample(walk, "_sum", NULL, NULL);
    end_sample(walk, walk->series->sum[EP_SERIES_TOTAL], true);
    begin_sample(walk, "_count", NULL, NULL);
    end_sample(walk, walk->series->sum[EP_SERIES_TIMED], false);
}

static void write_series(const struct walk *walk)
{
    const struct metric *metric = walk->metric;
    if (ep_series_is_unknown(metric->figure, walk->series->sum[metric->figure]))
        return;
    if (metric->is_distribution) {
        write_distribution(walk);
        return;
    }
    begin_sample(walk, "", NULL, NULL);
    end_sample(walk, walk->series->sum[metric->figure], metric->is_duration);
}

/* ---- metrics ---- */

static void write_metric(struct walk *walk)
{
    const struct metric *metric = walk->metric;
    const char *unit = walk->snapshot->options.ticks ? "ticks" : "seconds";
    struct ep_report_path paths = {.row = walk->group->first, .end = walk->group->end};
    snprintf(walk->metric_name, sizeof walk->metric_name, "%s_%s%s%s", walk->group->name,
             metric->name, metric->is_duration ? unit : "", metric->ending);
    bool is_summary = metric->is_distribution && walk->snapshot->options.summaries;
    ep_report_openmetrics_head_family(walk->out, walk->metric_name,
                                      is_summary ? "summary" : metric->type,
                                      metric->is_distribution ? unit : NULL, metric->help);
    while (ep_report_walk_path_next(&paths, walk->out, walk->snapshot)) {
        walk->path = paths.path;
        walk->row = &walk->snapshot->rows[paths.row];
        walk->series = ep_series_begun_by(&walk->set, paths.row);
        if (walk->series)
            write_series(walk);
    }
}

/* All time of an instance is its own. */
static bool has_metric(const struct eprof_snapshot *snapshot, const struct group *group,
                       enum ep_series_figure figure)
{
    bool is_of_cpu = figure == EP_SERIES_CPU || figure == EP_SERIES_WAIT;
    return group->first < group->end && (group->is_of_scopes || figure != EP_SERIES_SELF) &&
           (snapshot->conversion.has_cpu || !is_of_cpu);
}

static void write_diagnostics(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    if (snapshot->diagnostic_first == snapshot->row_count)
        return;
    ep_report_openmetrics_head_family(out, "eprof_diagnostics_total", "counter", NULL,
                                      "Events that were counted in place of an error, by kind.");
    for (size_t i = snapshot->diagnostic_first; i < snapshot->row_count; i++) {
        const char *between = "{";
        ep_output_text(out, "eprof_diagnostics_total");
        ep_report_openmetrics_head_label(out, &between, "kind", snapshot->rows[i].name);
        ep_output_print(out, "} %" PRIu64 "\n", snapshot->rows[i].calls);
    }
}

void ep_report_openmetrics(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    const struct group groups[] = {
        {"eprof_instance", 0, snapshot->scope_first, false},
        {"eprof_scope", snapshot->scope_first, snapshot->diagnostic_first, true},
    };
    struct walk walk = {.out = out, .snapshot = snapshot};
    if (ep_series_find(&walk.set, snapshot) != 0) {
        ep_output_fail(out, errno);
        return;
    }
    ep_report_openmetrics_head_write(out, snapshot);
    for (walk.group = groups; walk.group < groups + 2; walk.group++)
        for (size_t i = 0; i < sizeof metrics / sizeof metrics[0]; i++) {
            walk.metric = &metrics[i];
            if (has_metric(snapshot, walk.group, walk.metric->figure))
                write_metric(&walk);
        }
    ep_report_openmetrics_values_write(out, snapshot);
    write_diagnostics(out, snapshot);
    /* OpenMetrics requires it; the text format takes it for a comment */
    ep_output_text(out, "# EOF\n");
    ep_series_free(&walk.set);
}
