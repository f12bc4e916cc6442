#include "bench_processor.h"

#include <stdlib.h>

#include "base/compiler.h"
#include "base/histogram.h"
#include "bench_counter.h"
#include "bench_pairing.h"

enum level { STAMPS, TOTALS, CHECKS, HISTOGRAM, TABLE, DEPTH, OCTAVES };

struct cell {
    uint64_t stamp;
    uint64_t depth;
    uint64_t start_ticks, stop_ticks;
    uint64_t calls, total_ticks, min_ticks, max_ticks;
    uint64_t pending, square_low, square_high;
    uint32_t pending_bucket;
    uint32_t octave[EP_OCTAVES];
};

struct control {
    uint64_t generation, horizon_ticks;
};

struct thread {
    uint64_t table_size;
    const struct control *control;
    uint64_t (*octaves)[EP_OCTAVE_BUCKETS];
    struct cell *table[1];
};

#define LINE __attribute__((aligned(64)))
static struct control control LINE = {.generation = 1, .horizon_ticks = INT64_MAX};
static struct cell the_cell LINE = {.stamp = 1, .min_ticks = UINT64_MAX};
static uint64_t counts[EP_OCTAVES][EP_OCTAVE_BUCKETS] LINE;
static struct thread the_thread LINE = {1, &control, counts, {&the_cell}};
static EP_THREAD_LOCAL struct thread *self = &the_thread;

/* As in src/record/thread.h: two loads, one depends on the other. */
EP_INLINE struct cell *find(enum level level, uint32_t slot)
{
    if (level < TABLE)
        return &the_cell;
    struct thread *thread = self;
    if (EP_UNLIKELY(slot >= thread->table_size))
        abort();
    return thread->table[slot];
}

EP_INLINE const struct control *find_control(enum level level)
{
    return level < TABLE ? &control : self->control;
}

/* As in src/record/instance_cells.h: it runs in the start, after the read of the counter. */
EP_INLINE void spread_pending(struct cell *cell, enum level level)
{
    uint32_t bucket = cell->pending_bucket;
    uint64_t square = cell->pending * cell->pending;
    ep_add_wide(&cell->square_low, &cell->square_high, square, 0);
    if (level < TABLE) {
        ep_add64(&counts[0][bucket], 1);
    } else if (level < OCTAVES) {
        ep_add64(&self->octaves[0][bucket], 1);
    } else {
        uint32_t octave = cell->octave[bucket / EP_OCTAVE_BUCKETS];
        ep_add64(&self->octaves[octave][bucket % EP_OCTAVE_BUCKETS], 1);
    }
}

EP_INLINE void start(enum level level, uint32_t slot)
{
    struct cell *cell = find(level, slot);
    if (level >= DEPTH) {
        if (EP_UNLIKELY(cell->depth != 0))
            abort();
        ep_store(&cell->depth, 1);
        ep_signal_fence();
    }
    if (level >= CHECKS && EP_UNLIKELY(cell->stamp != ep_load(&find_control(level)->generation)))
        abort();
    ep_store(&cell->start_ticks, bench_counter_read());
    if (level >= HISTOGRAM)
        spread_pending(cell, level);
}

EP_INLINE void count(struct cell *cell, uint64_t difference)
{
    ep_add64(&cell->total_ticks, difference);
    if (EP_UNLIKELY(difference < cell->min_ticks))
        ep_store(&cell->min_ticks, difference);
    if (EP_UNLIKELY(difference > cell->max_ticks))
        ep_store(&cell->max_ticks, difference);
    ep_add64(&cell->calls, 1);
}

EP_INLINE void stop(enum level level, uint32_t slot)
{
    struct cell *cell = find(level, slot);
    __asm__ volatile("" : "+r"(cell)); /* before the clock is read */
    uint64_t now_ticks = bench_counter_read();
    uint64_t difference = now_ticks - cell->start_ticks;
    if (level >= DEPTH && EP_UNLIKELY(cell->depth != 1))
        abort();
    if (level >= CHECKS && (EP_UNLIKELY(cell->stamp != ep_load(&find_control(level)->generation)) ||
                            EP_UNLIKELY(difference > ep_load(&find_control(level)->horizon_ticks))))
        abort();
    if (level >= HISTOGRAM) {
        cell->pending_bucket = ep_histogram_bucket(difference);
        ep_store(&cell->pending, difference);
    }
    if (level >= TOTALS)
        count(cell, difference);
    else
        ep_store(&cell->stop_ticks, now_ticks);
    if (level >= DEPTH)
        ep_store(&cell->depth, 0);
}

#define LOOP(name, level)                                                                          \
    __attribute__((noinline)) static void start_##name(uint32_t slot)                              \
    {                                                                                              \
        start(level, slot);                                                                        \
    }                                                                                              \
    __attribute__((noinline)) static void stop_##name(uint32_t slot)                               \
    {                                                                                              \
        stop(level, slot);                                                                         \
    }                                                                                              \
    BENCH_LOOP void bench_floor_##name(uint64_t pairs)                                             \
    {                                                                                              \
        static volatile uint32_t any_slot; /* 0, but unknown to the compiler */                    \
        uint32_t slot = any_slot;                                                                  \
        for (uint64_t i = 0; i < pairs; i++) {                                                     \
            start_##name(slot);                                                                    \
            stop_##name(slot);                                                                     \
        }                                                                                          \
    }

LOOP(stamps, STAMPS)
LOOP(totals, TOTALS)
LOOP(checks, CHECKS)
LOOP(histogram, HISTOGRAM)
LOOP(table, TABLE)
LOOP(depth, DEPTH)
LOOP(octaves, OCTAVES)
