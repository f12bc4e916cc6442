#include "diff_figures.h"

#include <stddef.h>
#include <stdlib.h>

#include "sample.h"

int ep_diff_room_make(struct ep_diff_room *room, const struct ep_diff *diff)
{
    int result = 0;
    for (int side = 0; side < EP_DIFF_SIDES; side++) {
        room->values[side] = malloc((diff->files[side] + 1) * sizeof *room->values[side]);
        if (!room->values[side])
            result = -1;
    }
    return result;
}

void ep_diff_room_free(struct ep_diff_room *room)
{
    for (int side = 0; side < EP_DIFF_SIDES; side++)
        free(room->values[side]);
}

/* Of a damaged file as large as there are numbers. */
static uint64_t rounded(double ns)
{
    return ns < 0x1p63 ? (uint64_t)(ns + 0.5) : UINT64_MAX;
}

struct ep_diff_figures ep_diff_figures_of(const struct ep_diff_samples *samples, uint32_t number,
                                          enum ep_diff_side side, size_t files, double *values)
{
    double median[EP_DIFF_FIGURES];
    for (int figure = 0; figure < EP_DIFF_FIGURES; figure++)
        median[figure] = ep_sample_median(
            values, ep_diff_samples_values(samples, number, side, (enum ep_diff_figure)figure,
                                           files, values));
    return (struct ep_diff_figures){.calls = median[EP_DIFF_CALLS],
                                    .total_ns = rounded(median[EP_DIFF_TOTAL]),
                                    .self_ns = rounded(median[EP_DIFF_SELF]),
                                    .mean_ns = rounded(median[EP_DIFF_MEAN]),
                                    .p99_ns = rounded(median[EP_DIFF_P99])};
}

enum ep_diff_figure ep_diff_figures_find(const struct ep_field *by)
{
    switch (by->offset) {
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
