#include <stdlib.h>

#include "base/memory.h"
#include "snapshot/distribution.h"
#include "snapshot/figures.h"
#include "snapshot/making.h"

/* ---- the cells of all instances and threads, in the order of rows ---- */

/* The cells of one instance on one thread. */
struct cells {
    uint32_t slot;
    uint32_t thread; /* its number in the image; 0: main */
    const struct ep_thread_cell *owner;
    const struct ep_instance_cells *at;
};

struct all_cells {
    struct cells *at;
    size_t count, room;
};

static bool find_cells(struct all_cells *all, const struct ep_image *image)
{
    const struct ep_thread_cell *thread;
    const struct ep_instance_cells *cells;
    for (ep_ref ref = ep_load_acquire(&ep_image_root(image)->threads); ref;
         ref = ep_load_acquire(&thread->next)) {
        thread = &ep_image_cell(image, ref)->thread;
        const struct ep_thread_cell *row = ep_image_row_of(image, thread);
        for (ep_ref at = ep_load_acquire(&thread->pairs); at; at = ep_load_acquire(&cells->next)) {
            struct cells *grown = ep_memory_room(all->at, all->count, &all->room, sizeof *grown);
            if (!grown)
                return false;
            all->at = grown;
            cells = ep_image_instance_cells(image, at);
            uint32_t slot = ep_load(&cells->handle) & (EP_SLOTS - 1);
            grown[all->count++] = (struct cells){slot, row->number, row, cells};
        }
    }
    return true;
}

static int compare_cells(const void *a, const void *b)
{
    const struct cells *x = a, *y = b;
    if (x->slot != y->slot)
        return x->slot < y->slot ? -1 : 1;
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    /* threads of one number, in a merged image, keep their order */
    return (x->owner > y->owner) - (x->owner < y->owner);
}

/* ---- rows ---- */

/* The sum over the cells of an instance. */
struct sum {
    struct ep_figures figures;
    struct ep_histogram histogram;
};

bool ep_snapshot_instances_is_valid(const struct ep_image *image,
                                    const struct ep_instance_cells *cells,
                                    const struct ep_instance_cell *instance)
{
    uint64_t generation = ep_load_acquire(&cells->generation) & EP_GENERATION_NUMBER;
    return generation >= ep_load(&ep_image_control(image)->reset_generation) &&
           generation >= ep_load(&instance->born) &&
           ep_load(&cells->handle) == ep_load(&instance->handle);
}

/* Read after the figures, so it may be of a few more calls. Spans have none, so it is then of too
 * few calls. */
static void read_cpu(struct ep_figures *figures, const struct ep_image *image,
                     const struct ep_instance_cells *cells)
{
    bool is_older = ep_image_cell(image, EP_CELL_IDENTITY)->identity.version < EP_FORMAT_SAMPLING;
    ep_ref ref = is_older ? 0 : ep_load_acquire(&cells->stats.cpu);
    if (!ref || !ep_load(&ep_image_cell(image, EP_CELL_CPU)->cpu.is_on))
        return;
    const struct ep_cpu_sums *sums = &ep_image_cell(image, ref)->cpu_sums;
    uint64_t timed = ep_figures_timed(figures), weight = ep_load_acquire(&sums->weight);
    figures->cpu_ns = ep_load_acquire(&sums->cpu_ns);
    figures->cpu_calls = weight < timed ? weight : timed;
    if (weight > timed)
        figures->cpu_ns = ep_wide_divide(ep_wide_multiply(figures->cpu_ns, timed), weight);
}

struct ep_figures ep_snapshot_instances_read(const struct ep_image *image,
                                             const struct ep_instance_cells *cells)
{
    struct ep_figures figures = ep_figures_read(&cells->stats, NULL);
    /* in 32 bits, since the depth may be negative */
    figures.open = (uint32_t)(figures.open + ep_load_acquire(&cells->depth));
    ep_figures_unwrap(&figures, image, &cells->stats);
    read_cpu(&figures, image, cells);
    return figures;
}

/* Adds cells if they are valid. False: the owner cleared them; the sum has to be repeated. */
static bool add_cells(struct sum *sum, const struct ep_image *image,
                      const struct ep_instance_cells *cells,
                      const struct ep_instance_cell *instance)
{
    if (!ep_snapshot_instances_is_valid(image, cells, instance))
        return true;
    struct ep_figures figures = ep_snapshot_instances_read(image, cells);
    ep_figures_add_counts(&sum->histogram, image, &cells->stats, &figures);
    /* pairs with clear() in record/instance_cells.c: did the owner begin to clear them? */
    if (!ep_snapshot_instances_is_valid(image, cells, instance))
        return false;
    ep_figures_add(&sum->figures, &figures);
    return true;
}

/* Repeats the sum if a thread clears cells meanwhile: then they are not valid and are skipped. */
static void add_up(struct sum *sum, const struct ep_image *image,
                   const struct ep_instance_cell *instance, const struct cells *cells, size_t count)
{
    size_t done;
    do {
        sum->figures = ep_figures_none;
        ep_histogram_clear(&sum->histogram);
        for (done = 0; done < count; done++)
            if (!add_cells(sum, image, cells[done].at, instance))
                break;
    } while (done < count);
}

uint64_t ep_snapshot_instances_cpu_ns(const struct ep_figures *figures,
                                      const struct ep_conversion *conversion)
{
    uint64_t timed = ep_figures_timed(figures);
    struct ep_scale scale = conversion->cpu_scale;
    uint64_t inside_ns = ep_wide_scale_ns(
        scale, ep_wide_divide(ep_wide_multiply(conversion->inside_milliticks, timed), 1000));
    uint64_t outside_ns =
        ep_wide_saturated(ep_wide_multiply(conversion->instance_cpu_outside_ns, timed));
    return ep_figures_cpu_ns(figures, ep_saturating_add(inside_ns, outside_ns));
}

uint64_t ep_snapshot_instances_probe_milliticks(const struct ep_figures *figures,
                                                const struct ep_conversion *conversion)
{
    return ep_wide_saturated(
        ep_wide_multiply(conversion->instance_pair_milliticks, figures->calls));
}

/* Sets the figures of a row, and what is requested of its distribution. */
static bool finish(const struct sum *sum, struct eprof_snapshot *snapshot, struct eprof_row *row,
                   struct ep_instance_slot *slot)
{
    uint64_t timed = ep_figures_timed(&sum->figures);
    struct ep_correction correction = {.scale = snapshot->conversion.scale,
                                       .inside_milliticks = snapshot->conversion.inside_milliticks};
    struct ep_wide total_ns = {0, 0};
    if (timed)
        total_ns = ep_figures_convert(&correction, sum->figures.total, timed);
    row->total_ns = row->self_ns = ep_wide_saturated(total_ns);
    snapshot->saturated += sum->figures.is_beyond || row->total_ns == UINT64_MAX;
    ep_figures_finish(&sum->figures, &sum->histogram, &correction, total_ns, row);
    ep_figures_set_cpu(&sum->figures, &snapshot->conversion,
                       ep_snapshot_instances_cpu_ns(&sum->figures, &snapshot->conversion), timed,
                       row);
    return ep_distribution_set(snapshot, row, &sum->histogram, &correction, &slot->distribution) &&
           ep_rows_take_ladder(snapshot, &sum->figures, &sum->histogram, &correction, row,
                               &slot->ladder);
}

/* One row for `count` cells of one instance; none without calls since the reset. An open pair is
 * shown, so that a missing stop is noticed. */
static bool add_instance(struct eprof_snapshot *snapshot, const struct ep_instance_cell *instance,
                         const struct cells *cells, size_t count, struct sum *sum)
{
    add_up(sum, snapshot->image, instance, cells, count);
    snapshot->clock_errors += sum->figures.errors;
    if (sum->figures.calls == 0 && sum->figures.open == 0)
        return true;
    struct ep_instance_slot *slot = &snapshot->instance_slots[snapshot->row_count];
    struct eprof_row *row = ep_rows_add(snapshot);
    if (!row)
        return false;
    snapshot->run.overhead_milliticks = ep_saturating_add(
        snapshot->run.overhead_milliticks,
        ep_snapshot_instances_probe_milliticks(&sum->figures, &snapshot->conversion));
    row->kind = "instance";
    row->id = (int)cells->slot;
    row->name = ep_rows_image_text(snapshot, instance->label, instance->label_bytes);
    row->path = row->name ? ep_rows_path_of_name(snapshot, row->name) : NULL;
    slot->born = ep_load_acquire(&instance->born);
    if (snapshot->options.threads) {
        row->thread = ep_rows_thread_name(snapshot, cells->owner);
        slot->thread = cells->owner->number;
    }
    return row->path && row->thread && row->name && finish(sum, snapshot, row, slot);
}

static bool add_instances(struct eprof_snapshot *snapshot, const struct all_cells *cells,
                          struct sum *sum)
{
    size_t next;
    for (size_t i = 0; i < cells->count; i = next) {
        const struct cells *first = &cells->at[i];
        for (next = i + 1; next < cells->count; next++)
            if (cells->at[next].slot != first->slot ||
                (snapshot->options.threads && cells->at[next].owner != first->owner))
                break;
        const struct ep_instance_cell *instance = ep_image_instance(snapshot->image, first->slot);
        if (instance && ep_load_acquire(&instance->born) &&
            !add_instance(snapshot, instance, first, next - i, sum))
            return false;
    }
    return true;
}

EP_ANALYZER_KEPT_BEGIN /* in the snapshot */
int ep_snapshot_instances_add(struct eprof_snapshot *snapshot)
{
    struct all_cells cells = {.count = 0};
    struct sum *sum = calloc(1, sizeof *sum);
    bool is_done = sum && find_cells(&cells, snapshot->image);
    if (is_done && cells.count)
        qsort(cells.at, cells.count, sizeof *cells.at, compare_cells);
    snapshot->instance_slots = calloc(cells.count + 1, sizeof *snapshot->instance_slots);
    is_done = is_done && snapshot->instance_slots && add_instances(snapshot, &cells, sum);
    free(cells.at);
    free(sum);
    return is_done ? 0 : -1;
}
EP_ANALYZER_KEPT_END
