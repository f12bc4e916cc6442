/*
 * diff/values.c - the values of both sides, matched by path and judged
 *
 * What is judged is the mean of a run: by the rank test if there are several runs of each side.
 * With one run of each side, the spread of its values gives an interval, which can refute a change
 * but not prove it: values of one run depend on each other, and other runs have other means. More
 * is neither better nor worse, so the verdicts are `more` and `less`.
 */
#include "diff/values.h"

#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The part of the path that identifies the value. The excess of a frame is that of the frame, since
 * its own name has the budget ("over 16.667 ms", "over budget"). */
static size_t key_bytes(const struct eprof_row *row)
{
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): each value has a row on a side */
    const char *end = strcmp(row->unit, "ns") == 0 ? strrchr(row->path, ';') : NULL;
    return end ? (size_t)(end - row->path) : strlen(row->path);
}

static int compare(const struct eprof_row *x, const struct eprof_row *y)
{
    size_t x_bytes = key_bytes(x), y_bytes = key_bytes(y);
    int order = memcmp(x->path, y->path, x_bytes < y_bytes ? x_bytes : y_bytes);
    if (order == 0)
        order = (x_bytes > y_bytes) - (x_bytes < y_bytes);
    return order ? order : strcmp(x->unit, y->unit);
}

/* Values of one key are matched in the order of their lines. */
static int by_path(const void *a, const void *b)
{
    const struct eprof_row *const *x = a, *const *y = b;
    int order = compare(*x, *y);
    if (order == 0)
        order = ((*x)->line > (*y)->line) - ((*x)->line < (*y)->line);
    return order ? order : (*x > *y) - (*x < *y);
}

/* The values that are compared, sorted; to be freed. NULL: no memory. */
static const struct eprof_row **sorted(const struct eprof_snapshot *snapshot,
                                       const struct ep_diff_options *options, size_t *count)
{
    const struct eprof_row **rows = malloc((snapshot->value_count + 1) * sizeof(void *));
    *count = 0;
    for (size_t i = 0; rows && i < snapshot->value_count; i++)
        if (!options->filter || fnmatch(options->filter, snapshot->values[i].name, 0) == 0)
            rows[(*count)++] = &snapshot->values[i];
    if (*count)
        qsort(rows, *count, sizeof *rows, by_path);
    return rows;
}

/* ---- samples ---- */

/* The column mean_ns is a whole number. */
static double mean_of(const struct eprof_row *row)
{
    return row->calls ? (double)(int64_t)row->total_ns / (double)row->calls : 0;
}

/* `before`: so many values have the same key and unit. EP_MAP_NONE: no memory. */
static uint32_t number_of(struct ep_diff_samples *samples, const struct eprof_row *row,
                          size_t before)
{
    struct ep_wide print = ep_hash_add(ep_hash_begin(), row->path, key_bytes(row));
    print = ep_hash_add(ep_hash_add_text(print, row->unit), &before, sizeof before);
    return ep_hash_table_find(&samples->values, sizeof print, print);
}

static int number_all(struct ep_diff_samples *samples, const struct eprof_row *const *rows,
                      size_t count, uint32_t *numbers)
{
    size_t before = 0;
    for (size_t i = 0; i < count; i++) {
        before = i > 0 && compare(rows[i - 1], rows[i]) == 0 ? before + 1 : 0;
        numbers[i] = number_of(samples, rows[i], before);
        if (numbers[i] == EP_MAP_NONE)
            return -1;
    }
    return 0;
}

int ep_diff_values_add(struct ep_diff_samples *samples, const struct eprof_snapshot *snapshot,
                       const struct ep_diff_options *options)
{
    struct ep_diff_file *file = &samples->files[samples->file_count - 1];
    size_t count;
    const struct eprof_row **rows = sorted(snapshot, options, &count);
    uint32_t *numbers = malloc((count + 1) * sizeof *numbers);
    bool has_numbers = rows && numbers && number_all(samples, rows, count, numbers) == 0;
    file->value_count = (uint32_t)samples->values.count;
    if (has_numbers)
        file->values = calloc(samples->values.count + 1, sizeof *file->values);
    for (size_t i = 0; has_numbers && file->values && i < count; i++)
        /* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.ArraySubscript): number_all() set it */
        file->values[numbers[i]] = (struct ep_diff_value_sample){mean_of(rows[i]), true};
    free(rows);
    free(numbers);
    return file->values ? 0 : -1;
}

/* Collects the means of all files of a side that have the value; `means` has room. */
static size_t collect(const struct ep_diff_samples *samples, uint32_t number,
                      enum ep_diff_side side, double *means)
{
    size_t count = 0;
    for (size_t i = 0; i < samples->file_count; i++) {
        const struct ep_diff_file *file = &samples->files[i];
        if (file->side == side && number < file->value_count && file->values[number].is_there)
            means[count++] = file->values[number].mean;
    }
    return count;
}

/* ---- verdicts ---- */

struct judging {
    const struct ep_diff *diff;
    const struct ep_diff_samples *samples;
    double *means[EP_DIFF_SIDES]; /* room for those of all files of a side */
    struct ep_rank_sum_memo memo;
};

static bool has_negative(const double *means, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (means[i] < 0)
            return true;
    return false;
}

static double variance_of_mean(const struct eprof_row *row)
{
    return (double)row->stddev_ns * (double)row->stddev_ns / (double)row->calls;
}

/* The interval of one run each. */
static void add_errors(struct ep_diff_value *value, double before, double after, double error)
{
    double deviations = ep_rank_test_deviations(error), change = after - before;
    double variances[EP_DIFF_SIDES];
    for (enum ep_diff_side side = 0; side < EP_DIFF_SIDES; side++)
        variances[side] = variance_of_mean(value->at[side]);
    double variance = variances[EP_DIFF_BEFORE] + variances[EP_DIFF_AFTER];
    value->is_of_errors = true;
    if (change * change <= deviations * deviations * variance)
        value->verdict = EP_DIFF_NO_EVIDENCE;
    if (!value->is_difference && before > 0 && after > 0)
        value->ratio =
            ep_rank_test_error_ratio(after / before, variances[EP_DIFF_BEFORE] / before / before,
                                     variances[EP_DIFF_AFTER] / after / after, error);
}

static enum ep_diff_verdict verdict_of(const struct ep_diff_value *value)
{
    const double same = value->is_difference ? 0 : 1;
    if (!value->ratio.has_interval)
        return EP_DIFF_UNKNOWN;
    if (value->ratio.low > same)
        return EP_DIFF_SLOWER;
    return value->ratio.high < same ? EP_DIFF_FASTER : EP_DIFF_NO_EVIDENCE;
}

static void judge(struct ep_diff_value *value, uint32_t number, struct judging *judging)
{
    const struct ep_diff *diff = judging->diff;
    double *before = judging->means[EP_DIFF_BEFORE], *after = judging->means[EP_DIFF_AFTER];
    size_t before_count = collect(judging->samples, number, EP_DIFF_BEFORE, before);
    size_t after_count = collect(judging->samples, number, EP_DIFF_AFTER, after);
    size_t cut = ep_rank_test_sum_cut(before_count, after_count, diff->value_share, &judging->memo);
    if (!before_count || !after_count)
        return; /* of a damaged file */
    value->is_difference = has_negative(before, before_count) || has_negative(after, after_count);
    value->ratio = value->is_difference
                       ? ep_rank_test_difference(before, before_count, after, after_count, cut)
                       : ep_rank_test_ratio(before, before_count, after, after_count, cut);
    value->verdict = verdict_of(value);
    double middle = ep_rank_test_median(before, before_count);
    if (value->is_difference)
        value->change = value->ratio.estimate;
    else if (middle > 0 && isfinite(value->ratio.estimate))
        value->change = middle * (value->ratio.estimate - 1);
    else
        value->change = ep_rank_test_median(after, after_count) - middle;
    if (diff->files[EP_DIFF_BEFORE] == 1 && diff->files[EP_DIFF_AFTER] == 1)
        add_errors(value, before[0], after[0], diff->value_share);
}

/* On both sides, and comparable. */
static bool is_judged(const struct ep_diff_value *value)
{
    return value->at[EP_DIFF_BEFORE] && value->at[EP_DIFF_AFTER] && !value->is_of_budgets;
}

static const struct eprof_row *row_of(const struct ep_diff_value *value)
{
    return value->at[EP_DIFF_AFTER] ? value->at[EP_DIFF_AFTER] : value->at[EP_DIFF_BEFORE];
}

static int judge_all(struct ep_diff *diff, struct ep_diff_samples *samples)
{
    struct judging judging = {.diff = diff, .samples = samples};
    size_t same = 0; /* values before that have the same key and unit */
    int result = 0;
    for (enum ep_diff_side side = 0; side < EP_DIFF_SIDES; side++) {
        judging.means[side] = malloc((diff->files[side] + 1) * sizeof *judging.means[side]);
        result = judging.means[side] ? result : -1;
    }
    for (size_t i = 0; i < diff->value_count; i++)
        diff->values_judged += is_judged(&diff->values[i]);
    diff->value_share =
        diff->options.error / (double)(diff->values_judged ? diff->values_judged : 1);
    for (size_t i = 0; i < diff->value_count && result == 0; i++) {
        struct ep_diff_value *value = &diff->values[i];
        const struct eprof_row *row = row_of(value);
        const struct ep_diff_value *last = i > 0 ? &value[-1] : NULL;
        bool is_same = last && compare(row, row_of(last)) == 0;
        same = is_same ? same + 1 : 0;
        if (!is_judged(value))
            continue;
        uint32_t number = number_of(samples, row, same);
        if (number == EP_MAP_NONE)
            result = -1;
        else
            judge(value, number, &judging);
    }
    for (enum ep_diff_side side = 0; side < EP_DIFF_SIDES; side++)
        free(judging.means[side]);
    return result;
}

/* ---- the values of both sides ---- */

/* NOLINTBEGIN(clang-analyzer-core.CallAndMessage, clang-analyzer-core.uninitialized.Assign):
 * sorted() has set as many as it counted */
/* Both lists are sorted. */
static void pair_up(struct ep_diff *diff, const struct eprof_row *const *const rows[EP_DIFF_SIDES],
                    const size_t counts[EP_DIFF_SIDES])
{
    size_t before = 0, after = 0;
    while (before < counts[EP_DIFF_BEFORE] || after < counts[EP_DIFF_AFTER]) {
        struct ep_diff_value *value = &diff->values[diff->value_count++];
        bool has_before = before < counts[EP_DIFF_BEFORE],
             has_after = after < counts[EP_DIFF_AFTER];
        int order = has_before && has_after
                        ? compare(rows[EP_DIFF_BEFORE][before], rows[EP_DIFF_AFTER][after])
                        : has_after - has_before;
        if (order <= 0)
            value->at[EP_DIFF_BEFORE] = rows[EP_DIFF_BEFORE][before++];
        if (order >= 0)
            value->at[EP_DIFF_AFTER] = rows[EP_DIFF_AFTER][after++];
        value->is_of_budgets = order == 0 && strcmp(value->at[EP_DIFF_BEFORE]->name,
                                                    value->at[EP_DIFF_AFTER]->name) != 0;
    }
}
/* NOLINTEND(clang-analyzer-core.CallAndMessage, clang-analyzer-core.uninitialized.Assign) */

/* ---- order ---- */

static bool has_evidence(const struct ep_diff_value *value)
{
    return value->verdict == EP_DIFF_FASTER || value->verdict == EP_DIFF_SLOWER;
}

static bool is_within_spread(const struct ep_diff_value *value)
{
    return value->is_of_errors && value->verdict == EP_DIFF_NO_EVIDENCE;
}

/* The change in relation to the mean before. A factor of 1/2 is as large as one of 2. Of a value
 * of one side only it is infinite, and of other budgets. */
static double size_of_change(const struct ep_diff_value *value)
{
    double ratio = value->ratio.estimate;
    if (!is_judged(value))
        return INFINITY;
    if (!value->is_difference && ratio > 0 && isfinite(ratio))
        return ratio < 1 ? 1 / ratio - 1 : ratio - 1;
    double before = fabs(mean_of(value->at[EP_DIFF_BEFORE]));
    if (value->change == 0)
        return 0;
    return before > 0 ? fabs(value->change) / before : INFINITY;
}

/* The same as regions. */
static int by_change(const void *a, const void *b)
{
    const struct ep_diff_value *x = a, *y = b;
    double x_size = size_of_change(x), y_size = size_of_change(y);
    if (has_evidence(x) != has_evidence(y))
        return has_evidence(x) ? -1 : 1;
    if (is_within_spread(x) != is_within_spread(y))
        return is_within_spread(x) ? 1 : -1;
    if (x_size != y_size)
        return x_size < y_size ? 1 : -1;
    const struct eprof_row *x_row = row_of(x), *y_row = row_of(y);
    return by_path(&x_row, &y_row);
}

int ep_diff_values_match(struct ep_diff *diff, struct ep_diff_samples *samples)
{
    size_t counts[EP_DIFF_SIDES];
    const struct eprof_row **rows[EP_DIFF_SIDES];
    for (enum ep_diff_side side = 0; side < EP_DIFF_SIDES; side++)
        rows[side] = sorted(diff->sides[side], &diff->options, &counts[side]);
    bool has_rows = rows[EP_DIFF_BEFORE] && rows[EP_DIFF_AFTER];
    if (has_rows)
        diff->values =
            calloc(counts[EP_DIFF_BEFORE] + counts[EP_DIFF_AFTER] + 1, sizeof *diff->values);
    if (has_rows && diff->values)
        pair_up(diff,
                (const struct eprof_row *const *const[]){rows[EP_DIFF_BEFORE], rows[EP_DIFF_AFTER]},
                counts);
    free(rows[EP_DIFF_BEFORE]);
    free(rows[EP_DIFF_AFTER]);
    if (!diff->values || judge_all(diff, samples) != 0)
        return -1;
    if (diff->value_count)
        qsort(diff->values, diff->value_count, sizeof *diff->values, by_change);
    return 0;
}
