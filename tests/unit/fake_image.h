/*
 * fake_image.h - an image made by hand, cell by cell, with nobody who records
 */
#ifndef FAKE_IMAGE_H
#define FAKE_IMAGE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "image.h"
#include "snapshot.h"
#include "wide.h"

static struct ep_image fake;

static inline int fake_begin(void **state)
{
    (void)state;
    return ep_image_create(&fake);
}

static inline int fake_end(void **state)
{
    (void)state;
    ep_image_destroy(&fake);
    return 0;
}

static inline void fake_reset(uint64_t generation)
{
    ep_image_control(&fake)->generation = generation;
    ep_image_control(&fake)->reset_generation = generation;
}

static inline struct ep_instance_cell *fake_instance(uint32_t slot, const char *label,
                                                     uint64_t born)
{
    assert_return_code(ep_image_instance_add(&fake, slot), errno);
    struct ep_instance_cell *instance = ep_image_instance(&fake, slot);
    instance->handle = slot;
    instance->label_bytes = (uint32_t)strlen(label);
    instance->label = ep_image_text(&fake, label, instance->label_bytes, &instance->label_cells);
    instance->born = born;
    return instance;
}

static inline struct ep_thread_cell *fake_thread(uint32_t number, const char *name)
{
    ep_ref block = ep_image_take(&fake, EP_BLOCK_CELLS);
    assert_int_not_equal(block, 0);
    struct ep_thread_cell *thread = &fake.cells[block].thread;
    thread->number = number;
    thread->state = EP_THREAD_LIVING;
    thread->trouble = block + 1;
    thread->move = block + 2;
    if (name) {
        thread->name_bytes = (uint32_t)strlen(name);
        uint32_t cells;
        thread->name = ep_image_text(&fake, name, thread->name_bytes, &cells);
    }
    ep_ref *place = &ep_image_root(&fake)->threads;
    while (*place)
        place = &fake.cells[*place].thread.next;
    *place = block;
    return thread;
}

/* Of the instance in `slot`, whose handle is the slot; empty. */
static inline struct ep_pair_cell *fake_pair(struct ep_thread_cell *thread, uint32_t slot,
                                             uint64_t stamp)
{
    ep_ref cells = ep_image_take(&fake, EP_BLOCK_CELLS);
    assert_int_not_equal(cells, 0);
    struct ep_pair_cell *pair = (struct ep_pair_cell *)&fake.cells[cells];
    pair->stamp = stamp;
    pair->handle = slot;
    pair->stats.min_ticks = UINT64_MAX;
    ep_ref *place = &thread->pairs;
    while (*place)
        place = &((struct ep_pair_cell *)&fake.cells[*place])->next;
    *place = cells;
    return pair;
}

static inline ep_ref fake_cell(ep_ref *place)
{
    if (!*place)
        *place = ep_image_take(&fake, 1);
    assert_int_not_equal(*place, 0);
    return *place;
}

/* A difference as a stop leaves it: counted, but not yet in histogram and squares. */
static inline void fake_leave_pending_in(struct ep_statistics *stats, uint64_t ticks)
{
    stats->calls++;
    stats->total_ticks += ticks;
    stats->min_ticks = ticks < stats->min_ticks ? ticks : stats->min_ticks;
    stats->max_ticks = ticks > stats->max_ticks ? ticks : stats->max_ticks;
    stats->pending = ticks + 1;
}

static inline void fake_leave_pending(struct ep_pair_cell *pair, uint64_t ticks)
{
    fake_leave_pending_in(&pair->stats, ticks);
}

/* The next start puts it where it belongs. */
static inline void fake_spread_pending(struct ep_statistics *stats)
{
    uint64_t ticks = stats->pending - 1;
    uint32_t bucket = ep_histogram_bucket(ticks);
    uint32_t octave = bucket / EP_OCTAVE_BUCKETS, far = octave - EP_NEAR_OCTAVES;
    ep_ref *place = octave < EP_NEAR_OCTAVES
                        ? &stats->octave[octave]
                        : &fake.cells[fake_cell(&stats->far[far / 16])].far.octave[far % 16];
    fake.cells[fake_cell(place)].octave.count[bucket % EP_OCTAVE_BUCKETS]++;
    struct ep_wide squares = {stats->square_low, stats->square_high};
    squares = ep_wide_add(squares, ep_wide_multiply(ticks, ticks));
    stats->square_low = squares.low;
    stats->square_high = squares.high;
    stats->pending = 0;
}

static inline void fake_call(struct ep_pair_cell *pair, uint64_t ticks)
{
    fake_leave_pending(pair, ticks);
    fake_spread_pending(&pair->stats);
}

#define MERGED ((struct ep_snapshot_options){.threads = false})
#define BY_THREADS ((struct ep_snapshot_options){.threads = true})
#define RAW ((struct ep_snapshot_options){.raw = true})

/* Of an image that nobody writes any more. */
#define NO_PRESENT ((struct ep_present){.is_live = false})

/* A tick is a ns. */
static inline struct eprof_snapshot *fake_take_at(struct ep_present present,
                                                  struct ep_snapshot_options options)
{
    struct eprof_snapshot *snapshot =
        ep_snapshot_take(&fake, (struct ep_scale){1, 1}, present, options);
    assert_non_null(snapshot);
    return snapshot;
}

static inline struct eprof_snapshot *fake_take(struct ep_snapshot_options options)
{
    return fake_take_at(NO_PRESENT, options);
}

/* The row of the one instance there is; its strings are gone. */
static inline struct eprof_row fake_only_row(struct ep_snapshot_options options)
{
    struct eprof_snapshot *snapshot = fake_take(options);
    if (snapshot->trouble_first != 1)
        fail_msg("%zu rows of instances", snapshot->trouble_first);
    struct eprof_row row = snapshot->rows[0];
    ep_snapshot_free(snapshot);
    return row;
}

#endif /* FAKE_IMAGE_H */
