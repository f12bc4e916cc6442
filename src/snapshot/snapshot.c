#include "snapshot/snapshot.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "snapshot/distribution.h"
#include "snapshot/making.h"

/* ---- diagnostics ---- */

static void add_counts(uint64_t *counts, const struct ep_diagnostics_cell *diagnostics)
{
    for (int kind = 0; kind < EP_DIAGNOSTIC_KINDS; kind++)
        counts[kind] += ep_load(&diagnostics->count[kind]);
}

/* The diagnostics of the process count regardless of their generation. */
void ep_snapshot_add_diagnostics(uint64_t *counts, const struct ep_image *image)
{
    uint64_t reset = ep_load(&ep_image_control(image)->reset_generation);
    const struct ep_thread_cell *thread;
    add_counts(counts, &ep_image_cell(image, EP_CELL_DIAGNOSTICS)->diagnostics);
    for (ep_ref ref = ep_load_acquire(&ep_image_root(image)->threads); ref;
         ref = ep_load_acquire(&thread->next)) {
        thread = &ep_image_cell(image, ref)->thread;
        const struct ep_diagnostics_cell *diagnostics =
            &ep_image_cell(image, thread->diagnostics)->diagnostics;
        if (ep_load_acquire(&diagnostics->generation) >= reset)
            add_counts(counts, diagnostics);
    }
}

/* Adds a row for each diagnostic that is not 0. */
static int add_diagnostics(struct eprof_snapshot *snapshot)
{
    const union ep_cell *header = snapshot->image->cells;
    const struct ep_identity_cell *identity = &header[EP_CELL_IDENTITY].identity;
    uint64_t counts[EP_DIAGNOSTIC_KINDS] = {0};
    ep_snapshot_add_diagnostics(counts, snapshot->image);
    const struct {
        const char *name;
        uint64_t count;
    } all[] = {
        {"unbalanced", counts[EP_DIAGNOSTIC_UNBALANCED]},
        {"bad_handles", counts[EP_DIAGNOSTIC_BAD_HANDLES]},
        {"unknown_labels", counts[EP_DIAGNOSTIC_UNKNOWN_LABELS]},
        {"lost", counts[EP_DIAGNOSTIC_LOST]},
        {"out_of_cells", counts[EP_DIAGNOSTIC_OUT_OF_CELLS]},
        {"forced_closes", counts[EP_DIAGNOSTIC_FORCED_CLOSES]},
        {"unmatched_keeps", counts[EP_DIAGNOSTIC_UNMATCHED_KEEPS]},
        {"clock", snapshot->clock_errors},
        {"saturated", snapshot->saturated},
        {"clock_apart", header[EP_CELL_SOURCE].source.apart},
        {"items_not_understood", identity->items_not_understood},
        {"not_closed", identity->not_closed},
        {"interrupted", header[EP_CELL_LOCK].lock.interrupted},
        {"cut_short", identity->cut_short},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        struct eprof_row *row = all[i].count ? ep_rows_add(snapshot) : NULL;
        if (all[i].count && !row)
            return -1;
        if (row) {
            row->kind = "diagnostic";
            row->name = row->path = all[i].name;
            row->calls = all[i].count;
        }
    }
    return 0;
}

/* ---- overhead and source ---- */

static struct ep_probe_cost cost_of(uint64_t inside, uint64_t pair, uint64_t nested)
{
    return (struct ep_probe_cost){.inside_milliticks = inside,
                                  .around_milliticks = pair > inside ? pair - inside : 0,
                                  .nested_milliticks = nested};
}

/* The costs under a budget; without one, as in older images, those of timed calls. */
static void add_costs_of_budget(struct ep_probe_cost *cost, int kind, const struct ep_image *image)
{
    const struct ep_sampled_probe_cell *probe =
        &ep_image_cell(image, EP_CELL_SAMPLED_PROBE)->sampled_probe;
    uint64_t inside = probe->inside_milliticks[kind], pair = probe->pair_milliticks[kind];
    bool is_known = pair != 0;
    cost->sampled_inside_milliticks = is_known ? inside : cost->inside_milliticks;
    cost->sampled_around_milliticks = !is_known       ? cost->around_milliticks
                                      : pair > inside ? pair - inside
                                                      : 0;
    cost->untimed_milliticks = is_known ? probe->untimed_milliticks[kind] : cost->around_milliticks;
}

/* Functions whose probe was not measured cost what scopes cost. */
static void set_costs(struct ep_probe_cost costs[EP_PROBE_KINDS], const struct ep_image *image)
{
    const struct ep_probe_cell *scope = &ep_image_cell(image, EP_CELL_PROBE)->probe;
    const struct ep_function_probe_cell *function =
        &ep_image_cell(image, EP_CELL_FUNCTION_PROBE)->function_probe;
    costs[EP_PROBE_SCOPE] = cost_of(scope->scope_inside_milliticks, scope->scope_pair_milliticks,
                                    scope->nested_pair_milliticks);
    add_costs_of_budget(&costs[EP_PROBE_SCOPE], EP_PROBE_SCOPE, image);
    costs[EP_PROBE_FUNCTION] = costs[EP_PROBE_SCOPE];
    if (function->is_known) {
        costs[EP_PROBE_FUNCTION] = cost_of(function->inside_milliticks, function->pair_milliticks,
                                           function->nested_pair_milliticks);
        add_costs_of_budget(&costs[EP_PROBE_FUNCTION], EP_PROBE_FUNCTION, image);
        if (function->untimed_pair_milliticks) /* an older image */
            costs[EP_PROBE_FUNCTION].untimed_milliticks = function->untimed_pair_milliticks;
    }
}

void ep_snapshot_take_probe_off(struct ep_conversion *conversion, const struct ep_image *image)
{
    if (ep_image_cell(image, EP_CELL_SUM)->sum.is_net)
        return;
    conversion->has_fitting = true;
    conversion->inside_milliticks = ep_image_cell(image, EP_CELL_PROBE)->probe.inside_milliticks;
    conversion->value_milliticks = ep_image_cell(image, EP_CELL_PROBE)->probe.value_milliticks;
    set_costs(conversion->costs, image);
}

void ep_snapshot_describe_probes(struct ep_conversion *conversion, const struct ep_image *image)
{
    set_costs(conversion->probes, image);
    conversion->instance_pair_milliticks =
        ep_image_cell(image, EP_CELL_PROBE)->probe.pair_milliticks;
    conversion->value_probe_milliticks =
        ep_image_cell(image, EP_CELL_PROBE)->probe.value_milliticks;
}

void ep_snapshot_describe_cpu(struct ep_conversion *conversion, const struct ep_image *image,
                              struct ep_scale scale, bool is_raw)
{
    const struct ep_cpu_cell *cpu = &ep_image_cell(image, EP_CELL_CPU)->cpu;
    bool is_net = ep_image_cell(image, EP_CELL_SUM)->sum.is_net;
    conversion->has_cpu = cpu->is_on;
    conversion->cpu_scale = scale;
    if (is_net || is_raw)
        return;
    conversion->cpu_outside_ns[EP_PROBE_SCOPE] = cpu->outside_ns[EP_CPU_SCOPE];
    conversion->cpu_outside_ns[EP_PROBE_FUNCTION] = cpu->outside_ns[EP_CPU_FUNCTION];
    conversion->instance_cpu_outside_ns = cpu->outside_ns[EP_CPU_INSTANCE];
}

static double cost_ns(uint64_t milliticks, double ns_per_tick)
{
    return (double)milliticks / 1000 * ns_per_tick;
}

/* A source that did not move while it was measured has a tick of 1 ns (clock/calibrate.h). */
static bool describe_source(struct eprof_snapshot *snapshot, struct ep_scale scale)
{
    const union ep_cell *header = snapshot->image->cells;
    const struct ep_source_cell *source = &header[EP_CELL_SOURCE].source;
    const struct ep_probe_cell *probe = &header[EP_CELL_PROBE].probe;
    const struct ep_function_probe_cell *function = &header[EP_CELL_FUNCTION_PROBE].function_probe;
    double ns_per_tick = (double)scale.ns / (double)scale.ticks;
    bool is_rate_known = source->ticks_per_second || scale.ns != 1 || scale.ticks != 1;
    snapshot->source = ep_rows_text(snapshot, source->name, strlen(source->name));
    snapshot->unit = snapshot->options.ticks ? "ticks" : "ns";
    snapshot->ticks_per_us = is_rate_known ? 1000 / ns_per_tick : 0;
    snapshot->resolution_ns = (double)probe->resolution_ticks * ns_per_tick;
    snapshot->pair_ns = cost_ns(probe->pair_milliticks, ns_per_tick);
    snapshot->inside_ns = cost_ns(probe->inside_milliticks, ns_per_tick);
    snapshot->scope_pair_ns = cost_ns(probe->scope_pair_milliticks, ns_per_tick);
    snapshot->scope_inside_ns = cost_ns(probe->scope_inside_milliticks, ns_per_tick);
    snapshot->function_pair_ns = cost_ns(function->pair_milliticks, ns_per_tick);
    snapshot->function_inside_ns = cost_ns(function->inside_milliticks, ns_per_tick);
    snapshot->cpu_read_ns =
        header[EP_CELL_CPU].cpu.is_on ? (double)header[EP_CELL_CPU].cpu.read_ns : 0;
    snapshot->conversion.scale = snapshot->options.ticks ? (struct ep_scale){1, 1} : scale;
    snapshot->conversion.is_in_ticks = snapshot->options.ticks;
    ep_snapshot_describe_cpu(&snapshot->conversion, snapshot->image, scale, snapshot->options.raw);
    ep_snapshot_describe_probes(&snapshot->conversion, snapshot->image);
    if (!snapshot->options.raw)
        ep_snapshot_take_probe_off(&snapshot->conversion, snapshot->image);
    snapshot->conversion.has_sums = snapshot->options.sums;
    snapshot->conversion.has_fitting &= !snapshot->options.sums;
    return snapshot->source != NULL;
}

/* ---- the run of the process ---- */

static uint64_t known(uint64_t one_more)
{
    return one_more ? one_more - 1 : EPROF_UNKNOWN;
}

/* A sum has the overhead of its images. Elsewhere it is that of the rows, if the probe was
 * measured. */
static void describe_run(struct eprof_snapshot *snapshot)
{
    const union ep_cell *header = snapshot->image->cells;
    const struct ep_run_cell *cell = &header[EP_CELL_RUN].run;
    bool is_sum = header[EP_CELL_NOTE].note.flags & EP_NOTE_SUM;
    snapshot->run.wall_ns = known(ep_load(&cell->wall_ns));
    snapshot->run.cpu_ns = known(ep_load(&cell->cpu_ns));
    snapshot->run.has_entries =
        ep_load(&header[EP_CELL_FUNCTION_PROBE].function_probe.has_entries) != 0;
    snapshot->run.is_wall = !header[EP_CELL_SOURCE].source.is_per_thread;
    uint32_t flags = is_sum ? header[EP_CELL_NOTE].note.flags : ep_notes_of_run(snapshot->image);
    snapshot->run.is_old = snapshot->command && flags & EP_NOTE_RUN_OLD;
    snapshot->run.is_stale = snapshot->command && flags & EP_NOTE_RUN_STALE;
    snapshot->run.is_partly_old = snapshot->run.is_old && flags & EP_NOTE_RUN_WHOLE;
    snapshot->run.overhead_ns =
        ep_wide_scale_ns(snapshot->conversion.cpu_scale, snapshot->run.overhead_milliticks / 1000);
    if (is_sum || !header[EP_CELL_PROBE].probe.is_known)
        snapshot->run.overhead_ns = known(cell->overhead_ns);
}

/* ---- taking ---- */

/* If there is only one thread, its trees are the merged ones. */
static bool has_other_threads(const struct eprof_snapshot *snapshot)
{
    for (size_t i = 1; i < snapshot->diagnostic_first; i++)
        if (strcmp(snapshot->rows[i].thread, snapshot->rows[0].thread) != 0)
            return true;
    for (size_t i = 0; i < snapshot->value_count; i++)
        if (strcmp(snapshot->values[i].thread, snapshot->values[0].thread) != 0)
            return true;
    return false;
}

static int fill(struct eprof_snapshot *snapshot, struct ep_scale scale, struct ep_present present)
{
    if (!describe_source(snapshot, scale) || ep_snapshot_instances_add(snapshot) != 0 ||
        ep_snapshot_scopes_add(snapshot, &present) != 0 || ep_snapshot_balance_add(snapshot) != 0)
        return -1;
    describe_run(snapshot);
    for (size_t i = 0; i < snapshot->row_count; i++)
        snapshot->rows[i].unit = snapshot->unit;
    for (size_t i = 0; i < snapshot->top_count; i++)
        snapshot->tops[i].unit = snapshot->unit;
    snapshot->diagnostic_first = snapshot->row_count;
    return 0;
}

static int add_by_threads(struct eprof_snapshot *snapshot, struct ep_scale scale,
                          struct ep_present present)
{
    struct eprof_snapshot *threads = calloc(1, sizeof *threads);
    if (!threads)
        return -1;
    threads->image = snapshot->image;
    threads->options = snapshot->options;
    threads->options.threads = true;
    int result = fill(threads, scale, present);
    if (result == 0 && has_other_threads(threads))
        snapshot->by_threads = threads;
    else
        ep_snapshot_free(threads);
    return result;
}

static struct eprof_snapshot *take(const struct ep_image *image, struct ep_scale scale,
                                   struct ep_present present, struct ep_snapshot_options options,
                                   bool is_stored)
{
    const struct ep_identity_cell *identity = &ep_image_cell(image, EP_CELL_IDENTITY)->identity;
    struct eprof_snapshot *snapshot = calloc(1, sizeof *snapshot);
    if (snapshot) {
        snapshot->image = image;
        snapshot->options = options;
        snapshot->process_id = identity->process_id;
        snapshot->realtime_ns = identity->realtime_ns;
        if (is_stored)
            snapshot->command =
                ep_rows_image_text(snapshot, identity->command, identity->command_bytes);
        if ((!is_stored || snapshot->command) && fill(snapshot, scale, present) == 0 &&
            add_diagnostics(snapshot) == 0 && ep_notes_take(snapshot) == 0 &&
            (!options.both || options.threads || add_by_threads(snapshot, scale, present) == 0))
            return snapshot;
    }
    ep_snapshot_free(snapshot);
    errno = ENOMEM;
    return NULL;
}

struct eprof_snapshot *ep_snapshot_take(const struct ep_image *image, struct ep_scale scale,
                                        struct ep_present present,
                                        struct ep_snapshot_options options)
{
    return take(image, scale, present, options, false);
}

struct ep_present ep_snapshot_stored_moment(const struct ep_image *image)
{
    const struct ep_scale_cell *known = &ep_image_cell(image, EP_CELL_SCALE)->scale;
    return (struct ep_present){.is_live = known->has_now,
                               .now_ticks = known->now_ticks,
                               .self = known->now_self,
                               .now_cpu_ns = ep_image_cell(image, EP_CELL_CPU)->cpu.now_cpu_ns};
}

struct eprof_snapshot *ep_snapshot_take_stored(const struct ep_image *image,
                                               struct ep_snapshot_options options)
{
    return take(image, ep_image_scale(image), ep_snapshot_stored_moment(image), options, true);
}

void ep_snapshot_free(struct eprof_snapshot *snapshot)
{
    if (!snapshot)
        return;
    ep_snapshot_free(snapshot->by_threads);
    ep_memory_free(&snapshot->strings);
    free(snapshot->rows);
    free(snapshot->positions);
    free(snapshot->values);
    free(snapshot->value_marks);
    free(snapshot->tops);
    free(snapshot->top_marks);
    free(snapshot->instance_slots);
    free(snapshot->wholes);
    free(snapshot->groups.at);
    free(snapshot->groups.max_ns);
    ep_distribution_free(snapshot->distributions);
    free(snapshot);
}
