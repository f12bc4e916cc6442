#include "diff.h"

#include <stdlib.h>

#include "rank_sum.h"
#include "snapshot_path.h"

void ep_diff_free(struct ep_diff *diff)
{
    if (!diff)
        return;
    for (int side = 0; side < EP_DIFF_SIDES; side++) {
        ep_snapshot_free(diff->sides[side]);
        free(diff->row_of[side]);
    }
    free(diff->rows);
    free(diff);
}

bool ep_diff_has_verdicts(const struct ep_diff *diff)
{
    return ep_rank_sum_cut(diff->files[EP_DIFF_BEFORE], diff->files[EP_DIFF_AFTER], diff->share,
                           NULL) > 0;
}

enum ep_diff_side ep_diff_side_of(const struct ep_diff_row *row)
{
    return row->at[EP_DIFF_AFTER] != SIZE_MAX ? EP_DIFF_AFTER : EP_DIFF_BEFORE;
}

const struct eprof_row *ep_diff_row_of(const struct ep_diff *diff, const struct ep_diff_row *row)
{
    enum ep_diff_side side = ep_diff_side_of(row);
    return &diff->sides[side]->rows[row->at[side]];
}

char *ep_diff_path(const struct ep_diff *diff, const struct ep_diff_row *row)
{
    enum ep_diff_side side = ep_diff_side_of(row);
    return ep_snapshot_path_copy(diff->sides[side], row->at[side]);
}

uint64_t ep_diff_judged_ns(const struct ep_diff *diff, const struct ep_diff_row *row,
                           enum ep_diff_side side)
{
    const struct ep_diff_figures *figures = &row->figures[side];
    switch (diff->options.by->offset) {
    case offsetof(struct eprof_row, total_ns):
        return figures->total_ns;
    case offsetof(struct eprof_row, self_ns):
        return figures->self_ns;
    case offsetof(struct eprof_row, mean_ns):
        return figures->mean_ns;
    default:
        return figures->p99_ns;
    }
}

const char *ep_diff_verdict_word(const struct ep_diff_row *row)
{
    static const char *const words[] = {[EP_DIFF_UNKNOWN] = "",
                                        [EP_DIFF_NO_EVIDENCE] = "no evidence",
                                        [EP_DIFF_FASTER] = "faster",
                                        [EP_DIFF_SLOWER] = "slower"};
    if (row->at[EP_DIFF_BEFORE] == SIZE_MAX)
        return "new";
    if (row->at[EP_DIFF_AFTER] == SIZE_MAX)
        return "gone";
    return words[row->verdict];
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
