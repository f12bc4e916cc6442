#include "merge_probe.h"

/* In the order of the rests in cell.h. */
static uint64_t *cost_in(struct ep_probe_cell *cell, unsigned which)
{
    uint64_t *const costs[EP_PROBE_COSTS] = {
        &cell->inside_milliticks, &cell->pair_milliticks, &cell->scope_inside_milliticks,
        &cell->scope_pair_milliticks, &cell->nested_pair_milliticks};
    return costs[which];
}

static bool is_of_scopes(unsigned which)
{
    return which >= EP_PROBE_FIRST_OF_SCOPES;
}

static void add_cost(struct ep_merge_cost *cost, uint64_t milliticks, uint64_t calls, uint64_t rest)
{
    if (calls == 0) {
        if (milliticks > cost->most_uncounted)
            cost->most_uncounted = milliticks;
        return;
    }
    cost->sum = ep_wide_add(cost->sum, ep_wide_multiply(milliticks, calls));
    cost->sum = ep_wide_add(cost->sum, (struct ep_wide){rest, 0});
}

/* The smallest step that is seen in ns is one. */
static uint64_t resolution_of(const struct ep_probe_cell *cell, const struct ep_merge_unit *unit)
{
    uint64_t resolution = ep_merge_unit_of(unit, cell->resolution_ticks);
    return resolution ? resolution : cell->resolution_ticks != 0;
}

/* An image whose program was killed before it had measured them is taken to have the average of
 * the others. */
void ep_merge_probe_add(struct ep_merge_probe *probe, const struct ep_image *image,
                        const struct ep_merge_unit *unit, uint64_t instance_calls,
                        uint64_t scope_calls)
{
    struct ep_probe_cell cell = ep_image_cell(image, EP_CELL_PROBE)->probe;
    struct ep_sum_cell sum = ep_image_cell(image, EP_CELL_SUM)->sum;
    if (!sum.is_sum)
        sum = (struct ep_sum_cell){.instance_calls = cell.is_known ? instance_calls : 0,
                                   .scope_calls = cell.is_known ? scope_calls : 0};
    for (unsigned which = 0; which < EP_PROBE_COSTS; which++)
        add_cost(&probe->cost[which], ep_merge_unit_of(unit, *cost_in(&cell, which)),
                 is_of_scopes(which) ? sum.scope_calls : sum.instance_calls,
                 ep_merge_unit_of(unit, sum.rest_milliticks[which]));
    probe->instance_calls += sum.instance_calls;
    probe->scope_calls += sum.scope_calls;
    probe->is_known |= cell.is_known != 0;
    if (resolution_of(&cell, unit) > probe->resolution_ticks)
        probe->resolution_ticks = resolution_of(&cell, unit);
}

void ep_merge_probe_write(const struct ep_merge_probe *probe, struct ep_image *image)
{
    struct ep_probe_cell *cell = &ep_image_cell(image, EP_CELL_PROBE)->probe;
    struct ep_sum_cell *sum = &ep_image_cell(image, EP_CELL_SUM)->sum;
    *sum = (struct ep_sum_cell){
        .is_sum = 1, .instance_calls = probe->instance_calls, .scope_calls = probe->scope_calls};
    for (unsigned which = 0; which < EP_PROBE_COSTS; which++) {
        const struct ep_merge_cost *cost = &probe->cost[which];
        uint64_t calls = is_of_scopes(which) ? sum->scope_calls : sum->instance_calls;
        uint64_t average = calls ? ep_wide_divide(cost->sum, calls) : cost->most_uncounted;
        *cost_in(cell, which) =
            average < EP_PROBE_MOST_MILLITICKS ? average : EP_PROBE_MOST_MILLITICKS;
        sum->rest_milliticks[which] = calls ? cost->sum.low - average * calls : 0;
    }
    cell->resolution_ticks = probe->resolution_ticks;
    cell->is_known = probe->is_known;
}
