#include <string.h>

#include "merge/tables.h"

/* ---- the highest costs of the probes ---- */

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

/* The budget and the period are the highest, too. */
static void add_sampled_probe(struct ep_sampled_probe_cell *highest,
                              const struct ep_merge_unit *unit,
                              const struct ep_sampled_probe_cell *probe)
{
    for (int kind = 0; kind < EP_PROBE_KINDS; kind++) {
        add_cost(&highest->inside_milliticks[kind], unit, probe->inside_milliticks[kind]);
        add_cost(&highest->pair_milliticks[kind], unit, probe->pair_milliticks[kind]);
        add_cost(&highest->untimed_milliticks[kind], unit, probe->untimed_milliticks[kind]);
    }
    raise_to(&highest->budget_millionths, probe->budget_millionths);
    raise_to(&highest->period, probe->period);
}

/* Its costs are in ns in any image. */
static void add_cpu(struct ep_cpu_cell *highest, const struct ep_cpu_cell *cpu)
{
    highest->is_on |= cpu->is_on != 0;
    raise_to(&highest->read_ns, cpu->read_ns);
    for (int kind = 0; kind < EP_CPU_KINDS; kind++)
        raise_to(&highest->outside_ns[kind], cpu->outside_ns[kind]);
}

void ep_merge_clock_add_probe(struct ep_merge *merge)
{
    const struct ep_merge_unit *unit = &merge->unit;
    const struct ep_probe_cell *scope = &ep_image_cell(merge->from, EP_CELL_PROBE)->probe;
    const struct ep_function_probe_cell *function =
        &ep_image_cell(merge->from, EP_CELL_FUNCTION_PROBE)->function_probe;
    struct ep_probe_cell *highest = &merge->probe;
    struct ep_function_probe_cell *of_function = &merge->function_probe;
    add_cost(&highest->inside_milliticks, unit, scope->inside_milliticks);
    add_cost(&highest->pair_milliticks, unit, scope->pair_milliticks);
    add_cost(&highest->scope_inside_milliticks, unit, scope->scope_inside_milliticks);
    add_cost(&highest->scope_pair_milliticks, unit, scope->scope_pair_milliticks);
    add_cost(&highest->nested_pair_milliticks, unit, scope->nested_pair_milliticks);
    add_cost(&highest->value_milliticks, unit, scope->value_milliticks);
    uint64_t resolution = ep_merge_unit_of(unit, scope->resolution_ticks);
    raise_to(&highest->resolution_ticks, resolution ? resolution : scope->resolution_ticks != 0);
    highest->is_known |= scope->is_known != 0;
    add_cost(&of_function->inside_milliticks, unit, function->inside_milliticks);
    add_cost(&of_function->pair_milliticks, unit, function->pair_milliticks);
    add_cost(&of_function->nested_pair_milliticks, unit, function->nested_pair_milliticks);
    add_cost(&of_function->untimed_pair_milliticks, unit, function->untimed_pair_milliticks);
    of_function->is_known |= function->is_known != 0;
    of_function->has_entries |= function->has_entries != 0;
    add_sampled_probe(&merge->sampled_probe, unit,
                      &ep_image_cell(merge->from, EP_CELL_SAMPLED_PROBE)->sampled_probe);
    add_cpu(&merge->cpu, &ep_image_cell(merge->from, EP_CELL_CPU)->cpu);
}

/* ---- rates ---- */

/* Two rates are the same if they differ by a thousandth at most: measured rates of one clock differ
 * by some 50 ppm (docs/internals/architecture.md), those of different machines by more. */
enum { SAME_PARTS = 1000 };

static struct ep_scale scale_of(const union ep_cell *header)
{
    const struct ep_scale_cell *known = &header[EP_CELL_SCALE].scale;
    return known->scale[known->current % 2];
}

/* Shortens a rate so that products of two rates with SAME_PARTS are below 2^128. */
static struct ep_scale shorten(struct ep_scale scale)
{
    while ((scale.ns | scale.ticks) >> 58) {
        scale.ns >>= 1;
        scale.ticks >>= 1;
    }
    scale.ticks += scale.ticks == 0;
    return scale;
}

/* Whether a * a_times is more ns per tick than b * b_times. */
static bool is_more(struct ep_scale a, uint64_t a_times, struct ep_scale b, uint64_t b_times)
{
    a = shorten(a);
    b = shorten(b);
    struct ep_wide x = ep_wide_multiply_by(ep_wide_multiply(a.ns, b.ticks), a_times);
    struct ep_wide y = ep_wide_multiply_by(ep_wide_multiply(b.ns, a.ticks), b_times);
    return x.high != y.high ? x.high > y.high : x.low > y.low;
}

static void inspect_rate(struct ep_merge_clock *clock, struct ep_scale scale)
{
    if (scale.ticks == 0)
        return; /* not known: the process ended early */
    if (clock->lowest.ticks == 0)
        clock->lowest = clock->highest = scale;
    else if (is_more(clock->lowest, 1, scale, 1))
        clock->lowest = scale;
    else if (is_more(scale, 1, clock->highest, 1))
        clock->highest = scale;
}

void ep_merge_clock_inspect(struct ep_merge_clock *clock, const union ep_cell *header)
{
    const struct ep_source_cell *source = &header[EP_CELL_SOURCE].source;
    if (clock->images++ == 0) {
        /* up to its NUL: a file may have any bytes after it */
        memccpy(clock->name, source->name, '\0', sizeof clock->name - 1);
        clock->ticks_per_second = source->ticks_per_second;
    }
    clock->is_several |= strncmp(clock->name, source->name, sizeof clock->name - 1) != 0;
    if (clock->ticks_per_second != source->ticks_per_second)
        clock->ticks_per_second = 0;
    inspect_rate(clock, scale_of(header));
}

/* Before any image was added. Which of two names is kept does not matter. */
void ep_merge_clock_join(struct ep_merge_clock *clock, const struct ep_merge_clock *other)
{
    if (other->images == 0)
        return;
    if (clock->images == 0) {
        *clock = *other;
        return;
    }
    clock->images += other->images;
    clock->is_several |=
        other->is_several || strncmp(clock->name, other->name, sizeof clock->name) != 0;
    if (clock->ticks_per_second != other->ticks_per_second)
        clock->ticks_per_second = 0;
    inspect_rate(clock, other->lowest);
    inspect_rate(clock, other->highest);
}

static bool is_ns(const struct ep_merge_clock *clock)
{
    bool is_near = clock->lowest.ticks == 0 ||
                   !is_more(clock->highest, SAME_PARTS, clock->lowest, SAME_PARTS + 1);
    return clock->is_several || !is_near;
}

struct ep_merge_unit ep_merge_clock_unit(const struct ep_merge_clock *clock,
                                         const struct ep_image *image)
{
    struct ep_scale scale = scale_of(image->cells);
    if (scale.ticks == 0)
        scale = (struct ep_scale){1, 1}; /* as a snapshot does */
    return (struct ep_merge_unit){.is_ns = is_ns(clock), .scale = scale};
}

void ep_merge_clock_add(struct ep_merge_clock *clock, const struct ep_image *image)
{
    struct ep_scale scale = scale_of(image->cells);
    if (scale.ticks == 0)
        return;
    clock->ns = ep_wide_add(clock->ns, (struct ep_wide){scale.ns, 0});
    clock->ticks = ep_wide_add(clock->ticks, (struct ep_wide){scale.ticks, 0});
}

/* With the precision of 64 bits. A sum in ns has the sum of all ns as its rate, which is the weight
 * of its images when it is added to others. */
static struct ep_scale joint_scale(const struct ep_merge_clock *clock)
{
    struct ep_wide ns = clock->ns, ticks = is_ns(clock) ? clock->ns : clock->ticks;
    while (ns.high | ticks.high) {
        ns = (struct ep_wide){ns.low >> 1 | ns.high << 63, ns.high >> 1};
        ticks = (struct ep_wide){ticks.low >> 1 | ticks.high << 63, ticks.high >> 1};
    }
    return (struct ep_scale){ns.low, ticks.low};
}

void ep_merge_clock_write(const struct ep_merge_clock *clock, struct ep_image *image)
{
    struct ep_source_cell *source = &ep_image_cell(image, EP_CELL_SOURCE)->source;
    if (clock->is_several)
        memcpy(source->name, "several", sizeof "several");
    else
        memcpy(source->name, clock->name, sizeof source->name);
    source->ticks_per_second = is_ns(clock) ? 1000000000 : clock->ticks_per_second;
    ep_image_cell(image, EP_CELL_SCALE)->scale.scale[0] = joint_scale(clock);
}
