#include "diff/match.h"

#include <fnmatch.h>
#include <stdlib.h>

#include "base/compiler.h"
#include "base/memory.h"
#include "diff/values.h"
#include "snapshot/series.h"

/* ---- the samples of one file ---- */

/* The number of the region of a series. EP_MAP_NONE and ENOMEM. */
static uint32_t find_region(struct ep_diff_samples *samples, const struct ep_series *series)
{
    return ep_hash_table_find(&samples->regions, sizeof series->print, series->print);
}

static struct ep_diff_sample sample_of(const struct eprof_row *row, const struct ep_series *series)
{
    return (struct ep_diff_sample){.figure = {[EP_DIFF_TOTAL] = series->sum[EP_SERIES_TOTAL],
                                              [EP_DIFF_SELF] = series->sum[EP_SERIES_SELF],
                                              [EP_DIFF_MEAN] = row->mean_ns,
                                              [EP_DIFF_P99] = row->p99_ns,
                                              [EP_DIFF_CPU] = series->sum[EP_SERIES_CPU],
                                              [EP_DIFF_WAIT] = series->sum[EP_SERIES_WAIT],
                                              [EP_DIFF_CALLS] = series->sum[EP_SERIES_CALLS]},
                                   .is_there = true,
                                   .is_timed = row->timed > 0};
}

/* The series of a row; NULL: the row is not compared, because of the filter. */
static const struct ep_series *compared(const struct ep_series *series, const struct eprof_row *row,
                                        const struct ep_diff_options *options)
{
    bool is_asked_for = !options->filter || fnmatch(options->filter, row->name, 0) == 0;
    return is_asked_for ? series : NULL;
}

static struct ep_diff_file *add_file(struct ep_diff_samples *samples)
{
    struct ep_diff_file *grown =
        ep_memory_room(samples->files, samples->file_count, &samples->file_room, sizeof *grown);
    if (!grown)
        return NULL;
    samples->files = grown;
    grown[samples->file_count] = (struct ep_diff_file){.at = NULL};
    return &grown[samples->file_count++];
}

/* Finds all regions first, since their number is the size of the array. */
static int put_all(struct ep_diff_samples *samples, enum ep_diff_side side,
                   const struct ep_series_set *set, const struct eprof_snapshot *snapshot,
                   const struct ep_diff_options *options)
{
    const struct ep_series *series;
    for (size_t i = 0; i < snapshot->diagnostic_first; i++)
        if ((series = compared(ep_series_begun_by(set, i), &snapshot->rows[i], options)) &&
            find_region(samples, series) == EP_MAP_NONE)
            return -1;
    struct ep_diff_file *file = add_file(samples);
    if (!file)
        return -1;
    file->side = side;
    file->at = calloc(samples->regions.count + 1, sizeof *file->at);
    if (!file->at)
        return -1;
    file->count = (uint32_t)samples->regions.count;
    for (size_t i = 0; i < snapshot->diagnostic_first; i++)
        if ((series = compared(ep_series_begun_by(set, i), &snapshot->rows[i], options)))
            file->at[find_region(samples, series)] = sample_of(&snapshot->rows[i], series);
    return 0;
}

int ep_diff_match_samples_add(struct ep_diff_samples *samples, enum ep_diff_side side,
                              const struct eprof_snapshot *snapshot,
                              const struct ep_diff_options *options)
{
    struct ep_series_set set;
    if (ep_series_find(&set, snapshot) != 0)
        return -1;
    int result = put_all(samples, side, &set, snapshot, options);
    if (result == 0)
        result = ep_diff_values_add(samples, snapshot, options);
    ep_series_free(&set);
    return result;
}

/* ---- all samples of a region ---- */

size_t ep_diff_match_samples_values(const struct ep_diff_samples *samples, uint32_t number,
                                    enum ep_diff_side side, enum ep_diff_figure figure,
                                    size_t files, double *values)
{
    bool is_of_calls = figure == EP_DIFF_MEAN || figure == EP_DIFF_P99;
    size_t count = 0;
    for (size_t i = 0; i < samples->file_count; i++) {
        const struct ep_diff_file *file = &samples->files[i];
        if (file->side != side || number >= file->count || !file->at[number].is_there)
            continue;
        if (file->at[number].is_timed || !is_of_calls)
            values[count++] = (double)file->at[number].figure[figure];
    }
    while (count < files && !is_of_calls)
        values[count++] = 0;
    return count;
}

void ep_diff_match_samples_free(struct ep_diff_samples *samples)
{
    for (size_t i = 0; i < samples->file_count; i++)
        free(samples->files[i].at);
    for (size_t i = 0; i < samples->file_count; i++)
        free(samples->files[i].values);
    free(samples->files);
    ep_hash_table_free(&samples->regions);
    ep_hash_table_free(&samples->values);
}

/* ---- the rows of both sides ---- */

EP_ANALYZER_KEPT_BEGIN /* in diff->row_of */
/* Sets the region of each row. */
static int number_side(struct ep_diff *diff, enum ep_diff_side side,
                       struct ep_diff_samples *samples)
{
    const struct eprof_snapshot *snapshot = diff->sides[side];
    uint32_t *numbers = malloc((snapshot->diagnostic_first + 1) * sizeof *numbers);
    struct ep_series_set set;
    diff->row_of[side] = numbers;
    if (!numbers || ep_series_find(&set, snapshot) != 0)
        return -1;
    int result = 0;
    for (size_t i = 0; i < snapshot->diagnostic_first && result == 0; i++) {
        const struct ep_series *series =
            compared(ep_series_of(&set, i), &snapshot->rows[i], &diff->options);
        numbers[i] = series ? find_region(samples, series) : EP_MAP_NONE;
        result = series && numbers[i] == EP_MAP_NONE ? -1 : 0;
    }
    ep_series_free(&set);
    return result;
}
EP_ANALYZER_KEPT_END

static void fill_rows(struct ep_diff *diff, enum ep_diff_side side)
{
    const struct eprof_snapshot *snapshot = diff->sides[side];
    for (size_t i = 0; i < diff->row_count; i++)
        diff->rows[i].at[side] = SIZE_MAX;
    for (size_t i = 0; i < snapshot->diagnostic_first; i++) {
        /* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign): number_side() has set it */
        uint32_t number = diff->row_of[side][i];
        if (number == EP_MAP_NONE || ep_diff_is_on(&diff->rows[number], side))
            continue;
        diff->rows[number].at[side] = i;
        struct ep_diff_row *row = &diff->rows[number];
        struct ep_site_mark mark = i < snapshot->scope_first ? ep_rows_instance_mark(snapshot)
                                                             : ep_rows_position(snapshot, i)->mark;
        row->figures[side].is_estimate = snapshot->rows[i].estimated;
        row->figures[side].is_corrected = mark.is_corrected;
        row->figures[side].lacks_p99 =
            snapshot->rows[i].timed < EP_COLUMNS_P99_LEAST_TIMED * (uint64_t)diff->files[side];
        row->is_self_rest[side] = mark.is_self_rest;
    }
}

int ep_diff_match(struct ep_diff *diff, struct ep_diff_samples *samples)
{
    for (enum ep_diff_side side = 0; side < EP_DIFF_SIDES; side++)
        if (number_side(diff, side, samples) != 0)
            return -1;
    diff->row_count = samples->regions.count;
    diff->rows = calloc(diff->row_count + 1, sizeof *diff->rows);
    if (!diff->rows)
        return -1;
    for (enum ep_diff_side side = 0; side < EP_DIFF_SIDES; side++)
        fill_rows(diff, side);
    return 0;
}
