#include "bench_reference.h"

#include <stddef.h>
#include <stdlib.h>

#include "bench_counter.h"
#include "bench_pairing.h"
#include "compiler.h"
#include "histogram.h"

/*
 * After src/instance_record.c and src/pair.h; where those change, so must this.
 * What is left out are the cold paths: nothing here is ever stale.
 */

/* struct ep_pair_cell */
struct reference_pair {
    uint64_t stamp;
    uint32_t handle, depth;
    uint64_t start_ticks, calls, total_ticks, min_ticks, max_ticks, pending;
    uint64_t square_low, square_high;
    uint32_t octave_index[4];
    uint64_t unused[4];
};

struct reference_control {
    uint64_t generation, horizon_ticks;
    uint64_t unused[6];
};

/* struct ep_thread, and all that it points to. An octave's number is here the
 * number of its row in `octaves`, through an index as there. */
struct reference_thread {
    struct reference_pair *pairs[8];
    uint32_t pair_count;
    uint64_t salt;
    struct reference_control *control;
    _Alignas(64) struct reference_control own_control;
    _Alignas(128) struct reference_pair pair;
    _Alignas(64) uint32_t index[5][16];
    _Alignas(64) uint64_t octaves[EP_OCTAVES + 1][EP_OCTAVE_BUCKETS];
};

/* What the inline halves test; volatile, so that they do. */
static volatile int recording = 3;

static _Thread_local struct reference_thread own;
static _Thread_local struct reference_thread *self;

static void set_up(void)
{
    own.pairs[0] = &own.pair;
    own.pair_count = 1;
    own.own_control = (struct reference_control){.generation = 1, .horizon_ticks = INT64_MAX};
    own.control = &own.own_control;
    own.pair.stamp = 1;
    own.pair.min_ticks = UINT64_MAX;
    for (uint32_t i = 0; i < 4; i++)
        own.pair.octave_index[i] = i + 1;
    for (uint32_t octave = 0; octave < EP_OCTAVES; octave++)
        own.index[octave / 16 + 1][octave % 16] = octave + 1;
    self = &own;
}

static uint64_t stamp_of(const struct reference_thread *thread)
{
    return ep_load_acquire(&thread->control->generation) + thread->salt;
}

static bool is_current(const struct reference_pair *pair, uint64_t stamp, int id)
{
    return ((pair->stamp ^ stamp) | (pair->handle ^ (uint32_t)id)) == 0;
}

__attribute__((noinline)) static void reference_start(int id)
{
    struct reference_thread *thread = self;
    if (EP_UNLIKELY((uint32_t)id >= thread->pair_count))
        abort();
    struct reference_pair *pair = thread->pairs[id];
    uint64_t stamp = stamp_of(thread);
    if (EP_UNLIKELY(!is_current(pair, stamp, id)))
        abort();
    uint32_t depth = pair->depth;
    ep_add32(&pair->depth, 1);
    if (EP_UNLIKELY(stamp != stamp_of(thread)))
        abort();
    if (EP_LIKELY(depth == 0))
        ep_store(&pair->start_ticks, bench_counter_read());
}

static void spread(struct reference_thread *thread, struct reference_pair *pair, uint64_t value)
{
    unsigned octave = ep_histogram_octave(value);
    uint32_t counts = thread->index[pair->octave_index[octave / 16]][octave % 16];
    if (EP_UNLIKELY(!counts))
        abort();
    ep_add_wide(&pair->square_low, &pair->square_high, value * value, 0);
    ep_add64(&thread->octaves[counts][ep_histogram_step(value, octave)], 1);
}

static void count(struct reference_thread *thread, struct reference_pair *pair, uint64_t difference)
{
    ep_add64(&pair->total_ticks, difference);
    uint64_t min = pair->min_ticks, max = pair->max_ticks;
    if (EP_UNLIKELY(difference < min) && !ep_swap64(&pair->min_ticks, min, difference))
        abort();
    if (EP_UNLIKELY(difference > max) && !ep_swap64(&pair->max_ticks, max, difference))
        abort();
    uint64_t before = pair->pending;
    if (EP_UNLIKELY(!ep_swap64(&pair->pending, before, difference + 1)))
        abort();
    if (EP_LIKELY(before != 0))
        spread(thread, pair, before - 1);
    ep_add64(&pair->calls, 1);
}

__attribute__((noinline)) static void reference_stop(int id)
{
    struct reference_thread *thread = self;
    uint64_t now = bench_counter_read();
    if (EP_UNLIKELY((uint32_t)id >= thread->pair_count))
        abort();
    struct reference_pair *pair = thread->pairs[id];
    uint64_t difference = now - pair->start_ticks;
    if (EP_UNLIKELY(!is_current(pair, stamp_of(thread), id) || pair->depth != 1 ||
                    difference > ep_load(&thread->control->horizon_ticks)))
        abort();
    count(thread, pair, difference);
    ep_add32(&pair->depth, (uint32_t)-1);
}

BENCH_LOOP void bench_reference_pairs(uint64_t pairs)
{
    static volatile int any_id = 0;
    int id = any_id;
    if (!self)
        set_up();
    for (uint64_t i = 0; i < pairs; i++) {
        if (EP_LIKELY(recording & 2))
            reference_start(id);
        if (EP_LIKELY(recording & 1))
            reference_stop(id);
    }
}
