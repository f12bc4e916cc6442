#include "bench_loops.h"

#include <stdlib.h>

#include "base/compiler.h"
#include "base/histogram.h"
#include "bench_counter.h"
#include "bench_pairing.h"

/*
 * A copy of the instructions of src/instrument/instance.c and src/record/instance_cells.h; a change
 * there must be repeated here. The cold paths are left out: here no cell is ever stale.
 */

/* struct ep_pair_cell */
struct reference_pair {
    uint64_t stamp;
    uint32_t handle, depth;
    uint64_t start_ticks, calls, total_ticks, min_ticks, max_ticks, pending;
    uint64_t square_low, square_high;
    uint32_t pending_bucket;
    uint32_t unused[11];
    uint32_t octave[EP_OCTAVES];
};

/* struct ep_control_cell */
struct reference_control {
    uint64_t generation, horizon_ticks;
};

struct reference_octave {
    uint64_t count[EP_OCTAVE_BUCKETS];
};

/* struct ep_thread, followed by all data to which it points.
 * NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): the order is that of the library */
struct reference_thread {
    uint32_t pair_count;
    struct reference_control *control;
    struct reference_octave *octaves;
    uint64_t owner_tag;
    struct reference_pair *pairs[8];
    _Alignas(64) struct reference_control own_control;
    _Alignas(64) struct reference_pair own_pair;
    _Alignas(64) struct reference_octave own_octaves[EP_OCTAVES + 1]; /* 0: none */
};

/* The flag that the inline part in the header tests; volatile, so that it is tested. */
static volatile int recording = 3;

static _Thread_local struct reference_thread own;
static _Thread_local struct reference_thread *self;

static void set_up(void)
{
    own.pair_count = sizeof own.pairs / sizeof *own.pairs;
    own.pairs[0] = &own.own_pair;
    own.control = &own.own_control;
    own.octaves = own.own_octaves;
    own.own_control = (struct reference_control){.generation = 1, .horizon_ticks = INT64_MAX};
    own.own_pair = (struct reference_pair){.stamp = 1, .min_ticks = UINT64_MAX, .pending = 1};
    for (uint32_t octave = 0; octave < EP_OCTAVES; octave++)
        own.own_pair.octave[octave] = octave + 1;
    self = &own;
}

static bool is_current(const struct reference_thread *thread, const struct reference_pair *pair,
                       int id)
{
    uint64_t stamp = ep_load_acquire(&thread->control->generation) + thread->owner_tag;
    return ((pair->stamp ^ stamp) | (pair->handle ^ (uint32_t)id)) == 0;
}

static void spread_pending(struct reference_thread *thread, struct reference_pair *pair)
{
    uint32_t bucket = pair->pending_bucket;
    uint32_t octave = EP_LIKELY(bucket < EP_BUCKETS) ? pair->octave[bucket / EP_OCTAVE_BUCKETS] : 0;
    uint64_t pending = pair->pending;
    if (EP_UNLIKELY(!octave) || EP_UNLIKELY(!pending))
        abort();
    uint64_t square = (pending - 1) * (pending - 1);
    ep_add_wide(&pair->square_low, &pair->square_high, square, 0);
    ep_add64(&thread->octaves[octave].count[bucket % EP_OCTAVE_BUCKETS], 1);
    ep_store(&pair->pending, 0);
}

__attribute__((noinline)) static void reference_start(int id)
{
    struct reference_thread *thread = self;
    if (EP_UNLIKELY((uint32_t)id >= thread->pair_count))
        abort();
    struct reference_pair *pair = thread->pairs[id];
    if (EP_UNLIKELY(pair->depth != 0))
        abort();
    ep_store(&pair->depth, 1);
    ep_signal_fence();
    if (EP_UNLIKELY(!is_current(thread, pair, id)))
        abort();
    ep_store(&pair->start_ticks, bench_counter_read());
    spread_pending(thread, pair);
}

static void count(struct reference_pair *pair, uint64_t difference)
{
    pair->pending_bucket = ep_histogram_bucket(difference);
    ep_store(&pair->pending, difference + 1);
    ep_add64(&pair->total_ticks, difference);
    uint64_t min = pair->min_ticks, max = pair->max_ticks;
    if (EP_UNLIKELY(difference < min) && !ep_swap64(&pair->min_ticks, min, difference))
        abort();
    if (EP_UNLIKELY(difference > max) && !ep_swap64(&pair->max_ticks, max, difference))
        abort();
    ep_add64(&pair->calls, 1);
}

__attribute__((noinline)) static void reference_stop(int id)
{
    struct reference_thread *thread = self;
    if (EP_UNLIKELY((uint32_t)id >= thread->pair_count))
        abort();
    uint64_t now = bench_counter_read();
    struct reference_pair *pair = thread->pairs[id];
    uint64_t difference = now - pair->start_ticks;
    if (EP_UNLIKELY(!is_current(thread, pair, id)) || EP_UNLIKELY(pair->depth != 1) ||
        EP_UNLIKELY(difference > ep_load(&thread->control->horizon_ticks)))
        abort();
    count(pair, difference);
    ep_store(&pair->depth, 0);
}

BENCH_LOOP void bench_reference_pairs(uint64_t pairs)
{
    static volatile int any_id; /* 0, but unknown to the compiler */
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
