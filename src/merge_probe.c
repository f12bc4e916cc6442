#include "merge_probe.h"

static void raise_to(uint64_t *highest, uint64_t value)
{
    if (value > *highest)
        *highest = value;
}

static void add_cost(uint64_t *highest, const struct ep_merge_unit *unit, uint64_t milliticks)
{
    uint64_t cost = ep_merge_unit_of(unit, milliticks);
    raise_to(highest, cost < EP_PROBE_MOST_MILLITICKS ? cost : EP_PROBE_MOST_MILLITICKS);
}

/* The smallest step that is seen in ns is one. */
static uint64_t resolution_of(const struct ep_probe_cell *cell, const struct ep_merge_unit *unit)
{
    uint64_t resolution = ep_merge_unit_of(unit, cell->resolution_ticks);
    return resolution ? resolution : cell->resolution_ticks != 0;
}

static void add_pairs(struct ep_probe_cell *highest, const struct ep_image *image,
                      const struct ep_merge_unit *unit)
{
    const struct ep_probe_cell *cell = &ep_image_cell(image, EP_CELL_PROBE)->probe;
    add_cost(&highest->inside_milliticks, unit, cell->inside_milliticks);
    add_cost(&highest->pair_milliticks, unit, cell->pair_milliticks);
    add_cost(&highest->scope_inside_milliticks, unit, cell->scope_inside_milliticks);
    add_cost(&highest->scope_pair_milliticks, unit, cell->scope_pair_milliticks);
    add_cost(&highest->nested_pair_milliticks, unit, cell->nested_pair_milliticks);
    raise_to(&highest->resolution_ticks, resolution_of(cell, unit));
    highest->is_known |= cell->is_known != 0;
}

static void add_functions(struct ep_function_probe_cell *highest, const struct ep_image *image,
                          const struct ep_merge_unit *unit)
{
    const struct ep_function_probe_cell *cell =
        &ep_image_cell(image, EP_CELL_FUNCTION_PROBE)->function_probe;
    add_cost(&highest->inside_milliticks, unit, cell->inside_milliticks);
    add_cost(&highest->pair_milliticks, unit, cell->pair_milliticks);
    add_cost(&highest->nested_pair_milliticks, unit, cell->nested_pair_milliticks);
    add_cost(&highest->untimed_pair_milliticks, unit, cell->untimed_pair_milliticks);
    highest->is_known |= cell->is_known != 0;
}

void ep_merge_probe_add(struct ep_merge_probe *highest, const struct ep_image *image,
                        const struct ep_merge_unit *unit)
{
    add_pairs(&highest->probe, image, unit);
    add_functions(&highest->function, image, unit);
}
