#include "report_diff/format.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/output.h"

/* ---- times ---- */

const struct ep_report_diff_time ep_report_diff_format_times[EP_DIFF_TIMES] = {
    [EP_DIFF_TOTAL] = {"total", "total_ns", "total time of a run"},
    [EP_DIFF_SELF] = {"self", "self_ns", "self time of a run"},
    [EP_DIFF_MEAN] = {"mean", "mean_ns", "mean time of a call"},
    [EP_DIFF_P99] = {"p99", "p99_ns", "99th percentile of the calls"},
    [EP_DIFF_CPU] = {"cpu", "cpu_ns", "processor time of a run"},
    [EP_DIFF_WAIT] = {"wait", "wait_ns", "waiting in a run"},
};

const char *const ep_report_diff_format_sides[EP_DIFF_SIDES] = {
    [EP_DIFF_BEFORE] = "before", [EP_DIFF_AFTER] = "after"};

const struct ep_report_diff_time *ep_report_diff_format_time_judged(const struct ep_diff *diff)
{
    return &ep_report_diff_format_times[ep_diff_judged(diff)];
}

/* ---- fields of csv and json ---- */

_Static_assert(EP_REPORT_DIFF_CPU % EP_DIFF_SIDES == 0, "a field of an even number is of before");

static enum ep_diff_figure time_of(size_t field)
{
    return field < EP_REPORT_DIFF_CPU
               ? (enum ep_diff_figure)((field - EP_REPORT_DIFF_TIME) / EP_DIFF_SIDES)
               : (enum ep_diff_figure)(EP_DIFF_CPU + (field - EP_REPORT_DIFF_CPU) / EP_DIFF_SIDES);
}

static enum ep_diff_side side_of(size_t field)
{
    return field % EP_DIFF_SIDES == EP_DIFF_BEFORE ? EP_DIFF_BEFORE : EP_DIFF_AFTER;
}

static bool is_of_time(size_t field)
{
    return field >= EP_REPORT_DIFF_CPU ||
           (field >= EP_REPORT_DIFF_TIME && field < EP_REPORT_DIFF_CHANGE);
}

static bool is_unknown(const struct ep_diff_figures *figures, enum ep_diff_figure time)
{
    bool may_lack =
        time == EP_DIFF_CPU || time == EP_DIFF_WAIT || (time == EP_DIFF_SELF && figures->is_signed);
    return may_lack && figures->times_ns[time] == EPROF_UNKNOWN;
}

void ep_report_diff_format_field_name(struct ep_output *out, size_t field)
{
    static const char *const names[] = {"change_ns", "ratio", "ratio_low", "ratio_high"};
    if (is_of_time(field))
        ep_output_print(out, "%s_%s_ns", ep_report_diff_format_times[time_of(field)].name,
                        ep_report_diff_format_sides[side_of(field)]);
    else if (field >= EP_REPORT_DIFF_CHANGE)
        ep_output_text(out, names[field - EP_REPORT_DIFF_CHANGE]);
    else
        ep_output_print(out, "calls_%s", ep_report_diff_format_sides[side_of(field)]);
}

void ep_report_diff_format_field_value(struct ep_output *out, const struct ep_diff_row *row,
                                       size_t field, const char *none)
{
    const struct ep_diff_figures *figures = &row->figures[side_of(field)];
    if (is_of_time(field)) {
        uint64_t ns = figures->times_ns[time_of(field)];
        if (is_unknown(figures, time_of(field)))
            ep_output_text(out, none);
        else if (figures->is_signed)
            ep_output_print(out, "%" PRId64, (int64_t)ns);
        else
            ep_output_print(out, "%" PRIu64, ns);
    } else if (field > EP_REPORT_DIFF_CHANGE) {
        const double ratios[] = {row->ratio.estimate, row->ratio.low, row->ratio.high};
        double ratio = ratios[field - EP_REPORT_DIFF_RATIO];
        bool is_known =
            ep_diff_is_on_both(row) && (field == EP_REPORT_DIFF_RATIO || row->ratio.has_interval);
        if (is_known && isfinite(ratio))
            ep_output_decimal(out, ratio, 6);
        else
            ep_output_text(out, none);
    } else if (field == EP_REPORT_DIFF_CHANGE) {
        ep_output_print(out, "%" PRId64, row->change_ns);
    } else {
        /* the median of the files, which rarely has a fraction */
        double calls = figures->calls;
        bool is_whole = calls < 0x1p64 && (double)(uint64_t)calls >= calls;
        ep_output_decimal(out, calls, is_whole ? 0 : 6);
    }
}

struct ep_report_figure ep_report_diff_format_field_figure(const struct ep_diff_row *row,
                                                           size_t field)
{
    const struct ep_diff_figures *figures = &row->figures[side_of(field)];
    if (field < EP_REPORT_DIFF_TIME)
        return ep_diff_is_on(row, side_of(field))
                   ? ep_report_diff_format_figure_calls(figures->calls)
                   : (struct ep_report_figure){"-"};
    uint64_t ns = figures->times_ns[time_of(field)];
    bool is_self = time_of(field) == EP_DIFF_SELF;
    bool is_sum = time_of(field) != EP_DIFF_MEAN && time_of(field) != EP_DIFF_P99;
    bool is_estimate =
        (is_sum && figures->is_estimate) || (is_self && row->is_self_rest[side_of(field)]);
    if ((figures->calls <= 0 && ns == 0) || is_unknown(figures, time_of(field)) ||
        (time_of(field) == EP_DIFF_P99 && figures->lacks_p99))
        return (struct ep_report_figure){"-"};
    if (ns == 0 && figures->is_corrected && time_of(field) < EP_DIFF_CPU)
        return (struct ep_report_figure){EP_REPORT_FORMAT_BELOW_PROBE};
    return ep_report_format_time(ns, false, is_estimate);
}

/* ---- figures for people ---- */

/* From here on a factor is easier to read than a percentage. */
#define FACTOR_LEAST 3

/* Larger factors do not matter, and a damaged file may have any. */
#define FACTOR_MOST 999999

static uint64_t rounded(double value)
{
    return (uint64_t)(value + 0.5);
}

/* Three digits, or all before the point: x3.40, x34.0, x3400. */
static struct ep_report_figure factor_figure(double ratio)
{
    if (ratio > FACTOR_MOST)
        return (struct ep_report_figure){">x999999"};
    return ep_report_format_around("x",
                                   ratio < 9.995 ? ep_report_format_decimal(rounded(ratio * 100), 2)
                                   : ratio < 99.95
                                       ? ep_report_format_decimal(rounded(ratio * 10), 1)
                                       : ep_report_format_decimal(rounded(ratio), 0),
                                   "");
}

/* One digit after the point below 100 %. Never -100 %, which would mean that the region is gone. */
static struct ep_report_figure percent_figure(double ratio)
{
    uint64_t tenths = rounded(fabs(ratio - 1) * 1000);
    if (ratio > 0 && ratio < 1 && tenths >= 1000)
        tenths = 999;
    if (tenths == 0)
        return (struct ep_report_figure){"0.0 %"};
    return ep_report_format_around(ratio < 1 ? "-" : "+",
                                   tenths < 1000
                                       ? ep_report_format_decimal(tenths, 1)
                                       : ep_report_format_decimal(rounded((double)tenths / 10), 0),
                                   " %");
}

static struct ep_report_figure ratio_figure(double ratio)
{
    return ratio < FACTOR_LEAST ? percent_figure(ratio) : factor_figure(ratio);
}

struct ep_report_figure ep_report_diff_format_figure_change(const struct ep_diff_row *row)
{
    if (!ep_diff_is_on(row, EP_DIFF_BEFORE))
        return (struct ep_report_figure){"new"};
    if (!ep_diff_is_on(row, EP_DIFF_AFTER))
        return (struct ep_report_figure){"gone"};
    if (isinf(row->ratio.estimate))
        return (struct ep_report_figure){"from 0 ns"};
    return ratio_figure(row->ratio.estimate);
}

struct ep_report_figure ep_report_diff_format_figure_interval(const struct ep_diff_row *row)
{
    static const char unit[] = " %";
    struct ep_report_figure interval = {""};
    const struct ep_ratio *ratio = &row->ratio;
    if (!ratio->has_interval)
        return interval;
    if (isinf(ratio->low))
        return (struct ep_report_figure){"from 0 ns"};
    if (ratio->low <= 0 && isinf(ratio->high))
        return (struct ep_report_figure){"any"};
    struct ep_report_figure low = ratio_figure(ratio->low), high = ratio_figure(ratio->high);
    if (isinf(ratio->high))
        return ep_report_format_around("", low, " and more");
    /* a common unit is written once */
    if (ratio->high < FACTOR_LEAST)
        low.text[strlen(low.text) - strlen(unit)] = '\0';
    snprintf(interval.text, sizeof interval.text, "%.11s to %.11s", low.text, high.text);
    return interval;
}

struct ep_report_figure ep_report_diff_format_figure_difference(int64_t change_ns)
{
    uint64_t size_ns = change_ns < 0 ? -(uint64_t)change_ns : (uint64_t)change_ns;
    return ep_report_format_around(change_ns < 0   ? "-"
                                   : change_ns > 0 ? "+"
                                                   : "",
                                   ep_report_format_duration(size_ns), "");
}

struct ep_report_figure ep_report_diff_format_figure_calls(double calls)
{
    if (calls >= 0x1p64)
        return ep_report_format_decimal(UINT64_MAX, 0);
    if (calls < 99.95 && (double)(uint64_t)calls < calls)
        return ep_report_format_decimal(rounded(calls * 10), 1);
    return ep_report_format_decimal(rounded(calls), 0);
}

struct ep_report_figure ep_report_diff_format_figure_confidence(double confidence)
{
    const uint64_t all = 100000; /* 100 %, with three digits after the point */
    uint64_t parts = rounded(confidence * (double)all);
    unsigned places = 3;
    /* an interval is never certain */
    if (parts >= all)
        parts = all - 1;
    for (; places > 0 && parts % 10 == 0; parts /= 10)
        places--;
    return ep_report_format_around("", ep_report_format_decimal(parts, places), " %");
}

/* ---- labels ---- */

/* The most names in a label: more do not fit into a line, and the path of a deep recursion may have
 * a million. */
enum { NAMES_MOST = 16, NAMES_AND_KIND };

/* A row of a snapshot, and so a path. */
struct position {
    const struct eprof_snapshot *snapshot;
    size_t row;   /* SIZE_MAX: above the root */
    size_t index; /* in the list */
};

static const struct eprof_row *row_of(const struct position *position)
{
    return &position->snapshot->rows[position->row];
}

static struct position parent_of(struct position position)
{
    const struct eprof_snapshot *snapshot = position.snapshot;
    position.row = position.row >= snapshot->scope_first
                       ? ep_rows_position(snapshot, position.row)->parent
                       : SIZE_MAX;
    return position;
}

/* Compares two paths from their ends: the order of the first names that differ, or of the kinds.
 * Sets *names to the number of names that were compared, or to NAMES_AND_KIND. */
static int compare(struct position a, struct position b, size_t *names)
{
    int order = strcmp(row_of(&a)->kind, row_of(&b)->kind);
    for (*names = 1; *names <= NAMES_MOST; ++*names) {
        if (a.row == SIZE_MAX && b.row == SIZE_MAX)
            break;
        if (a.row == SIZE_MAX || b.row == SIZE_MAX)
            return a.row == SIZE_MAX ? -1 : 1;
        int by_name = strcmp(row_of(&a)->name, row_of(&b)->name);
        if (by_name)
            return by_name;
        a = parent_of(a);
        b = parent_of(b);
    }
    *names = *names > NAMES_MOST ? NAMES_MOST : NAMES_AND_KIND;
    return order;
}

static int by_path(const void *a, const void *b)
{
    size_t names;
    return compare(*(const struct position *)a, *(const struct position *)b, &names);
}

/* The last `count` names of a path, and for NAMES_AND_KIND the kind. */
static char *text_of(const struct position *end, size_t count)
{
    struct position positions[NAMES_MOST];
    struct ep_text_output text;
    size_t names = 0;
    for (struct position at = *end; at.row != SIZE_MAX && names < count && names < NAMES_MOST;
         at = parent_of(at))
        positions[names++] = at;
    if (ep_output_text_open(&text) != 0)
        return NULL;
    for (size_t i = names; i-- > 0;) {
        ep_output_text(&text.out, row_of(&positions[i])->name);
        ep_output_text(&text.out, i ? ";" : "");
    }
    if (count == NAMES_AND_KIND)
        ep_output_print(&text.out, " (%s)", row_of(end)->kind);
    return ep_output_text_close(&text);
}

/* In sorted order the neighbours of a path have the most last names in common with it. */
static int fill(char **labels, struct position *positions, size_t count)
{
    size_t before = 1, after;
    qsort(positions, count, sizeof *positions, by_path);
    for (size_t i = 0; i < count; i++, before = after) {
        after = 1;
        if (i + 1 < count)
            compare(positions[i], positions[i + 1], &after);
        char *label = text_of(&positions[i], before > after ? before : after);
        if (!label)
            return -1;
        labels[positions[i].index] = label;
    }
    return 0;
}

char **ep_report_diff_format_labels_make(const struct ep_diff *diff, size_t count)
{
    char **labels = calloc(count + 1, sizeof *labels);
    struct position *positions = malloc((count + 1) * sizeof *positions);
    for (size_t i = 0; positions && i < count; i++) {
        enum ep_diff_side side = ep_diff_side_of(&diff->rows[i]);
        positions[i] = (struct position){diff->sides[side], diff->rows[i].at[side], i};
    }
    if (!labels || !positions || fill(labels, positions, count) != 0) {
        ep_report_diff_format_labels_free(labels, count);
        labels = NULL;
        errno = ENOMEM;
    }
    free(positions);
    return labels;
}

void ep_report_diff_format_labels_free(char **labels, size_t count)
{
    for (size_t i = 0; labels && i < count; i++)
        free(labels[i]);
    free(labels);
}

/* ---- summary ---- */

struct ep_report_diff_counts ep_report_diff_format_count(const struct ep_diff *diff)
{
    struct ep_report_diff_counts counts = {0};
    for (size_t i = 0; i < diff->row_count; i++) {
        const struct ep_diff_row *row = &diff->rows[i];
        counts.added += !ep_diff_is_on(row, EP_DIFF_BEFORE);
        counts.gone += !ep_diff_is_on(row, EP_DIFF_AFTER);
        counts.slower += row->verdict == EP_DIFF_SLOWER;
        counts.faster += row->verdict == EP_DIFF_FASTER;
        counts.no_evidence += row->verdict == EP_DIFF_NO_EVIDENCE;
    }
    counts.unknown = diff->row_count - counts.added - counts.gone - counts.slower - counts.faster -
                     counts.no_evidence;
    return counts;
}

bool ep_report_diff_format_has_intervals(const struct ep_diff *diff)
{
    bool has_any = ep_diff_has_verdicts(diff);
    for (size_t i = 0; i < diff->row_count && !has_any; i++)
        has_any = diff->rows[i].ratio.has_interval;
    return has_any;
}

size_t ep_report_diff_format_with_verdict(const struct ep_report_diff_counts *counts)
{
    return counts->slower + counts->faster + counts->no_evidence;
}

static struct ep_report_figure confidence_of(const struct ep_diff *diff)
{
    return ep_report_diff_format_figure_confidence(1 - diff->options.error);
}

void ep_report_diff_format_summary_title(struct ep_output *out, const struct ep_diff *diff)
{
    size_t before = diff->files[EP_DIFF_BEFORE], after = diff->files[EP_DIFF_AFTER];
    ep_output_print(out, "%s, %zu file%s before, %zu after",
                    ep_report_diff_format_time_judged(diff)->title, before, before == 1 ? "" : "s",
                    after);
    if (ep_diff_has_verdicts(diff))
        ep_output_print(out, ", confidence %s", confidence_of(diff).text);
}

void ep_report_diff_format_summary_found(struct ep_output *out, const struct ep_diff *diff)
{
    struct ep_report_diff_counts counts = ep_report_diff_format_count(diff);
    const struct {
        size_t count;
        const char *what;
    } parts[] = {
        {counts.slower, "slower"},
        {counts.faster, "faster"},
        {counts.no_evidence, "without evidence"},
        {counts.unknown, ep_diff_has_verdicts(diff) ? "in too few files" : "on both sides"},
        {counts.added, "new"},
        {counts.gone, "gone"}};
    bool is_first = true;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (!parts[i].count)
            continue;
        if (is_first)
            ep_output_count(out, parts[i].count, "region");
        else
            ep_output_print(out, ", %zu", parts[i].count);
        ep_output_print(out, " %s", parts[i].what);
        is_first = false;
    }
    if (is_first)
        ep_output_text(out, "no regions");
}

void ep_report_diff_format_summary_trust(struct ep_output *out, const struct ep_diff *diff)
{
    struct ep_report_diff_counts counts = ep_report_diff_format_count(diff);
    size_t intervals = ep_report_diff_format_with_verdict(&counts);
    if (diff->judged == 0)
        ep_output_text(out, "no region is on both sides");
    else if (!ep_diff_has_verdicts(diff))
        ep_output_print(out,
                        "verdicts on %zu region%s take %zu files of each side: "
                        "--before ... --after ...%s",
                        diff->judged, diff->judged == 1 ? "" : "s", diff->needed,
                        ep_report_diff_format_has_intervals(diff)
                            ? "; the intervals are those of the estimates (~) alone"
                            : "");
    else if (intervals == 0)
        ep_output_text(out, "no region is in enough files of both sides");
    else if (intervals == 1)
        ep_output_print(out, "the interval holds with a probability of %s",
                        confidence_of(diff).text);
    else
        ep_output_print(out,
                        "the intervals of all %zu regions hold together with a probability of %s",
                        intervals, confidence_of(diff).text);
}
