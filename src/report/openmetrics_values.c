/*
 * openmetrics_values.c - the metrics of values
 *
 * Their sums may fall, since values may be negative, so only their number and sums of bytes are
 * counters. The other figures are gauges.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/hash.h"
#include "report/openmetrics_head.h"
#include "report/report.h"
#include "snapshot/columns.h"

/* The values with the same labels: those of several lines of one scope. */
struct series {
    struct ep_wide print;
    const struct eprof_row *row; /* the first */
    uint64_t calls, bytes;
    bool has_negative; /* then the sum may fall */
    size_t rows;
};

struct walk {
    struct ep_output *out;
    const struct eprof_snapshot *snapshot;
    struct ep_fingerprint_table series;
};

static int find_series(struct walk *walk)
{
    for (size_t i = 0; i < walk->snapshot->value_count; i++) {
        const struct eprof_row *row = &walk->snapshot->values[i];
        struct ep_wide print = ep_hash_add_text(ep_hash_begin(), row->thread);
        print = ep_hash_add_text(ep_hash_add_text(print, row->path), row->unit);
        uint32_t found = ep_hash_table_find(&walk->series, sizeof(struct series), print);
        if (found == EP_MAP_NONE)
            return -1;
        struct series *series = (struct series *)walk->series.rows + found;
        if (!series->rows++)
            series->row = row;
        series->calls += row->calls;
        series->bytes += row->total_ns;
        series->has_negative |= row->min_ns >> 63;
    }
    return 0;
}

static bool is_of_bytes(const struct series *series)
{
    return strcmp(series->row->unit, "bytes") == 0 && !series->has_negative;
}

/* Values of a time are in seconds, as all times are. */
static bool is_in_seconds(const struct series *series)
{
    return strcmp(series->row->unit, "ns") == 0;
}

static void begin_sample(const struct walk *walk, const struct series *series, const char *metric,
                         const char *figure)
{
    const char *between = "{";
    const struct eprof_row *row = series->row;
    const char *unit = is_in_seconds(series) ? "seconds" : row->unit;
    ep_output_text(walk->out, metric);
    ep_report_openmetrics_head_label(walk->out, &between, "name", row->name);
    ep_report_openmetrics_head_label(walk->out, &between, "path", row->path);
    if (walk->snapshot->options.threads)
        ep_report_openmetrics_head_label(walk->out, &between, "thread", row->thread);
    ep_report_openmetrics_head_label(walk->out, &between, "unit", unit);
    if (figure)
        ep_report_openmetrics_head_label(walk->out, &between, "figure", figure);
    ep_output_text(walk->out, "} ");
}

static void write_gauges(const struct walk *walk, const struct series *series)
{
    const struct {
        const char *name;
        uint64_t figure;
        uint64_t least_timed;
    } figures[] = {{"mean", series->row->mean_ns, 1},
                   {"min", series->row->min_ns, 1},
                   {"p50", series->row->p50_ns, EP_COLUMNS_P50_LEAST_TIMED},
                   {"p90", series->row->p90_ns, EP_COLUMNS_P90_LEAST_TIMED},
                   {"p99", series->row->p99_ns, EP_COLUMNS_P99_LEAST_TIMED},
                   {"p99.9", series->row->p999_ns, EP_COLUMNS_P999_LEAST_TIMED},
                   {"max", series->row->max_ns, 1}};
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        if (series->rows > 1 || series->calls < figures[i].least_timed)
            continue;
        begin_sample(walk, series, "eprof_value", figures[i].name);
        if (is_in_seconds(series))
            ep_report_openmetrics_head_seconds(walk->out, figures[i].figure);
        else
            ep_output_print(walk->out, "%" PRId64, (int64_t)figures[i].figure);
        ep_output_text(walk->out, "\n");
    }
}

static void write_counters(const struct walk *walk, const char *metric, const char *help,
                           bool is_bytes)
{
    const struct series *all = walk->series.rows;
    ep_report_openmetrics_head_family(walk->out, metric, "counter", NULL, help);
    for (size_t i = 0; i < walk->series.count; i++) {
        if (is_bytes && !is_of_bytes(&all[i]))
            continue;
        begin_sample(walk, &all[i], metric, NULL);
        ep_output_print(walk->out, "%" PRIu64 "\n", is_bytes ? all[i].bytes : all[i].calls);
    }
}

static void write_all(const struct walk *walk)
{
    const struct series *all = walk->series.rows;
    bool has_bytes = false;
    for (size_t i = 0; i < walk->series.count; i++)
        has_bytes |= is_of_bytes(&all[i]);
    write_counters(walk, "eprof_value_calls_total", "How often a value was recorded.", false);
    if (has_bytes)
        write_counters(walk, "eprof_value_bytes_total", "The sum of the bytes.", true);
    ep_report_openmetrics_head_family(walk->out, "eprof_value", "gauge", NULL,
                                      "Figures of the values since the last reset.");
    for (size_t i = 0; i < walk->series.count; i++)
        write_gauges(walk, &all[i]);
}

void ep_report_openmetrics_values_write(struct ep_output *out,
                                        const struct eprof_snapshot *snapshot)
{
    struct walk walk = {.out = out, .snapshot = snapshot};
    if (snapshot->value_count == 0)
        return;
    if (find_series(&walk) == 0)
        write_all(&walk);
    else
        ep_output_fail(out, ENOMEM);
    ep_hash_table_free(&walk.series);
}
