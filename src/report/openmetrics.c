/*
 * One text that both parsers of Prometheus accept: that of OpenMetrics, and that of the older text
 * format.
 */
#include "report/report.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/escape.h"
#include "report/walk.h"
#include "snapshot/series.h"

/* ---- lines ---- */

#define NS_PER_SECOND UINT64_C(1000000000)

/*
 * The lines before the samples. The parsers disagree about the name of a counter: OpenMetrics
 * leaves out the _total that its samples have, the text format does not. Both parsers accept the
 * name with _total. OpenMetrics requires that a name ends with its unit, so a counter has none; the
 * text format takes the unit for a comment. `unit` NULL: none.
 */
static void begin_family(struct ep_output *out, const char *name, const char *type,
                         const char *unit, const char *help)
{
    ep_output_print(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
    if (unit)
        ep_output_print(out, "# UNIT %s %s\n", name, unit);
}

/* Writes NAME="VALUE" after *between, which is "{" at first and "," from then on. */
static void write_label(struct ep_output *out, const char **between, const char *name,
                        const char *value)
{
    ep_output_print(out, "%s%s=", *between, name);
    ep_escape_openmetrics(out, value);
    *between = ",";
}

/* Writes all nine places, so that no ns is lost. */
static void write_seconds(struct ep_output *out, uint64_t ns)
{
    ep_output_print(out, "%" PRIu64 ".%09" PRIu64, ns / NS_PER_SECOND, ns % NS_PER_SECOND);
}

/* ---- the program, its clock, and the cost of the probes ---- */

/* A gauge, since the text format does not know the type info of OpenMetrics. */
static void write_information(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    const char *between = "{";
    begin_family(out, "eprof_info", "gauge", NULL, "What the figures are of; always 1.");
    ep_output_text(out, "eprof_info");
    write_label(out, &between, "source", snapshot->source);
    write_label(out, &between, "raw", snapshot->options.raw ? "true" : "false");
    if (snapshot->command && *snapshot->command)
        write_label(out, &between, "command", snapshot->command);
    if (snapshot->command && snapshot->process_id)
        ep_output_print(out, ",process_id=\"%" PRIu64 "\"", snapshot->process_id);
    ep_output_text(out, "} 1\n");
}

/* Only a stored image contains the time of the start. */
static void write_start(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    if (!snapshot->command || snapshot->realtime_ns == 0)
        return;
    begin_family(out, "eprof_start_time_seconds", "gauge", "seconds",
                 "When the program began, since 1970.");
    ep_output_text(out, "eprof_start_time_seconds ");
    write_seconds(out, snapshot->realtime_ns);
    ep_output_text(out, "\n");
}

/* Describes a figure of the clock or of a probe. `power` is the power of ten that converts the
 * figure to the unit without a loss. */
struct gauge {
    const char *name, *unit, *help, *power;
};

/* `kinds` are the kinds of probes, one for each value; NULL: there is one value. Values that were
 * not measured are left out, and the metric if none was. */
static void write_measured(struct ep_output *out, struct gauge gauge, const double *values,
                           const char *const *kinds, size_t count)
{
    bool is_begun = false;
    for (size_t i = 0; i < count; i++) {
        if (!(values[i] > 0))
            continue;
        if (!is_begun)
            begin_family(out, gauge.name, "gauge", gauge.unit, gauge.help);
        is_begun = true;
        ep_output_text(out, gauge.name);
        if (kinds)
            ep_output_print(out, "{kind=\"%s\"}", kinds[i]);
        ep_output_text(out, " ");
        ep_output_decimal(out, values[i], 6);
        ep_output_print(out, "%s\n", gauge.power);
    }
}

static void write_clock(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    static const char *const kinds[] = {"instance", "scope", "function"};
    const double around_ns[] = {snapshot->pair_ns, snapshot->scope_pair_ns,
                                snapshot->function_pair_ns};
    const double inside_ns[] = {snapshot->inside_ns, snapshot->scope_inside_ns,
                                snapshot->function_inside_ns};
    write_measured(out,
                   (struct gauge){"eprof_source_frequency_hertz", "hertz",
                                  "Ticks of the time source in a second.", "e6"},
                   &snapshot->ticks_per_us, NULL, 1);
    write_measured(out,
                   (struct gauge){"eprof_source_resolution_seconds", "seconds",
                                  "What all steps of the time source are multiples of.", "e-9"},
                   &snapshot->resolution_ns, NULL, 1);
    write_measured(out,
                   (struct gauge){"eprof_probe_pair_seconds", "seconds",
                                  "What the probe of a call costs around it.", "e-9"},
                   around_ns, kinds, 3);
    write_measured(out,
                   (struct gauge){"eprof_probe_inside_seconds", "seconds",
                                  "What of that is measured as time inside, unless it is taken "
                                  "off.",
                                  "e-9"},
                   inside_ns, kinds, 3);
}

/* Writes nothing for 0. */
static void write_count(struct ep_output *out, const char *name, uint64_t count, const char *help)
{
    if (!count)
        return;
    begin_family(out, name, "gauge", NULL, help);
    ep_output_print(out, "%s %" PRIu64 "\n", name, count);
}

static void write_holds(struct ep_output *out, const struct ep_notes *notes)
{
    if (!notes->holds_ended)
        return;
    begin_family(out, "eprof_holds_total", "counter", NULL,
                 "Holds that have ended, EPROF_SLOW among them.");
    ep_output_print(out, "eprof_holds_total{result=\"kept\"} %" PRIu64 "\n", notes->holds_kept);
    ep_output_print(out, "eprof_holds_total{result=\"dropped\"} %" PRIu64 "\n",
                    notes->holds_ended - notes->holds_kept);
}

static void write_head(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    write_information(out, snapshot);
    write_start(out, snapshot);
    write_clock(out, snapshot);
    write_count(out, "eprof_sampled_regions", snapshot->sampled_count,
                "Regions whose times are estimates from a part of their calls.");
    write_holds(out, &snapshot->notes);
    write_count(out, "eprof_forked_children", snapshot->notes.missing,
                "Child processes that were forked and are not in these figures.");
}

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
    bool is_summary; /* of the timed calls: quantiles, sum and count */
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
    {"", "", "summary", "Time of the outermost calls, with all that was called in them.",
     EP_SERIES_TOTAL, true, true},
    {"self_", "_total", "counter", "Time without that of the scopes and functions inside.",
     EP_SERIES_SELF, true, false},
    {"cpu_", "_total", "counter", "The part of the time that its thread was on a processor.",
     EP_SERIES_CPU, true, false},
    {"wait_", "_total", "counter", "The part of the time that its thread was not on a processor.",
     EP_SERIES_WAIT, true, false},
    {"calls", "_total", "counter", "Calls that have ended, recursive and rejected ones too.",
     EP_SERIES_CALLS, false, false},
    {"errors", "_total", "counter", "Calls whose time cannot be, and does not count.",
     EP_SERIES_ERRORS, false, false},
    {"open", "", "gauge", "Calls that have begun and not ended.", EP_SERIES_OPEN, false, false},
};

/* The name, `part` after it, and the labels. */
static void begin_sample(const struct walk *walk, const char *part, const char *quantile)
{
    struct ep_output *out = walk->out;
    const char *between = "{";
    ep_output_print(out, "%s%s", walk->metric_name, part);
    if (walk->group->is_of_scopes)
        write_label(out, &between, "kind", walk->row->kind);
    write_label(out, &between, "name", walk->row->name);
    if (walk->group->is_of_scopes)
        write_label(out, &between, "path", walk->path);
    if (walk->snapshot->options.threads)
        write_label(out, &between, "thread", walk->row->thread);
    if (quantile)
        write_label(out, &between, "quantile", quantile);
    ep_output_text(out, "} ");
}

/* A duration in seconds, unless ticks are asked for. */
static void end_sample(const struct walk *walk, uint64_t value, bool is_duration)
{
    if (is_duration && !walk->snapshot->options.ticks)
        write_seconds(walk->out, value);
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
        begin_sample(walk, "", of_row[i].quantile);
        end_sample(walk, of_row[i].duration, true);
    }
}

static void write_series(const struct walk *walk)
{
    const struct metric *metric = walk->metric;
    if (ep_series_is_unknown(metric->figure, walk->series->sum[metric->figure]))
        return;
    if (metric->is_summary)
        write_quantiles(walk);
    begin_sample(walk, metric->is_summary ? "_sum" : "", NULL);
    end_sample(walk, walk->series->sum[metric->figure], metric->is_duration);
    if (metric->is_summary) {
        begin_sample(walk, "_count", NULL);
        end_sample(walk, walk->series->sum[EP_SERIES_TIMED], false);
    }
}

/* ---- metrics ---- */

static void write_metric(struct walk *walk)
{
    const struct metric *metric = walk->metric;
    const char *unit = walk->snapshot->options.ticks ? "ticks" : "seconds";
    struct ep_report_path paths = {.row = walk->group->first, .end = walk->group->end};
    snprintf(walk->metric_name, sizeof walk->metric_name, "%s_%s%s%s", walk->group->name,
             metric->name, metric->is_duration ? unit : "", metric->ending);
    begin_family(walk->out, walk->metric_name, metric->type, metric->is_summary ? unit : NULL,
                 metric->help);
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
    begin_family(out, "eprof_diagnostics_total", "counter", NULL,
                 "What went wrong and was only counted.");
    for (size_t i = snapshot->diagnostic_first; i < snapshot->row_count; i++) {
        const char *between = "{";
        ep_output_text(out, "eprof_diagnostics_total");
        write_label(out, &between, "kind", snapshot->rows[i].name);
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
    write_head(out, snapshot);
    for (walk.group = groups; walk.group < groups + 2; walk.group++)
        for (size_t i = 0; i < sizeof metrics / sizeof metrics[0]; i++) {
            walk.metric = &metrics[i];
            if (has_metric(snapshot, walk.group, walk.metric->figure))
                write_metric(&walk);
        }
    write_diagnostics(out, snapshot);
    /* OpenMetrics requires it; the text format takes it for a comment */
    ep_output_text(out, "# EOF\n");
    ep_series_free(&walk.set);
}
