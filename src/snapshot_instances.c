#include "snapshot_instances.h"

#include <errno.h>
#include <stdlib.h>

#include "snapshot_figures.h"
#include "snapshot_path.h"
#include "snapshot_rows.h"

/* ---- finding: every pair of every thread, in the order of the rows ---- */

/* Where one thread's figures of one instance lie. */
struct place {
    uint32_t slot;
    uint32_t thread; /* its number in the image; 0: main */
    const struct ep_thread_cell *owner;
    const struct ep_pair_cell *pair;
};

struct places {
    struct place *at;
    size_t count, room;
};

static bool note_place(struct places *places, struct place place)
{
    if (places->count == places->room) {
        size_t room = places->room ? places->room * 2 : 256;
        struct place *grown = realloc(places->at, room * sizeof *grown);
        if (!grown)
            return false;
        places->at = grown;
        places->room = room;
    }
    places->at[places->count++] = place;
    return true;
}

static bool find_places(struct places *places, const struct ep_image *image)
{
    const struct ep_thread_cell *thread;
    for (ep_ref ref = ep_load_acquire(&ep_image_root(image)->threads); ref;
         ref = ep_load_acquire(&thread->next)) {
        thread = &ep_image_cell(image, ref)->thread;
        const struct ep_pair_cell *pair;
        for (ep_ref at = ep_load_acquire(&thread->pairs); at; at = ep_load_acquire(&pair->next)) {
            pair = (const struct ep_pair_cell *)ep_image_cell(image, at);
            uint32_t slot = ep_load(&pair->handle) & (EP_SLOTS - 1);
            if (!note_place(places, (struct place){slot, thread->number, thread, pair}))
                return false;
        }
    }
    return true;
}

static int compare_places(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->slot != y->slot)
        return x->slot < y->slot ? -1 : 1;
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    /* of one number, in images added up: as they stand there */
    return (x->owner > y->owner) - (x->owner < y->owner);
}

/* ---- rows ---- */

/* What the pairs of an instance come to. */
struct sum {
    struct ep_figures figures;
    struct ep_histogram histogram;
};

bool ep_snapshot_instances_is_valid(const struct ep_image *image, const struct ep_pair_cell *pair,
                                    const struct ep_instance_cell *instance)
{
    uint64_t generation = ep_load_acquire(&pair->stamp) & EP_STAMP_GENERATION;
    return generation >= ep_load(&ep_image_control(image)->reset_generation) &&
           generation >= ep_load(&instance->born) &&
           ep_load(&pair->handle) == ep_load(&instance->handle);
}

/* Adds a pair, if it is of this life of `instance` and since the last reset. false: the
 * owner cleared it meanwhile, and the sum is to be begun again. */
static bool add_pair(struct sum *sum, const struct ep_image *image, const struct ep_pair_cell *pair,
                     const struct ep_instance_cell *instance)
{
    if (!ep_snapshot_instances_is_valid(image, pair, instance))
        return true;
    struct ep_figures figures = ep_figures_read(&pair->stats, NULL);
    /* in 32 bits, as what is to be added may be below zero */
    figures.open = (uint32_t)(figures.open + ep_load_acquire(&pair->depth));
    ep_figures_add_counts(&sum->histogram, image, &pair->stats, &figures);
    /* pairs with clear() in pair.c: has its owner begun to clear it meanwhile? */
    if (!ep_snapshot_instances_is_valid(image, pair, instance))
        return false;
    ep_figures_add(&sum->figures, &figures);
    return true;
}

/* Begins again when a thread clears a pair that is being read: that pair is then
 * of the past and will be passed over. */
static void add_up(struct sum *sum, const struct ep_image *image,
                   const struct ep_instance_cell *instance, const struct place *places,
                   size_t count)
{
    size_t done;
    do {
        sum->figures = ep_figures_none;
        ep_histogram_clear(&sum->histogram);
        for (done = 0; done < count; done++)
            if (!add_pair(sum, image, places[done].pair, instance))
                break;
    } while (done < count);
}

static void finish(const struct sum *sum, const struct ep_conversion *conversion,
                   struct eprof_row *row)
{
    uint64_t timed = ep_figures_timed(&sum->figures);
    struct ep_correction correction = {.inside_milliticks = conversion->inside_milliticks,
                                       .kept = 1};
    if (timed)
        correction.total_ticks =
            ep_figures_take_off(sum->figures.total_ticks, conversion->inside_milliticks, timed);
    correction.self_ticks = correction.total_ticks;
    ep_figures_finish(&sum->figures, &sum->histogram, &correction, conversion->scale, row);
}

/* Of the last row. */
static bool add_place(struct eprof_snapshot *snapshot, struct ep_instance_place place,
                      const struct ep_histogram *histogram)
{
    size_t row = snapshot->row_count - 1;
    if ((row & (row - 1)) == 0) { /* none yet, or as many as a power of two */
        size_t room = row ? 2 * row : 1;
        void *grown = realloc(snapshot->instance_places, room * sizeof *snapshot->instance_places);
        if (!grown)
            return false;
        snapshot->instance_places = grown;
    }
    snapshot->instance_places[row] = place;
    return ep_rows_outline(snapshot, histogram, &snapshot->instance_places[row].outline);
}

/* One row of `count` places of one instance. Without calls since the reset it is
 * none, but an open pair is shown, so that a forgotten stop is seen. */
static bool add_instance(struct eprof_snapshot *snapshot, const struct ep_image *image,
                         const struct ep_instance_cell *instance, const struct place *places,
                         size_t count, struct sum *sum)
{
    add_up(sum, image, instance, places, count);
    snapshot->clock_errors += sum->figures.errors;
    if (sum->figures.calls == 0 && sum->figures.open == 0)
        return true;
    struct eprof_row *row = ep_rows_add(snapshot, 1);
    if (!row)
        return false;
    row->kind = "instance";
    row->id = (int)places->slot;
    row->name =
        ep_rows_text(snapshot, ep_image_string(image, instance->label), instance->label_bytes);
    row->path = row->name ? ep_snapshot_path_of_name(snapshot, row->name) : NULL;
    if (snapshot->options.threads)
        row->thread = ep_rows_thread_name(snapshot, image, places->owner);
    finish(sum, &snapshot->conversion, row);
    struct ep_instance_place place = {.born = ep_load_acquire(&instance->born),
                                      .thread =
                                          snapshot->options.threads ? places->owner->number : 0};
    return row->path && row->thread && add_place(snapshot, place, &sum->histogram);
}

static bool add_instances(struct eprof_snapshot *snapshot, const struct ep_image *image,
                          const struct places *places, struct sum *sum)
{
    size_t next;
    for (size_t i = 0; i < places->count; i = next) {
        const struct place *first = &places->at[i];
        for (next = i + 1; next < places->count; next++)
            if (places->at[next].slot != first->slot ||
                (snapshot->options.threads && places->at[next].owner != first->owner))
                break;
        const struct ep_instance_cell *instance = ep_image_instance(image, first->slot);
        if (instance && ep_load_acquire(&instance->born) &&
            !add_instance(snapshot, image, instance, first, next - i, sum))
            return false;
    }
    return true;
}

int ep_snapshot_instances_add(struct eprof_snapshot *snapshot, const struct ep_image *image)
{
    struct places places = {.count = 0};
    struct sum *sum = calloc(1, sizeof *sum);
    bool is_done = sum && find_places(&places, image);
    if (is_done && places.count)
        qsort(places.at, places.count, sizeof *places.at, compare_places);
    is_done = is_done && add_instances(snapshot, image, &places, sum);
    free(places.at);
    free(sum);
    if (!is_done)
        errno = ENOMEM;
    return is_done ? 0 : -1;
}
