/*
 * The times of the calls of one region as a histogram, or its values: lines with round limits,
 * their calls, a bar, and the percentiles that lie between the limits. If several regions have the
 * name that was asked for, each has a histogram.
 */
#include "report/report.h"

#include <errno.h>
#include <string.h>

#include "base/escape.h"
#include "report/format.h"
#include "report/sheet.h"
#include "snapshot/distribution.h"
#include "snapshot/regions.h"

/* ---- the scale ---- */

enum {
    LINES_MOST = 24,
    LIMITS_MOST = 64 /* 21 decades have so many at the coarsest scale */
};

/* The limits in a decade, in hundredths, from the finest scale to the coarsest. A bucket of the
 * recording is up to 12.5 % wide, so no scale is much finer. */
static const struct {
    unsigned count;
    unsigned hundredths[10];
} scales[] = {{10, {100, 125, 150, 200, 250, 300, 400, 500, 600, 800}},
              {6, {100, 150, 200, 300, 500, 700}},
              {3, {100, 200, 500}},
              {1, {100}}};

struct limits {
    uint64_t ns[2 * LIMITS_MOST]; /* a line is from one to below the next */
    size_t count;
};

static void add_limit(struct limits *limits, uint64_t ns, uint64_t min_ns)
{
    if (ns <= min_ns)
        limits->count = 0; /* no call is below this one */
    if (limits->count < LIMITS_MOST)
        limits->ns[limits->count++] = ns;
}

/* All limits from the last one that is not above the shortest time to the first one above the
 * longest. */
static void make_limits(struct limits *limits, size_t scale, uint64_t min_ns, uint64_t max_ns)
{
    limits->count = 0;
    add_limit(limits, 0, min_ns);
    for (uint64_t decade = 1;; decade *= 10) {
        for (unsigned i = 0; i < scales[scale].count; i++) {
            unsigned hundredths = scales[scale].hundredths[i];
            uint64_t ns = decade / 100 * hundredths + decade % 100 * hundredths / 100;
            if (decade < 100 && decade * hundredths % 100 != 0)
                continue; /* no whole number */
            add_limit(limits, ns, min_ns);
            if (ns > max_ns)
                return;
        }
        if (decade > UINT64_MAX / 10 / 8) { /* of a damaged file */
            add_limit(limits, UINT64_MAX, min_ns);
            return;
        }
    }
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* The same of values from `min` to `max`, as a distribution has them (EP_DISTRIBUTION_ZERO): first
 * the limits of the magnitudes below 0, from the largest one on. */
static void make_signed_limits(struct limits *limits, size_t scale, uint64_t min, uint64_t max)
{
    const uint64_t zero = EP_DISTRIBUTION_ZERO;
    struct limits side;
    limits->count = 0;
    if (min < zero) {
        make_limits(&side, scale, max < zero ? zero - max - 1 : 0, zero - min - 1);
        while (side.count-- > 0)
            limits->ns[limits->count++] = zero - least(side.ns[side.count], zero);
    }
    if (max >= zero) {
        make_limits(&side, scale, min < zero ? 0 : min - zero, max - zero);
        limits->count -= limits->count > 0; /* 0 is in both */
        for (size_t i = 0; i < side.count; i++)
            limits->ns[limits->count++] = zero + least(side.ns[i], zero - 1);
    }
}

/* With the finest scale that is not too long. */
static struct limits limits_of(const struct ep_distribution_sum *sum)
{
    struct limits limits;
    uint64_t min = sum->row.min_ns + sum->zero, max = sum->row.max_ns + sum->zero;
    for (size_t scale = 0; scale < sizeof scales / sizeof scales[0]; scale++) {
        if (sum->zero)
            make_signed_limits(&limits, scale, min, max);
        else
            make_limits(&limits, scale, min, max);
        if (limits.count <= LINES_MOST + 1)
            break;
    }
    return limits;
}

/* ---- lines ---- */

enum { MARKS = 6 };

struct mark {
    const char *name;
    bool is_known;
    uint64_t ns; /* as in the distribution */
};

struct histogram {
    struct ep_output *out;
    struct ep_report_sheet_style style;
    struct ep_distribution_sum sum;
    struct limits limits;
    struct mark marks[MARKS]; /* by time */
    uint64_t most;            /* calls of a line */
    bool is_corrected;        /* the probes' cost was subtracted */
    const char *to;           /* between two limits */
    size_t limit_width, calls_width, bar_width;
};

static void set_marks(struct histogram *histogram)
{
    const struct ep_distribution_sum *sum = &histogram->sum;
    static const struct {
        const char *name;
        unsigned per_mille;
        size_t offset;
    } percentiles[] = {{"p50", 500, offsetof(struct eprof_row, p50_ns)},
                       {"p90", 900, offsetof(struct eprof_row, p90_ns)},
                       {"p99", 990, offsetof(struct eprof_row, p99_ns)},
                       {"p99.9", 999, offsetof(struct eprof_row, p999_ns)}};
    histogram->marks[0] = (struct mark){"min", true, sum->row.min_ns + sum->zero};
    for (size_t i = 0; i < MARKS - 2; i++)
        histogram->marks[1 + i] = (struct mark){
            percentiles[i].name, ep_report_format_is_known(&sum->row, percentiles[i].offset),
            ep_distribution_sum_percentile(sum, percentiles[i].per_mille)};
    histogram->marks[MARKS - 1] = (struct mark){"max", true, sum->row.max_ns + sum->zero};
}

static struct ep_report_figure time_of(const struct histogram *histogram, uint64_t ns)
{
    const struct ep_distribution_sum *sum = &histogram->sum;
    if (sum->zero) {
        struct eprof_row value = {
            .kind = "value", .unit = sum->row.unit, .timed = 1, .max_ns = ns - sum->zero};
        return ep_report_format_value(&value, offsetof(struct eprof_row, max_ns),
                                      histogram->style.in_ticks);
    }
    return ep_report_format_time(ns, histogram->style.in_ticks, false);
}

/* Percentiles and extremes, as in tables. */
static struct ep_report_figure mark_time_of(const struct histogram *histogram, uint64_t ns)
{
    if (ns == 0 && histogram->is_corrected)
        return (struct ep_report_figure){EP_REPORT_FORMAT_BELOW_PROBE};
    return time_of(histogram, ns);
}

struct marks_text {
    char text[256];
};

/* "p50 1.07 us, p90 1.19 us": the marks of a line. */
static struct marks_text marks_of(const struct histogram *histogram, size_t line)
{
    struct marks_text marks = {""};
    size_t bytes = 0;
    for (size_t i = 0; i < MARKS; i++) {
        const struct mark *mark = &histogram->marks[i];
        bool is_here = mark->ns >= histogram->limits.ns[line] &&
                       (mark->ns < histogram->limits.ns[line + 1] ||
                        (mark->ns == UINT64_MAX && line + 2 == histogram->limits.count));
        if (mark->is_known && is_here)
            bytes += (size_t)snprintf(marks.text + bytes, sizeof marks.text - bytes, "%s%s %s",
                                      bytes ? ", " : "", mark->name,
                                      mark_time_of(histogram, mark->ns).text);
    }
    return marks;
}

static uint64_t calls_of(const struct histogram *histogram, size_t line)
{
    return ep_distribution_sum_below(&histogram->sum, histogram->limits.ns[line + 1]) -
           ep_distribution_sum_below(&histogram->sum, histogram->limits.ns[line]);
}

static struct ep_report_figure calls_text(const struct histogram *histogram, uint64_t calls)
{
    struct ep_report_figure figure = ep_report_format_decimal(calls, 0);
    return calls && histogram->sum.row.estimated ? ep_report_format_estimate(figure) : figure;
}

enum {
    SHARE_WIDTH = sizeof "100 %" - 1,
    GAP = 2,
    BAR_LEAST = 8, /* columns, also on a narrow terminal */
    BAR_MOST = 60
};

static void measure(struct histogram *histogram)
{
    size_t marks_width = 0, room = BAR_MOST, columns = histogram->style.columns;
    histogram->calls_width = strlen("calls");
    for (size_t line = 0; line + 1 < histogram->limits.count; line++) {
        uint64_t calls = calls_of(histogram, line);
        histogram->most = calls > histogram->most ? calls : histogram->most;
        ep_report_format_widen(&histogram->calls_width, strlen(calls_text(histogram, calls).text));
        ep_report_format_widen(&marks_width, strlen(marks_of(histogram, line).text));
    }
    for (size_t i = 0; i < histogram->limits.count; i++)
        ep_report_format_widen(&histogram->limit_width,
                               strlen(time_of(histogram, histogram->limits.ns[i]).text));
    size_t others = 2 * histogram->limit_width + strlen(histogram->to) + histogram->calls_width +
                    SHARE_WIDTH + marks_width + 4 * GAP;
    if (columns)
        room = columns > others + BAR_LEAST ? columns - others : BAR_LEAST;
    histogram->bar_width = ep_report_format_least(room, BAR_MOST);
}

/* In eighths of a column: U+2588 is a whole one, U+2589 to U+258F are seven to one eighths. A line
 * with a call has one at least. */
static void write_bar(const struct histogram *histogram, uint64_t calls)
{
    struct ep_output *out = histogram->out;
    double wide = (double)calls / (double)histogram->most * (double)histogram->bar_width;
    size_t eighths = (size_t)(wide * 8 + 0.5);
    if (calls && !eighths)
        eighths = 1;
    if (!histogram->style.is_utf8) {
        ep_output_repeat(out, '#', (eighths + 7) / 8);
        return;
    }
    for (size_t i = 0; i < eighths / 8; i++)
        ep_output_text(out, "\xE2\x96\x88");
    if (eighths % 8)
        ep_output_print(out, "\xE2\x96%c", (char)(0x90 - eighths % 8));
}

/* The numbers of a line: "6 - 7", or "5" if there is only one. Numbers of three digits are shown
 * exactly, so both ends are numbers of the line; times and others end before the second. */
static void write_limits(const struct histogram *histogram, size_t line)
{
    const uint64_t exact = 1000, zero = histogram->sum.zero;
    uint64_t from = histogram->limits.ns[line], to = histogram->limits.ns[line + 1];
    int width = (int)histogram->limit_width;
    bool is_exact = zero && strcmp(histogram->sum.row.unit, "1") == 0 && to > from &&
                    to - zero + exact <= 2 * exact && from - zero + exact <= 2 * exact;
    to -= is_exact;
    if (is_exact && to == from)
        ep_output_print(histogram->out, "%*s", 2 * width + (int)strlen(histogram->to),
                        time_of(histogram, from).text);
    else
        ep_output_print(histogram->out, "%*s%s%*s", width, time_of(histogram, from).text,
                        histogram->to, width, time_of(histogram, to).text);
}

static void write_line(const struct histogram *histogram, size_t line)
{
    struct ep_output *out = histogram->out;
    uint64_t calls = calls_of(histogram, line);
    struct marks_text marks = marks_of(histogram, line);
    write_limits(histogram, line);
    ep_output_print(out, "%*s%*s", (int)(GAP + histogram->calls_width),
                    calls_text(histogram, calls).text, GAP + SHARE_WIDTH,
                    ep_report_format_share(calls, histogram->sum.calls).text);
    if (calls || *marks.text)
        ep_output_repeat(out, ' ', GAP);
    write_bar(histogram, calls);
    if (*marks.text)
        ep_output_print(out, "%s%s", calls ? "  " : "", marks.text);
    ep_output_text(out, "\n");
}

/* ---- the report ---- */

static void write_title(const struct histogram *histogram, const struct eprof_snapshot *snapshot)
{
    struct ep_output *out = histogram->out;
    const struct eprof_row *row = &histogram->sum.row;
    ep_output_text(out, "\neProf Histogram: ");
    ep_escape_name(out, row->name);
    ep_output_text(out, histogram->sum.zero ? ", values, " : ", ");
    if (strcmp(row->kind, "instance") != 0) {
        ep_output_count(out, histogram->sum.row_count, "call path");
        ep_output_text(out, ", ");
    }
    ep_output_print(out, "%s call%s", ep_report_format_decimal(row->calls, 0).text,
                    row->calls == 1 ? "" : "s");
    if (row->timed != row->calls)
        ep_output_print(out, ", %s timed", ep_report_format_decimal(row->timed, 0).text);
    ep_output_text(out, "\n");
    ep_report_format_origin(out, snapshot, histogram->style.columns,
                            ep_report_sheet_gap(&histogram->style));
}

static void write_lines(struct histogram *histogram)
{
    struct ep_output *out = histogram->out;
    histogram->limits = limits_of(&histogram->sum);
    histogram->to = histogram->limits.ns[0] < histogram->sum.zero ? " to " : " - ";
    set_marks(histogram);
    measure(histogram);
    ep_output_print(out, "\n%-*s%*s%*s\n",
                    (int)(2 * histogram->limit_width + strlen(histogram->to)),
                    histogram->sum.zero         ? "value"
                    : histogram->style.in_ticks ? "ticks"
                                                : "time",
                    (int)(GAP + histogram->calls_width), "calls", GAP + SHARE_WIDTH, "share");
    for (size_t line = 0; line + 1 < histogram->limits.count; line++)
        write_line(histogram, line);
}

static bool is_corrected(const struct eprof_snapshot *snapshot, const struct eprof_row *region)
{
    if (strcmp(region->kind, "value") == 0)
        return false;
    if (strcmp(region->kind, "instance") == 0)
        return ep_rows_instance_mark(snapshot).is_corrected;
    return ep_rows_position(snapshot, (size_t)(region - snapshot->rows))->mark.is_corrected;
}

static void write_region(struct histogram *histogram, const struct eprof_snapshot *snapshot,
                         const struct eprof_row *region)
{
    if (ep_distribution_sum_make(&histogram->sum, snapshot, region) != 0) {
        ep_output_fail(histogram->out, ENOMEM);
    } else {
        write_title(histogram, snapshot);
        if (histogram->sum.calls)
            write_lines(histogram);
        else
            ep_output_text(histogram->out, "\nno call was timed\n");
    }
    ep_distribution_sum_free(&histogram->sum);
}

void ep_report_histogram(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    const struct ep_report_sheet_style style =
        ep_report_sheet_style_of(out, snapshot->options.ticks);
    struct ep_regions regions;
    out->is_ascii = !style.is_utf8;
    if (ep_regions_find(&regions, snapshot, snapshot->region, 0) == 0) {
        for (size_t i = 0; i < regions.count; i++)
            write_region(&(struct histogram){.out = out,
                                             .style = style,
                                             .is_corrected = is_corrected(snapshot, regions.at[i])},
                         snapshot, regions.at[i]);
        ep_report_notes_write(out, snapshot);
    } else {
        ep_output_fail(out, ENOMEM);
    }
    ep_regions_free(&regions);
}
