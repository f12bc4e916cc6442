/*
 * pair.h - the cells of one instance on one thread: found, made, cleared, filled
 */
#ifndef EP_PAIR_H
#define EP_PAIR_H

#include "thread.h"
#include "wide.h"

enum {
    /* A handle that no instance ever has (instance.c: the last use of a slot is not given out). */
    EP_HANDLE_PROBE = (EP_SLOT_USES - 1) << EP_SLOT_BITS,
    EP_NEAR_BUCKETS = EP_NEAR_OCTAVES * EP_OCTAVE_BUCKETS
};

EP_INLINE uint32_t ep_pair_slot(int id)
{
    return (uint32_t)id & (EP_SLOTS - 1);
}

EP_INLINE const struct ep_pair_cell *ep_pair_at(const union ep_cell *cells, ep_ref ref)
{
    return (const struct ep_pair_cell *)&cells[ref];
}

/* What the stamp of a pair of this thread must be to be recorded into. */
EP_INLINE uint64_t ep_pair_stamp(const struct ep_thread *thread)
{
    return ep_load_acquire(&thread->control->generation) + thread->salt;
}

EP_INLINE bool ep_pair_is_current(const struct ep_pair_cell *pair, uint64_t stamp, int id)
{
    return pair->stamp == stamp && pair->handle == (uint32_t)id;
}

/* What handle and depth are together: one word to compare and to store. Put together
 * in a register: through memory, the 64-bit read would wait for the two stores. */
EP_INLINE uint64_t ep_pair_state(int id, uint32_t depth)
{
    uint64_t handle = (uint32_t)id;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return handle | (uint64_t)depth << 32;
#else
    return handle << 32 | depth;
#endif
}

/*
 * This thread's pair for a handle, brought up to date: made if there is none,
 * cleared if what it holds is of another time. NULL: the handle is bad, or
 * there is no memory; counted. The thread is busy.
 */
struct ep_pair_cell *ep_pair_visit(int id);

/* Whether a handle is that of an instance that has not been freed. */
bool ep_pair_is_alive(int id);

/* Adds all of `from` to `to`, both of them this thread's to write now. The thread is busy. */
void ep_pair_absorb(struct ep_pair_cell *to, const struct ep_pair_cell *from);

/* Puts a difference into the histogram and the sum of squares, whose cells it makes. */
void ep_pair_spread(struct ep_pair_cell *pair, uint64_t difference);
/* The same for the pending one, if there is one. */
void ep_pair_spread_pending_cold(struct ep_pair_cell *pair);

/* The same where the cells are made. false: they are not, nothing was done. */
EP_INLINE bool ep_pair_spread_hot(union ep_cell *cells, struct ep_pair_cell *pair, uint32_t bucket,
                                  uint64_t difference)
{
    ep_ref octave =
        EP_LIKELY(bucket < EP_NEAR_BUCKETS) ? pair->octave[bucket / EP_OCTAVE_BUCKETS] : 0;
    if (EP_UNLIKELY(!octave))
        return false;
    struct ep_wide square = ep_wide_square(difference);
    ep_add_wide(&pair->square_low, &pair->square_high, square.low, square.high);
    ep_add64(&cells[octave].octave.count[bucket % EP_OCTAVE_BUCKETS], 1);
    return true;
}

/*
 * At a start: the difference that the last stop left goes into the sum of
 * squares and the histogram. The depth is not 0, so no signal handler touches
 * what is pending.
 */
EP_INLINE void ep_pair_spread_pending(union ep_cell *cells, struct ep_pair_cell *pair)
{
    uint64_t pending = pair->pending;
    if (EP_UNLIKELY(!pending) ||
        EP_UNLIKELY(!ep_pair_spread_hot(cells, pair, pair->pending_bucket, pending - 1))) {
        ep_pair_spread_pending_cold(pair);
        return;
    }
    ep_store(&pair->pending, 0);
}

/* Adds to total, min and max. A span in a signal handler may do so at the same time. */
EP_INLINE void ep_pair_add_time(struct ep_pair_cell *pair, uint64_t difference)
{
    ep_add64(&pair->total_ticks, difference);
    uint64_t min = pair->min_ticks, max = pair->max_ticks;
    while (EP_UNLIKELY(difference < min) && !ep_swap64(&pair->min_ticks, min, difference))
        min = ep_load(&pair->min_ticks);
    while (EP_UNLIKELY(difference > max) && !ep_swap64(&pair->max_ticks, max, difference))
        max = ep_load(&pair->max_ticks);
}

/* At a stop: counts a timed call and leaves its difference pending. Nothing is
 * pending: the start has seen to it. */
EP_INLINE void ep_pair_count(struct ep_pair_cell *pair, uint64_t difference)
{
    pair->pending_bucket = ep_histogram_bucket(difference);
    ep_store(&pair->pending, difference + 1);
    ep_pair_add_time(pair, difference);
    ep_add64_release(&pair->calls, 1); /* pairs with the acquires in snapshot_figures.c */
}

#endif /* EP_PAIR_H */
