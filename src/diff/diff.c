#include "diff/diff.h"

#include <stdlib.h>

#include "diff/match.h"

void ep_diff_free(struct ep_diff *diff)
{
    if (!diff)
        return;
    for (enum ep_diff_side side = 0; side < EP_DIFF_SIDES; side++) {
        ep_snapshot_free(diff->sides[side]);
        free(diff->row_of[side]);
    }
    free(diff->rows);
    free(diff->values);
    free(diff);
}

bool ep_diff_has_verdicts(const struct ep_diff *diff)
{
    return ep_rank_test_sum_cut(diff->files[EP_DIFF_BEFORE], diff->files[EP_DIFF_AFTER],
                                diff->share, NULL) > 0;
}

bool ep_diff_has_cpu(const struct ep_diff *diff)
{
    return diff->sides[EP_DIFF_BEFORE]->conversion.has_cpu &&
           diff->sides[EP_DIFF_AFTER]->conversion.has_cpu;
}

enum ep_diff_side ep_diff_side_of(const struct ep_diff_row *row)
{
    return ep_diff_is_on(row, EP_DIFF_AFTER) ? EP_DIFF_AFTER : EP_DIFF_BEFORE;
}

const struct eprof_row *ep_diff_row_of(const struct ep_diff *diff, const struct ep_diff_row *row)
{
    enum ep_diff_side side = ep_diff_side_of(row);
    return &diff->sides[side]->rows[row->at[side]];
}

char *ep_diff_path(const struct ep_diff *diff, const struct ep_diff_row *row)
{
    enum ep_diff_side side = ep_diff_side_of(row);
    return ep_rows_path_copy(diff->sides[side], row->at[side]);
}

enum ep_diff_figure ep_diff_judged(const struct ep_diff *diff)
{
    switch (diff->options.by->offset) {
    case offsetof(struct eprof_row, total_ns):
        return EP_DIFF_TOTAL;
    case offsetof(struct eprof_row, self_ns):
        return EP_DIFF_SELF;
    case offsetof(struct eprof_row, mean_ns):
        return EP_DIFF_MEAN;
    default:
        return EP_DIFF_P99;
    }
}

uint64_t ep_diff_judged_ns(const struct ep_diff *diff, const struct ep_diff_row *row,
                           enum ep_diff_side side)
{
    return row->figures[side].times_ns[ep_diff_judged(diff)];
}

const char *ep_diff_verdict_word(const struct ep_diff_row *row)
{
    static const char *const words[] = {[EP_DIFF_UNKNOWN] = "",
                                        [EP_DIFF_NO_EVIDENCE] = "no evidence",
                                        [EP_DIFF_FASTER] = "faster",
                                        [EP_DIFF_SLOWER] = "slower"};
    if (!ep_diff_is_on(row, EP_DIFF_BEFORE))
        return "new";
    if (!ep_diff_is_on(row, EP_DIFF_AFTER))
        return "gone";
    return words[row->verdict];
}

const char *ep_diff_value_word(const struct ep_diff_value *value)
{
    static const char *const words[] = {[EP_DIFF_UNKNOWN] = "",
                                        [EP_DIFF_NO_EVIDENCE] = "no evidence",
                                        [EP_DIFF_FASTER] = "less",
                                        [EP_DIFF_SLOWER] = "more"};
    if (!value->at[EP_DIFF_BEFORE])
        return "new";
    return value->at[EP_DIFF_AFTER] ? words[value->verdict] : "gone";
}

const struct ep_diff_row *ep_diff_find_slower(const struct ep_diff *diff, double percent)
{
    const struct ep_diff_row *found = NULL;
    double least = 1 + percent / 100;
    for (size_t i = 0; i < diff->row_count; i++) {
        const struct ep_diff_row *row = &diff->rows[i];
        if (row->verdict != EP_DIFF_SLOWER || row->ratio.low <= least)
            continue;
        found = row;
        least = row->ratio.low;
    }
    return found;
}

/* ---- judging ---- */

static void count_judged(struct ep_diff *diff)
{
    diff->judged = 0;
    for (size_t i = 0; i < diff->row_count; i++)
        diff->judged += ep_diff_is_on_both(&diff->rows[i]);
    diff->share = diff->options.error / (double)(diff->judged ? diff->judged : 1);
    diff->needed = ep_rank_test_sum_needed(diff->share);
}

static int64_t difference_of(const struct ep_diff *diff, const struct ep_diff_row *row)
{
    uint64_t before_ns = ep_diff_judged_ns(diff, row, EP_DIFF_BEFORE);
    uint64_t after_ns = ep_diff_judged_ns(diff, row, EP_DIFF_AFTER);
    bool is_less = after_ns < before_ns;
    uint64_t distance_ns = is_less ? before_ns - after_ns : after_ns - before_ns;
    int64_t change_ns = distance_ns < INT64_MAX ? (int64_t)distance_ns : INT64_MAX;
    return is_less ? -change_ns : change_ns;
}

/* With several files it is derived from the ratio, as the verdict is: the difference of the two
 * medians may have another sign than most of the differences. */
static int64_t change_of(const struct ep_diff *diff, const struct ep_diff_row *row)
{
    double before_ns = (double)ep_diff_judged_ns(diff, row, EP_DIFF_BEFORE);
    double change_ns = before_ns * row->ratio.estimate - before_ns;
    bool is_single = diff->files[EP_DIFF_BEFORE] == 1 && diff->files[EP_DIFF_AFTER] == 1;
    if (is_single || !ep_diff_is_on_both(row) || !(change_ns < 0x1p62 && before_ns > 0))
        return difference_of(diff, row);
    return (int64_t)(change_ns + (change_ns < 0 ? -0.5 : 0.5));
}

/* The errors of estimates do not contain what differs between runs. So they can refute a change,
 * and not prove it. */
static enum ep_diff_verdict verdict_of(const struct ep_diff_row *row)
{
    const struct ep_ratio *ratio = &row->ratio;
    bool is_beyond = ratio->low > 1 || ratio->high < 1;
    if (!ratio->has_interval || (row->is_of_errors && is_beyond))
        return EP_DIFF_UNKNOWN;
    if (ratio->low > 1)
        return EP_DIFF_SLOWER;
    return ratio->high < 1 ? EP_DIFF_FASTER : EP_DIFF_NO_EVIDENCE;
}

/* ---- figures and verdicts ---- */

/* Saturated, for damaged files. */
static uint64_t rounded(double ns)
{
    return ns < 0x1p63 ? (uint64_t)(ns + 0.5) : UINT64_MAX;
}

/* The state while all rows are judged. */
struct judging {
    const struct ep_diff_samples *samples;
    double *values[EP_DIFF_SIDES]; /* room for those of all files of a side */
    struct ep_rank_sum_memo memo;
};

/* Of sorted values. One that is not known is the highest of all, 2^64. */
static bool is_known(const struct ep_diff_row *row, enum ep_diff_side side,
                     enum ep_diff_figure figure, const double *values, size_t count)
{
    bool may_lack = figure == EP_DIFF_CPU || figure == EP_DIFF_WAIT;
    return !may_lack || (ep_diff_is_on(row, side) && count && values[count - 1] < 0x1p64);
}

/* The median is used, not the mean: a single disturbed run would change the mean much, which would
 * then contradict the ratio of the same runs. */
static void find_figures(const struct ep_diff *diff, struct judging *judging, uint32_t number,
                         enum ep_diff_side side)
{
    struct ep_diff_row *row = &diff->rows[number];
    double *values = judging->values[side];
    for (enum ep_diff_figure figure = 0; figure < EP_DIFF_FIGURES; figure++) {
        size_t count = ep_diff_match_samples_values(judging->samples, number, side, figure,
                                                    diff->files[side], values);
        double median = ep_rank_test_median(values, count);
        if (figure == EP_DIFF_CALLS)
            row->figures[side].calls = median;
        else
            row->figures[side].times_ns[figure] =
                is_known(row, side, figure, values, count) ? rounded(median) : EPROF_UNKNOWN;
    }
    row->figures[side].lacks_p99 &= ep_diff_judged(diff) != EP_DIFF_P99;
}

/* There is no sample if one side does not have the region, or never timed it. */
static struct ep_ratio ratio_of(const struct ep_diff *diff, struct judging *judging,
                                uint32_t number)
{
    const struct ep_diff_row *row = &diff->rows[number];
    double *const *values = judging->values;
    size_t counts[EP_DIFF_SIDES];
    for (enum ep_diff_side side = 0; side < EP_DIFF_SIDES; side++)
        counts[side] = ep_diff_match_samples_values(
            judging->samples, number, side, ep_diff_judged(diff), diff->files[side], values[side]);
    if (ep_diff_is_on_both(row) && counts[EP_DIFF_BEFORE] && counts[EP_DIFF_AFTER])
        return ep_rank_test_ratio(values[EP_DIFF_BEFORE], counts[EP_DIFF_BEFORE],
                                  values[EP_DIFF_AFTER], counts[EP_DIFF_AFTER],
                                  ep_rank_test_sum_cut(counts[EP_DIFF_BEFORE],
                                                       counts[EP_DIFF_AFTER], diff->share,
                                                       &judging->memo));
    double before_ns = (double)ep_diff_judged_ns(diff, row, EP_DIFF_BEFORE);
    double after_ns = (double)ep_diff_judged_ns(diff, row, EP_DIFF_AFTER);
    return ep_rank_test_ratio(&before_ns, 1, &after_ns, 1, 0);
}

/* ---- the errors of estimates ---- */

/* Adds the variance of a total. False: it is an estimate with an unknown error. */
static bool add_variance(double *variance, const struct eprof_row *row)
{
    const double half = 1.96; /* as in ep_figures_finish() */
    double error_ns = (double)row->total_error_ns / half;
    *variance += error_ns * error_ns;
    return row->total_error_ns != EPROF_UNKNOWN;
}

/* A self time has the errors of its own total and of the children's. */
static bool add_variances_of_children(double *variance, const struct eprof_snapshot *snapshot,
                                      size_t row)
{
    if (row < snapshot->scope_first)
        return true;
    size_t end = ep_rows_position(snapshot, row)->end;
    for (size_t i = row + 1; i < end; i = ep_rows_position(snapshot, i)->end)
        if (!add_variance(variance, &snapshot->rows[i]))
            return false;
    return true;
}

/* The variance of the judged time over all files of a side, divided by its square. False: it is not
 * known, or it is that of a percentile. */
static bool find_variance(const struct ep_diff *diff, const struct ep_diff_row *row,
                          enum ep_diff_side side, double *variance)
{
    const struct eprof_snapshot *snapshot = diff->sides[side];
    const struct eprof_row *sum = &snapshot->rows[row->at[side]];
    bool is_self = ep_diff_judged(diff) == EP_DIFF_SELF;
    double time_ns = (double)(is_self ? sum->self_ns : sum->total_ns);
    *variance = 0;
    if (ep_diff_judged(diff) == EP_DIFF_P99 || !add_variance(variance, sum) ||
        (is_self && !add_variances_of_children(variance, snapshot, row->at[side])))
        return false;
    *variance = time_ns > 0 ? *variance / time_ns / time_ns : 0;
    return true;
}

/* The interval of a ratio contains that of the errors of both estimates. */
static void add_errors(const struct ep_diff *diff, struct ep_diff_row *row)
{
    double before, after;
    struct ep_ratio *ratio = &row->ratio;
    if (!ep_diff_is_on_both(row) || !find_variance(diff, row, EP_DIFF_BEFORE, &before) ||
        !find_variance(diff, row, EP_DIFF_AFTER, &after) || before + after <= 0)
        return;
    struct ep_ratio errors = ep_rank_test_error_ratio(ratio->estimate, before, after, diff->share);
    row->is_of_errors = !ratio->has_interval;
    if (row->is_of_errors)
        *ratio = errors;
    ratio->low = ratio->low < errors.low ? ratio->low : errors.low;
    ratio->high = ratio->high > errors.high ? ratio->high : errors.high;
}

static void judge(struct ep_diff *diff, struct judging *judging)
{
    for (uint32_t i = 0; i < diff->row_count; i++) {
        for (enum ep_diff_side side = 0; side < EP_DIFF_SIDES; side++)
            find_figures(diff, judging, i, side);
        diff->rows[i].ratio = ratio_of(diff, judging, i);
        add_errors(diff, &diff->rows[i]);
        diff->rows[i].change_ns = change_of(diff, &diff->rows[i]);
        diff->rows[i].verdict = verdict_of(&diff->rows[i]);
    }
}

/* ---- order ---- */

static bool has_evidence(const struct ep_diff_row *row)
{
    return row->verdict == EP_DIFF_FASTER || row->verdict == EP_DIFF_SLOWER;
}

static uint64_t size_of(int64_t change_ns)
{
    return change_ns < 0 ? -(uint64_t)change_ns : (uint64_t)change_ns;
}

/* A region of neither side: the counts of a damaged file may overflow to 0. */
static bool is_nowhere(const struct ep_diff_row *row)
{
    return !ep_diff_is_on(row, EP_DIFF_BEFORE) && !ep_diff_is_on(row, EP_DIFF_AFTER);
}

static bool is_within_errors(const struct ep_diff_row *row)
{
    return row->is_of_errors && row->verdict == EP_DIFF_NO_EVIDENCE;
}

/* Equal changes are in the order of their rows after, then before. */
static int by_change(const void *a, const void *b)
{
    const struct ep_diff_row *x = a, *y = b;
    uint64_t x_ns = size_of(x->change_ns), y_ns = size_of(y->change_ns);
    if (is_nowhere(x) != is_nowhere(y))
        return is_nowhere(x) ? 1 : -1;
    if (has_evidence(x) != has_evidence(y))
        return has_evidence(x) ? -1 : 1;
    if (is_within_errors(x) != is_within_errors(y))
        return is_within_errors(x) ? 1 : -1;
    if (x_ns != y_ns)
        return x_ns < y_ns ? 1 : -1;
    if (x->at[EP_DIFF_AFTER] != y->at[EP_DIFF_AFTER])
        return x->at[EP_DIFF_AFTER] < y->at[EP_DIFF_AFTER] ? -1 : 1;
    return (x->at[EP_DIFF_BEFORE] > y->at[EP_DIFF_BEFORE]) -
           (x->at[EP_DIFF_BEFORE] < y->at[EP_DIFF_BEFORE]);
}

/* Several rows of a side may be one region: row_of has the number of the region, which is replaced
 * by the new index of its row. */
static void point_at_rows(struct ep_diff *diff, enum ep_diff_side side, uint32_t *new_index)
{
    uint32_t *row_of = diff->row_of[side];
    for (uint32_t i = 0; i < diff->row_count; i++)
        if (ep_diff_is_on(&diff->rows[i], side))
            new_index[row_of[diff->rows[i].at[side]]] = i;
    for (size_t i = 0; i < diff->sides[side]->diagnostic_first; i++)
        if (row_of[i] != UINT32_MAX)
            row_of[i] = new_index[row_of[i]];
}

static int put_in_order(struct ep_diff *diff)
{
    uint32_t *new_index = malloc((diff->row_count + 1) * sizeof *new_index);
    if (!new_index)
        return -1;
    qsort(diff->rows, diff->row_count, sizeof *diff->rows, by_change);
    while (diff->row_count && is_nowhere(&diff->rows[diff->row_count - 1]))
        diff->row_count--;
    for (enum ep_diff_side side = 0; side < EP_DIFF_SIDES; side++)
        point_at_rows(diff, side, new_index);
    free(new_index);
    return 0;
}

/* The error is divided evenly among all judged regions, so that the probability that any interval
 * misses is at most that error, however they depend on each other (O. J. Dunn, "Multiple
 * Comparisons Among Means", J. Am. Stat. Assoc. 56, 1961, after C. E. Bonferroni). */
int ep_diff_judge(struct ep_diff *diff, const struct ep_diff_samples *samples)
{
    struct judging judging = {.samples = samples};
    bool has_room = true;
    for (enum ep_diff_side side = 0; side < EP_DIFF_SIDES; side++) {
        judging.values[side] = malloc((diff->files[side] + 1) * sizeof *judging.values[side]);
        has_room = has_room && judging.values[side];
    }
    count_judged(diff);
    if (has_room)
        judge(diff, &judging);
    for (enum ep_diff_side side = 0; side < EP_DIFF_SIDES; side++)
        free(judging.values[side]);
    return has_room ? put_in_order(diff) : -1;
}
