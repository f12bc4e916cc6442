#include "diff_match.h"

#include <stdlib.h>

#include "analyzer.h"

/* The rows of one side, and which are one region. */
struct matching {
    const struct eprof_snapshot *snapshot;
    struct ep_series_set series;
};

static bool is_estimate(const struct eprof_snapshot *snapshot, size_t row)
{
    return row >= snapshot->scope_first &&
           snapshot->places[row - snapshot->scope_first].mark.is_thinned;
}

EP_ANALYZER_KEPT_BEGIN /* in diff->row_of */
/* Which region each row is. */
static int number_rows(uint32_t **numbers, struct matching *side, struct ep_diff_samples *samples,
                       const struct ep_diff_options *options)
{
    const struct eprof_snapshot *snapshot = side->snapshot;
    *numbers = malloc((snapshot->trouble_first + 1) * sizeof **numbers);
    if (!*numbers)
        return -1;
    for (size_t i = 0; i < snapshot->trouble_first; i++) {
        const struct ep_series *series = ep_series_of(&side->series, i);
        bool is_asked_for = series && ep_diff_samples_asks_for(options, &snapshot->rows[i]);
        (*numbers)[i] = EP_MAP_NONE;
        if (!is_asked_for)
            continue;
        (*numbers)[i] = ep_diff_samples_find(samples, series);
        if ((*numbers)[i] == EP_MAP_NONE)
            return -1;
    }
    return 0;
}
EP_ANALYZER_KEPT_END

static int make_rows(struct ep_diff *diff, size_t count)
{
    diff->rows = calloc(count + 1, sizeof *diff->rows);
    if (!diff->rows)
        return -1;
    diff->row_count = count;
    for (size_t i = 0; i < count; i++)
        for (int side = 0; side < EP_DIFF_SIDES; side++)
            diff->rows[i].at[side] = SIZE_MAX;
    return 0;
}

static void fill_rows(struct ep_diff *diff, enum ep_diff_side side, const struct matching *from)
{
    for (size_t i = 0; i < from->snapshot->trouble_first; i++) {
        /* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign): number_rows() has set it */
        uint32_t number = diff->row_of[side][i];
        if (number == EP_MAP_NONE || diff->rows[number].at[side] != SIZE_MAX)
            continue;
        diff->rows[number].at[side] = i;
        diff->rows[number].figures[side].is_estimate = is_estimate(from->snapshot, i);
    }
}

int ep_diff_match(struct ep_diff *diff, struct ep_diff_samples *samples)
{
    struct matching from[EP_DIFF_SIDES] = {{.snapshot = NULL}};
    int result = 0;
    for (int side = 0; side < EP_DIFF_SIDES && result == 0; side++) {
        from[side].snapshot = diff->sides[side];
        result = ep_series_find(&from[side].series, diff->sides[side]);
        if (result == 0)
            result = number_rows(&diff->row_of[side], &from[side], samples, &diff->options);
    }
    if (result == 0)
        result = make_rows(diff, samples->regions.count);
    for (int side = 0; side < EP_DIFF_SIDES; side++) {
        if (result == 0)
            fill_rows(diff, (enum ep_diff_side)side, &from[side]);
        ep_series_free(&from[side].series);
    }
    return result;
}
