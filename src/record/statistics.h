/*
 * record/statistics.h - the figures of one region on one thread: how a difference of ticks is added
 *
 * The same code is for instance cells and for nodes of the call tree. snapshot/figures.h reads
 * them.
 */
#ifndef EP_RECORD_STATISTICS_H
#define EP_RECORD_STATISTICS_H

#include "base/wide.h"
#include "image/layout.h"

struct ep_pool;

enum { EP_NEAR_BUCKETS = EP_NEAR_OCTAVES * EP_OCTAVE_BUCKETS };

/* Zeroes each field by a release, so that a reader that sees any of them cleared also sees that the
 * generation was set to 0 before; pairs with the acquires in snapshot/figures.c. */
void ep_statistics_clear(union ep_cell *cells, struct ep_statistics *stats);

/* Adds a difference, or the pending one if there is one, to the histogram and the sum of squares.
 * Their cells are taken from `pool`, a pool of this thread. */
void ep_statistics_add(struct ep_statistics *stats, struct ep_pool *pool, uint64_t difference);
void ep_statistics_add_pending_cold(struct ep_statistics *stats, struct ep_pool *pool);

/* Whether the histogram has a cell for such a time. */
EP_INLINE bool ep_statistics_has_room(const struct ep_statistics *stats, uint64_t difference)
{
    uint32_t bucket = ep_histogram_bucket(difference);
    return bucket < EP_NEAR_BUCKETS && stats->octave[bucket / EP_OCTAVE_BUCKETS];
}

/* Adds one call that represents `weight` calls to every figure except `calls`. The thread is busy,
 * or the histogram has room. */
void ep_statistics_add_sample(struct ep_statistics *stats, struct ep_pool *pool,
                              uint64_t difference, uint32_t weight);

/* Prepares ep_statistics_add_all(): adds the pending difference of `from` and makes the cells that
 * `to` will need. Both belong to this thread. The thread is busy. */
void ep_statistics_reserve(struct ep_statistics *to, struct ep_pool *pool,
                           struct ep_statistics *from);

/* ep_statistics_add() where the cell exists, for a near octave but the lowest one: the processor's
 * counter is faster. false: nothing was added. */
EP_INLINE bool ep_statistics_add_hot(union ep_cell *cells, struct ep_statistics *stats,
                                     uint64_t difference)
{
    uint64_t highest = ep_histogram_highest(difference | 1);
    if (EP_UNLIKELY(highest - EP_OCTAVE_BITS >= EP_NEAR_OCTAVES - 1))
        return false;
    const ep_ref *octaves = stats->octave;
    ep_ref octave = *(octaves + highest - EP_OCTAVE_BITS + 1);
    if (EP_UNLIKELY(!octave))
        return false;
    uint64_t *counts = cells[octave].octave.count;
    ep_add64(counts + (difference >> (highest - EP_OCTAVE_BITS)) - EP_OCTAVE_BUCKETS, 1);
    struct ep_wide square = ep_wide_square(difference);
    ep_add_wide(&stats->square_low, &stats->square_high, square.low, square.high);
    return true;
}

/* The same for the lowest octave. */
EP_INLINE bool ep_statistics_add_lowest(union ep_cell *cells, struct ep_statistics *stats,
                                        uint64_t difference)
{
    ep_ref counts = stats->octave[0];
    if (EP_UNLIKELY(!counts))
        return false;
    ep_add_wide(&stats->square_low, &stats->square_high, difference * difference, 0);
    ep_add64(&cells[counts].octave.count[difference], 1);
    return true;
}

/* At a start: adds the difference that the last stop left pending. The region is already open, so
 * no signal handler touches it. */
EP_INLINE void ep_statistics_add_pending(union ep_cell *cells, struct ep_statistics *stats,
                                         struct ep_pool *pool)
{
    uint64_t difference = stats->pending - 1; /* nothing pending: beyond the near octaves too */
    if (EP_UNLIKELY(!ep_statistics_add_hot(cells, stats, difference))) {
        ep_statistics_add_pending_cold(stats, pool);
        return;
    }
    ep_store(&stats->pending, 0);
}

EP_INLINE void ep_statistics_lower_min(struct ep_statistics *stats, uint64_t difference)
{
    uint64_t min = ep_load(&stats->min_ticks);
    while (difference < min && !ep_swap64(&stats->min_ticks, min, difference))
        min = ep_load(&stats->min_ticks);
}

EP_INLINE void ep_statistics_raise_max(struct ep_statistics *stats, uint64_t difference)
{
    uint64_t max = ep_load(&stats->max_ticks);
    while (difference > max && !ep_swap64(&stats->max_ticks, max, difference))
        max = ep_load(&stats->max_ticks);
}

/* Adds to total, min and max. A span in a signal handler may do so at the same time. Only this
 * thread writes them, so the first look at each is an ordinary read, which the compiler can make
 * part of the comparison. */
EP_INLINE void ep_statistics_add_time(struct ep_statistics *stats, uint64_t difference)
{
    ep_add64(&stats->total_ticks, difference);
    if (EP_UNLIKELY(difference < stats->min_ticks))
        ep_statistics_lower_min(stats, difference);
    if (EP_UNLIKELY(difference > stats->max_ticks))
        ep_statistics_raise_max(stats, difference);
}

/* At a stop: counts a timed call and leaves its difference pending. Nothing else is pending, since
 * the start added it. The release pairs with the acquires in snapshot/figures.c. */
EP_INLINE void ep_statistics_count(struct ep_statistics *stats, uint64_t difference)
{
    ep_store(&stats->pending, difference + 1);
    ep_statistics_add_time(stats, difference);
    ep_add64_release(&stats->calls, 1);
}

/* Counts a call inside another call of the same region. Release as in ep_statistics_count(). */
EP_INLINE void ep_statistics_count_nested(struct ep_statistics *stats)
{
    ep_add64(&stats->nested, 1);
    ep_add64_release(&stats->calls, 1);
}

/* Counts a call whose difference is impossible. Release as in ep_statistics_count(). */
EP_INLINE void ep_statistics_count_rejected(struct ep_statistics *stats)
{
    ep_add64(&stats->errors, 1);
    ep_add64_release(&stats->calls, 1);
}

/* Adds all figures except `calls`, of a kept hold or of an ended thread; `from` is not shown any
 * more. ep_statistics_reserve() was called; an octave for which there was no memory is lost. The
 * thread is busy. */
void ep_statistics_add_all(struct ep_statistics *to, const struct ep_statistics *from);
/* After that, and after the addition of the sampling cells: if the program is killed before, the
 * calls are lost, and none is taken for an untimed one. */
void ep_statistics_add_calls(struct ep_statistics *to, const struct ep_statistics *from);

#endif /* EP_RECORD_STATISTICS_H */
