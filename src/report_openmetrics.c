#include "report.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "report_metric.h"
#include "report_openmetrics_head.h"
#include "report_path.h"
#include "snapshot_series.h"

/* The rows of instances, or those of scopes and functions. */
struct group {
    const char *name; /* that the names of its metrics begin with */
    size_t first, end;
    bool is_of_scopes;
};

/* What is told of each series of a group. */
struct metric {
    const char *name, *ending; /* behind the group's; of a duration its unit stands between */
    const char *type, *help;
    enum ep_series_figure figure;
    bool is_duration;
    bool is_summary; /* of the timed calls: quantiles, sum and number */
};

/* One metric after the other, and of each one series after the other. */
struct walk {
    struct ep_output *out;
    const struct eprof_snapshot *snapshot;
    struct ep_series_set set;
    const struct group *group;
    const struct metric *metric;
    char metric_name[48];
    const struct ep_series *series;
    const struct eprof_row *row; /* its first */
    const char *path;
};

static const struct metric metrics[] = {
    {"", "", "summary", "Time of the outermost calls, with all that was called in them.",
     EP_SERIES_TOTAL, true, true},
    {"self_", "_total", "counter", "Time without that of the scopes and functions inside.",
     EP_SERIES_SELF, true, false},
    {"calls", "_total", "counter", "Calls that have ended, recursive and rejected ones too.",
     EP_SERIES_CALLS, false, false},
    {"errors", "_total", "counter", "Calls whose time cannot be, and does not count.",
     EP_SERIES_ERRORS, false, false},
    {"open", "", "gauge", "Calls that have begun and not ended.", EP_SERIES_OPEN, false, false},
};

/* ---- samples ---- */

/* The name, `part` behind it, and the labels. */
static void begin_sample(const struct walk *walk, const char *part, const char *quantile)
{
    struct ep_output *out = walk->out;
    const char *between = "{";
    ep_output_print(out, "%s%s", walk->metric_name, part);
    if (walk->group->is_of_scopes)
        ep_metric_label(out, &between, "kind", walk->row->kind);
    ep_metric_label(out, &between, "name", walk->row->name);
    if (walk->group->is_of_scopes)
        ep_metric_label(out, &between, "path", walk->path);
    if (walk->snapshot->options.threads)
        ep_metric_label(out, &between, "thread", walk->row->thread);
    if (quantile)
        ep_metric_label(out, &between, "quantile", quantile);
    ep_output_text(out, "} ");
}

static void end_with_count(const struct walk *walk, uint64_t count)
{
    ep_output_print(walk->out, "%" PRIu64 "\n", count);
}

static void end_with_duration(const struct walk *walk, uint64_t duration)
{
    if (walk->snapshot->options.ticks) {
        end_with_count(walk, duration);
        return;
    }
    ep_metric_seconds(walk->out, duration);
    ep_output_text(walk->out, "\n");
}

/* The shortest and the longest call are quantiles too. Those of several rows cannot be added up. */
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
        begin_sample(walk, "", of_row[i].quantile);
        end_with_duration(walk, of_row[i].duration);
    }
}

static void write_series(const struct walk *walk)
{
    const struct metric *metric = walk->metric;
    uint64_t figure = walk->series->sum[metric->figure];
    if (metric->is_summary)
        write_quantiles(walk);
    begin_sample(walk, metric->is_summary ? "_sum" : "", NULL);
    if (metric->is_duration)
        end_with_duration(walk, figure);
    else
        end_with_count(walk, figure);
    if (metric->is_summary) {
        begin_sample(walk, "_count", NULL);
        end_with_count(walk, walk->series->sum[EP_SERIES_TIMED]);
    }
}

/* ---- metrics ---- */

static void begin_metric(struct walk *walk)
{
    const struct metric *metric = walk->metric;
    const char *unit = walk->snapshot->options.ticks ? "ticks" : "seconds";
    snprintf(walk->metric_name, sizeof walk->metric_name, "%s_%s%s%s", walk->group->name,
             metric->name, metric->is_duration ? unit : "", metric->ending);
    ep_metric_begin(walk->out, walk->metric_name, metric->type, metric->is_summary ? unit : NULL,
                    metric->help);
}

static void write_metric(struct walk *walk)
{
    struct ep_report_path paths = {.text = NULL};
    begin_metric(walk);
    for (size_t i = walk->group->first; i < walk->group->end && !walk->out->error; i++) {
        walk->path = ep_report_path_of(&paths, walk->snapshot, i);
        walk->row = &walk->snapshot->rows[i];
        walk->series = ep_series_begun_by(&walk->set, i);
        if (!walk->path)
            ep_output_fail(walk->out, errno);
        else if (walk->series)
            write_series(walk);
    }
    ep_report_path_free(&paths);
}

static void write_group(struct walk *walk, const struct group *group)
{
    walk->group = group;
    for (size_t i = 0; i < sizeof metrics / sizeof metrics[0]; i++) {
        walk->metric = &metrics[i];
        /* an instance has no time but its own */
        if (group->first < group->end &&
            (group->is_of_scopes || metrics[i].figure != EP_SERIES_SELF))
            write_metric(walk);
    }
}

static void write_trouble(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    if (snapshot->trouble_first == snapshot->row_count)
        return;
    ep_metric_begin(out, "eprof_trouble_total", "counter", NULL,
                    "What went wrong and was only counted.");
    for (size_t i = snapshot->trouble_first; i < snapshot->row_count; i++) {
        const char *between = "{";
        ep_output_text(out, "eprof_trouble_total");
        ep_metric_label(out, &between, "kind", snapshot->rows[i].name);
        ep_output_print(out, "} %" PRIu64 "\n", snapshot->rows[i].calls);
    }
}

void ep_report_openmetrics(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    const struct group groups[] = {
        {"eprof_instance", 0, snapshot->scope_first, false},
        {"eprof_scope", snapshot->scope_first, snapshot->trouble_first, true},
    };
    struct walk walk = {.out = out, .snapshot = snapshot};
    if (ep_series_find(&walk.set, snapshot) != 0) {
        ep_output_fail(out, errno);
        return;
    }
    ep_openmetrics_head_write(out, snapshot);
    write_group(&walk, &groups[0]);
    write_group(&walk, &groups[1]);
    write_trouble(out, snapshot);
    ep_output_text(out, "# EOF\n"); /* OpenMetrics wants it; a comment to the text format */
    ep_series_free(&walk.set);
}
