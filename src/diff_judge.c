#include "diff_judge.h"

#include <stdlib.h>

#include "diff_figures.h"
#include "rank_sum.h"

static bool is_on_both(const struct ep_diff_row *row)
{
    return row->at[EP_DIFF_BEFORE] != SIZE_MAX && row->at[EP_DIFF_AFTER] != SIZE_MAX;
}

static void count_judged(struct ep_diff *diff)
{
    diff->judged = 0;
    for (size_t i = 0; i < diff->row_count; i++)
        diff->judged += is_on_both(&diff->rows[i]);
    diff->share = diff->options.error / (double)(diff->judged ? diff->judged : 1);
    diff->needed = ep_rank_sum_needed(diff->share);
}

/* ---- each row ---- */

/* After less before, as files say that are the only ones of their side. */
static int64_t difference_of(const struct ep_diff *diff, const struct ep_diff_row *row)
{
    uint64_t before_ns = ep_diff_judged_ns(diff, row, EP_DIFF_BEFORE);
    uint64_t after_ns = ep_diff_judged_ns(diff, row, EP_DIFF_AFTER);
    bool is_less = after_ns < before_ns;
    uint64_t distance_ns = is_less ? before_ns - after_ns : after_ns - before_ns;
    int64_t change_ns = distance_ns < INT64_MAX ? (int64_t)distance_ns : INT64_MAX;
    return is_less ? -change_ns : change_ns;
}

/* Of several files it goes by the ratio, and with the verdict: the difference of two medians may
 * have another sign than most of the differences. */
static int64_t change_of(const struct ep_diff *diff, const struct ep_diff_row *row)
{
    double before_ns = (double)ep_diff_judged_ns(diff, row, EP_DIFF_BEFORE);
    double change_ns = before_ns * row->ratio.estimate - before_ns;
    bool is_single = diff->files[EP_DIFF_BEFORE] == 1 && diff->files[EP_DIFF_AFTER] == 1;
    if (is_single || !is_on_both(row) || !(change_ns < 0x1p62 && before_ns > 0))
        return difference_of(diff, row);
    return (int64_t)(change_ns + (change_ns < 0 ? -0.5 : 0.5));
}

static enum ep_diff_verdict verdict_of(const struct ep_ratio *ratio)
{
    if (!ratio->has_interval)
        return EP_DIFF_UNKNOWN;
    if (ratio->low > 1)
        return EP_DIFF_SLOWER;
    return ratio->high < 1 ? EP_DIFF_FASTER : EP_DIFF_NO_EVIDENCE;
}

/* What is judged for all rows alike. */
struct judging {
    const struct ep_diff_samples *samples;
    enum ep_diff_figure figure;
    struct ep_diff_room room;
    struct ep_rank_sum_memo memo;
};

static void find_figures(const struct ep_diff *diff, struct judging *judging, uint32_t number)
{
    struct ep_diff_row *row = &diff->rows[number];
    for (int side = 0; side < EP_DIFF_SIDES; side++) {
        bool is_estimate = row->figures[side].is_estimate;
        row->figures[side] = ep_diff_figures_of(judging->samples, number, (enum ep_diff_side)side,
                                                diff->files[side], judging->room.values[side]);
        row->figures[side].is_estimate = is_estimate;
    }
}

/* Of what one side has not, and of what was never timed there, there is no sample. */
static struct ep_ratio ratio_of(const struct ep_diff *diff, struct judging *judging,
                                uint32_t number)
{
    const struct ep_diff_row *row = &diff->rows[number];
    double **values = judging->room.values;
    size_t counts[EP_DIFF_SIDES];
    for (int side = 0; side < EP_DIFF_SIDES; side++)
        counts[side] = ep_diff_samples_values(judging->samples, number, (enum ep_diff_side)side,
                                              judging->figure, diff->files[side], values[side]);
    if (is_on_both(row) && counts[EP_DIFF_BEFORE] && counts[EP_DIFF_AFTER])
        return ep_ratio_of(values[EP_DIFF_BEFORE], counts[EP_DIFF_BEFORE], values[EP_DIFF_AFTER],
                           counts[EP_DIFF_AFTER],
                           ep_rank_sum_cut(counts[EP_DIFF_BEFORE], counts[EP_DIFF_AFTER],
                                           diff->share, &judging->memo));
    double before_ns = (double)ep_diff_judged_ns(diff, row, EP_DIFF_BEFORE);
    double after_ns = (double)ep_diff_judged_ns(diff, row, EP_DIFF_AFTER);
    return ep_ratio_of(&before_ns, 1, &after_ns, 1, 0);
}

static void judge(struct ep_diff *diff, struct judging *judging)
{
    for (uint32_t i = 0; i < diff->row_count; i++) {
        find_figures(diff, judging, i);
        diff->rows[i].ratio = ratio_of(diff, judging, i);
        diff->rows[i].change_ns = change_of(diff, &diff->rows[i]);
        diff->rows[i].verdict = verdict_of(&diff->rows[i].ratio);
    }
}

/* ---- their order ---- */

static bool has_evidence(const struct ep_diff_row *row)
{
    return row->verdict == EP_DIFF_FASTER || row->verdict == EP_DIFF_SLOWER;
}

static uint64_t size_of(int64_t change_ns)
{
    return change_ns < 0 ? -(uint64_t)change_ns : (uint64_t)change_ns;
}

/* Calls without number, in a damaged file, may add up to none. */
static bool is_nowhere(const struct ep_diff_row *row)
{
    return row->at[EP_DIFF_BEFORE] == SIZE_MAX && row->at[EP_DIFF_AFTER] == SIZE_MAX;
}

/* Of equals first what stands first in what is now, then in what was. */
static int as_it_is_told(const void *a, const void *b)
{
    const struct ep_diff_row *x = a, *y = b;
    uint64_t x_ns = size_of(x->change_ns), y_ns = size_of(y->change_ns);
    if (is_nowhere(x) != is_nowhere(y))
        return is_nowhere(x) ? 1 : -1;
    if (has_evidence(x) != has_evidence(y))
        return has_evidence(x) ? -1 : 1;
    if (x_ns != y_ns)
        return x_ns < y_ns ? 1 : -1;
    if (x->at[EP_DIFF_AFTER] != y->at[EP_DIFF_AFTER])
        return x->at[EP_DIFF_AFTER] < y->at[EP_DIFF_AFTER] ? -1 : 1;
    return (x->at[EP_DIFF_BEFORE] > y->at[EP_DIFF_BEFORE]) -
           (x->at[EP_DIFF_BEFORE] < y->at[EP_DIFF_BEFORE]);
}

/* Several rows of a side may be one region: each knows where it has gone by the first of them. */
static void point_at_rows(struct ep_diff *diff, enum ep_diff_side side, uint32_t *place_of)
{
    uint32_t *row_of = diff->row_of[side];
    for (uint32_t i = 0; i < diff->row_count; i++)
        if (diff->rows[i].at[side] != SIZE_MAX)
            place_of[row_of[diff->rows[i].at[side]]] = i;
    for (size_t i = 0; i < diff->sides[side]->trouble_first; i++)
        if (row_of[i] != UINT32_MAX)
            row_of[i] = place_of[row_of[i]];
}

static int put_in_order(struct ep_diff *diff)
{
    uint32_t *place_of = malloc((diff->row_count + 1) * sizeof *place_of);
    if (!place_of)
        return -1;
    qsort(diff->rows, diff->row_count, sizeof *diff->rows, as_it_is_told);
    while (diff->row_count && is_nowhere(&diff->rows[diff->row_count - 1]))
        diff->row_count--;
    for (int side = 0; side < EP_DIFF_SIDES; side++)
        point_at_rows(diff, (enum ep_diff_side)side, place_of);
    free(place_of);
    return 0;
}

int ep_diff_judge(struct ep_diff *diff, const struct ep_diff_samples *samples)
{
    struct judging judging = {.samples = samples, .figure = ep_diff_figures_find(diff->options.by)};
    int result = ep_diff_room_make(&judging.room, diff);
    count_judged(diff);
    if (result == 0)
        judge(diff, &judging);
    ep_diff_room_free(&judging.room);
    return result == 0 ? put_in_order(diff) : -1;
}
