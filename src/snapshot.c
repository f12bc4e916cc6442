#include "snapshot.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "snapshot_instances.h"
#include "snapshot_rows.h"
#include "snapshot_scopes.h"

/* ---- trouble ---- */

static bool add_trouble(struct eprof_snapshot *snapshot, const char *name, uint64_t count)
{
    if (count == 0)
        return true;
    struct eprof_row *row = ep_rows_add(snapshot, 1);
    if (!row)
        return false;
    row->kind = "trouble";
    row->name = row->path = name;
    row->calls = count;
    return true;
}

static uint64_t trouble_of_threads(const struct ep_image *image, int kind)
{
    uint64_t reset = ep_load(&ep_image_control(image)->reset_generation);
    uint64_t sum = ep_load(&ep_image_cell(image, EP_CELL_TROUBLE)->trouble.count[kind]);
    const struct ep_thread_cell *thread;
    for (ep_ref ref = ep_load_acquire(&ep_image_root(image)->threads); ref;
         ref = ep_load_acquire(&thread->next)) {
        thread = &ep_image_cell(image, ref)->thread;
        const struct ep_trouble_cell *trouble = &ep_image_cell(image, thread->trouble)->trouble;
        if (ep_load_acquire(&trouble->stamp) >= reset)
            sum += ep_load(&trouble->count[kind]);
    }
    return sum;
}

static bool add_all_trouble(struct eprof_snapshot *snapshot, const struct ep_image *image)
{
    static const char *const names[EP_TROUBLE_KINDS] = {
        [EP_TROUBLE_UNBALANCED] = "unbalanced",
        [EP_TROUBLE_BAD_HANDLES] = "bad_handles",
        [EP_TROUBLE_UNKNOWN_LABELS] = "unknown_labels",
        [EP_TROUBLE_LOST] = "lost",
        [EP_TROUBLE_OUT_OF_CELLS] = "out_of_cells",
        [EP_TROUBLE_FORCED_CLOSES] = "forced_closes",
        [EP_TROUBLE_STRAY_KEEPS] = "stray_keeps",
    };
    snapshot->trouble_first = snapshot->row_count;
    for (int kind = 0; kind < EP_TROUBLE_KINDS; kind++)
        if (!add_trouble(snapshot, names[kind], trouble_of_threads(image, kind)))
            return false;
    const struct ep_identity_cell *identity = &ep_image_cell(image, EP_CELL_IDENTITY)->identity;
    return add_trouble(snapshot, "clock", snapshot->clock_errors) &&
           add_trouble(snapshot, "clock_apart",
                       ep_image_cell(image, EP_CELL_SOURCE)->source.apart) &&
           add_trouble(snapshot, "items_not_understood", identity->items_not_understood) &&
           add_trouble(snapshot, "not_closed", identity->not_closed) &&
           add_trouble(snapshot, "cut_short", identity->cut_short);
}

/* ---- the whole ---- */

static struct ep_probe_cost cost_of(uint64_t inside, uint64_t pair, uint64_t nested)
{
    return (struct ep_probe_cost){.inside_milliticks = inside,
                                  .around_milliticks = pair > inside ? pair - inside : 0,
                                  .nested_milliticks = nested};
}

/* Where nobody has measured what they cost, as scopes. */
static void take_functions_off(struct ep_conversion *conversion, const struct ep_image *image)
{
    const struct ep_function_probe_cell *probe =
        &ep_image_cell(image, EP_CELL_FUNCTION_PROBE)->function_probe;
    struct ep_probe_cost *cost = &conversion->costs[EP_PROBE_FUNCTION];
    *cost = conversion->costs[EP_PROBE_SCOPE];
    conversion->untimed_milliticks = cost->around_milliticks;
    if (!probe->is_known)
        return;
    *cost =
        cost_of(probe->inside_milliticks, probe->pair_milliticks, probe->nested_pair_milliticks);
    conversion->untimed_milliticks = probe->untimed_pair_milliticks;
}

void ep_snapshot_take_probe_off(struct ep_conversion *conversion, const struct ep_image *image)
{
    const struct ep_probe_cell *probe = &ep_image_cell(image, EP_CELL_PROBE)->probe;
    if (ep_image_cell(image, EP_CELL_SUM)->sum.is_net)
        return;
    conversion->inside_milliticks = probe->inside_milliticks;
    conversion->costs[EP_PROBE_SCOPE] =
        cost_of(probe->scope_inside_milliticks, probe->scope_pair_milliticks,
                probe->nested_pair_milliticks);
    take_functions_off(conversion, image);
}

/* Of one that stood still while it was measured a tick is taken for a ns (calibrate.h). */
static bool is_rate_known(const struct ep_image *image, struct ep_scale scale)
{
    return ep_image_cell(image, EP_CELL_SOURCE)->source.ticks_per_second || scale.ns != 1 ||
           scale.ticks != 1;
}

static bool describe_source(struct eprof_snapshot *snapshot, const struct ep_image *image,
                            struct ep_scale scale)
{
    const struct ep_probe_cell *probe = &ep_image_cell(image, EP_CELL_PROBE)->probe;
    const char *name = ep_image_cell(image, EP_CELL_SOURCE)->source.name;
    double ns_per_tick = (double)scale.ns / (double)scale.ticks;
    snapshot->source = ep_rows_text(snapshot, name, strlen(name));
    snapshot->unit = snapshot->options.ticks ? "ticks" : "ns";
    snapshot->ticks_per_us = is_rate_known(image, scale) ? 1000 / ns_per_tick : 0;
    snapshot->resolution_ns = (double)probe->resolution_ticks * ns_per_tick;
    snapshot->pair_ns = (double)probe->pair_milliticks / 1000 * ns_per_tick;
    snapshot->inside_ns = (double)probe->inside_milliticks / 1000 * ns_per_tick;
    snapshot->scope_pair_ns = (double)probe->scope_pair_milliticks / 1000 * ns_per_tick;
    snapshot->scope_inside_ns = (double)probe->scope_inside_milliticks / 1000 * ns_per_tick;
    const struct ep_function_probe_cell *function =
        &ep_image_cell(image, EP_CELL_FUNCTION_PROBE)->function_probe;
    snapshot->function_pair_ns = (double)function->pair_milliticks / 1000 * ns_per_tick;
    snapshot->function_inside_ns = (double)function->inside_milliticks / 1000 * ns_per_tick;
    snapshot->conversion.scale = snapshot->options.ticks ? (struct ep_scale){1, 1} : scale;
    if (!snapshot->options.raw)
        ep_snapshot_take_probe_off(&snapshot->conversion, image);
    return snapshot->source != NULL;
}

static void describe_process(struct eprof_snapshot *snapshot, const struct ep_image *image)
{
    const struct ep_identity_cell *identity = &ep_image_cell(image, EP_CELL_IDENTITY)->identity;
    snapshot->process_id = identity->process_id;
    snapshot->realtime_ns = identity->realtime_ns;
}

static bool describe_command(struct eprof_snapshot *snapshot, const struct ep_image *image)
{
    const struct ep_identity_cell *identity = &ep_image_cell(image, EP_CELL_IDENTITY)->identity;
    snapshot->command =
        ep_rows_text(snapshot, ep_image_string(image, identity->command), identity->command_bytes);
    return snapshot->command != NULL;
}

static struct eprof_snapshot *begin(struct ep_snapshot_options options)
{
    struct eprof_snapshot *snapshot = calloc(1, sizeof *snapshot);
    if (snapshot)
        snapshot->options = options;
    else
        errno = ENOMEM;
    return snapshot;
}

static int fill_rows(struct eprof_snapshot *snapshot, const struct ep_image *image,
                     struct ep_present present)
{
    if (ep_snapshot_instances_add(snapshot, image) != 0)
        return -1;
    return ep_snapshot_scopes_add(snapshot, image, &present);
}

/* Where the trees of one thread are all there are, they are those of all threads. */
static bool has_other_threads(const struct eprof_snapshot *snapshot)
{
    size_t rows = snapshot->row_count;
    for (size_t i = 1; i < rows; i++)
        if (strcmp(snapshot->rows[i].thread, snapshot->rows[0].thread) != 0)
            return true;
    return false;
}

static int add_by_threads(struct eprof_snapshot *snapshot, const struct ep_image *image,
                          struct ep_scale scale, struct ep_present present)
{
    struct ep_snapshot_options options = snapshot->options;
    options.threads = true;
    options.both = false;
    struct eprof_snapshot *threads = begin(options);
    if (!threads)
        return -1;
    snapshot->by_threads = threads;
    if (!describe_source(threads, image, scale) || fill_rows(threads, image, present) != 0)
        return -1;
    threads->trouble_first = threads->row_count;
    if (!has_other_threads(threads)) {
        ep_snapshot_free(threads);
        snapshot->by_threads = NULL;
    }
    return 0;
}

static struct eprof_snapshot *fill(struct eprof_snapshot *snapshot, const struct ep_image *image,
                                   struct ep_scale scale, struct ep_present present)
{
    describe_process(snapshot, image);
    if (!describe_source(snapshot, image, scale) || fill_rows(snapshot, image, present) != 0 ||
        !add_all_trouble(snapshot, image) ||
        (snapshot->options.both && !snapshot->options.threads &&
         add_by_threads(snapshot, image, scale, present) != 0)) {
        ep_snapshot_free(snapshot);
        errno = ENOMEM;
        return NULL;
    }
    return snapshot;
}

struct eprof_snapshot *ep_snapshot_take(const struct ep_image *image, struct ep_scale scale,
                                        struct ep_present present,
                                        struct ep_snapshot_options options)
{
    struct eprof_snapshot *snapshot = begin(options);
    return snapshot ? fill(snapshot, image, scale, present) : NULL;
}

struct eprof_snapshot *ep_snapshot_take_stored(const struct ep_image *image,
                                               struct ep_snapshot_options options)
{
    const struct ep_scale_cell *known = &ep_image_cell(image, EP_CELL_SCALE)->scale;
    struct ep_scale scale = known->scale[known->current % 2];
    struct ep_present present = {
        .is_live = known->has_now, .now_ticks = known->now_ticks, .self = known->now_self};
    struct eprof_snapshot *snapshot = begin(options);
    if (snapshot && !describe_command(snapshot, image)) {
        ep_snapshot_free(snapshot);
        errno = ENOMEM;
        return NULL;
    }
    /* killed before it was known: any rate is right */
    scale = scale.ticks ? scale : (struct ep_scale){1, 1};
    return snapshot ? fill(snapshot, image, scale, present) : NULL;
}

void ep_snapshot_free(struct eprof_snapshot *snapshot)
{
    if (!snapshot)
        return;
    ep_snapshot_free(snapshot->by_threads);
    ep_arena_free(&snapshot->strings);
    free(snapshot->rows);
    free(snapshot->places);
    free(snapshot->tops);
    free(snapshot->top_marks);
    free(snapshot->instance_places);
    free(snapshot->wholes);
    free(snapshot);
}
