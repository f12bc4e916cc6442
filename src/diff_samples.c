#include "diff_samples.h"

#include <fnmatch.h>
#include <stdlib.h>

#include "array.h"

bool ep_diff_samples_asks_for(const struct ep_diff_options *options, const struct eprof_row *row)
{
    return !options->filter || fnmatch(options->filter, row->name, 0) == 0;
}

static struct ep_diff_region *region_at(const struct ep_diff_samples *samples, uint32_t number)
{
    return (struct ep_diff_region *)samples->regions.rows + number;
}

uint32_t ep_diff_samples_find(struct ep_diff_samples *samples, const struct ep_series *series)
{
    return ep_fingerprint_table_find(&samples->regions, sizeof(struct ep_diff_region),
                                     series->print);
}

/* ---- what a file says ---- */

static struct ep_diff_sample sample_of(const struct eprof_row *row, const struct ep_series *series)
{
    return (struct ep_diff_sample){.figure = {[EP_DIFF_CALLS] = series->sum[EP_SERIES_CALLS],
                                              [EP_DIFF_TOTAL] = series->sum[EP_SERIES_TOTAL],
                                              [EP_DIFF_SELF] = series->sum[EP_SERIES_SELF],
                                              [EP_DIFF_MEAN] = row->mean_ns,
                                              [EP_DIFF_P99] = row->p99_ns},
                                   .is_timed = row->timed > 0};
}

static int put(struct ep_diff_samples *samples, enum ep_diff_side side, const struct eprof_row *row,
               const struct ep_series *series)
{
    uint32_t number = ep_diff_samples_find(samples, series);
    if (number == EP_MAP_NONE)
        return -1;
    struct ep_diff_side_samples *of = &region_at(samples, number)->of[side];
    struct ep_diff_sample *at = ep_array_room(of->at, of->count, &of->room, sizeof *at);
    if (!at)
        return -1;
    of->at = at;
    of->at[of->count++] = sample_of(row, series);
    return 0;
}

int ep_diff_samples_add(struct ep_diff_samples *samples, enum ep_diff_side side,
                        const struct eprof_snapshot *snapshot,
                        const struct ep_diff_options *options)
{
    struct ep_series_set set;
    int result = ep_series_find(&set, snapshot);
    if (result != 0)
        return -1;
    for (size_t i = 0; i < snapshot->trouble_first && result == 0; i++) {
        const struct ep_series *series = ep_series_begun_by(&set, i);
        if (series && ep_diff_samples_asks_for(options, &snapshot->rows[i]))
            result = put(samples, side, &snapshot->rows[i], series);
    }
    ep_series_free(&set);
    return result;
}

/* ---- what they all say ---- */

size_t ep_diff_samples_values(const struct ep_diff_samples *samples, uint32_t number,
                              enum ep_diff_side side, enum ep_diff_figure figure, size_t files,
                              double *values)
{
    const struct ep_diff_side_samples *of = &region_at(samples, number)->of[side];
    bool is_of_calls = figure == EP_DIFF_MEAN || figure == EP_DIFF_P99;
    size_t count = 0;
    for (size_t i = 0; i < of->count; i++)
        if (of->at[i].is_timed || !is_of_calls)
            values[count++] = (double)of->at[i].figure[figure];
    while (count < files && !is_of_calls)
        values[count++] = 0;
    return count;
}

void ep_diff_samples_free(struct ep_diff_samples *samples)
{
    for (uint32_t i = 0; i < samples->regions.count; i++)
        for (int side = 0; side < EP_DIFF_SIDES; side++)
            free(region_at(samples, i)->of[side].at);
    ep_fingerprint_table_free(&samples->regions);
}
