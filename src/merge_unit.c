#include "merge_unit.h"

#include "merge_squares.h"

void ep_merge_unit_convert(const struct ep_merge_unit *unit, struct ep_figures *figures)
{
    if (!unit->is_ns)
        return;
    struct ep_wide around_mean = ep_merge_squares_around_mean(figures, unit->scale);
    figures->total_ticks = ep_merge_unit_of(unit, figures->total_ticks);
    if (figures->min_ticks != UINT64_MAX)
        figures->min_ticks = ep_merge_unit_of(unit, figures->min_ticks);
    figures->max_ticks = ep_merge_unit_of(unit, figures->max_ticks);
    ep_merge_squares_set(figures, around_mean);
}
