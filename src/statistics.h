/*
 * statistics.h - the figures of one region on one thread: a difference goes in
 *
 * The same for the pair of an instance and for a node of the call tree.
 */
#ifndef EP_STATISTICS_H
#define EP_STATISTICS_H

#include "cell.h"
#include "wide.h"

struct ep_pool;

enum { EP_NEAR_BUCKETS = EP_NEAR_OCTAVES * EP_OCTAVE_BUCKETS };

/* All to zero, each field by a release, so that a stamp that was set to 0 before is
 * seen before any of them; pairs with the acquires in snapshot_figures.c. */
void ep_statistics_clear(union ep_cell *cells, struct ep_statistics *stats);

/* Puts a difference into the histogram and the sum of squares, whose cells it takes
 * from `pool`, one of this thread's. */
void ep_statistics_spread(struct ep_statistics *stats, struct ep_pool *pool, uint64_t difference);
/* The same for the pending one, if there is one. */
void ep_statistics_spread_pending_cold(struct ep_statistics *stats, struct ep_pool *pool);

/* Counts a call that stands for `weight` of them in all figures but the calls. The thread is
 * busy. */
void ep_statistics_count_sample(struct ep_statistics *stats, struct ep_pool *pool,
                                uint64_t difference, uint32_t weight);

/* Before `from` is moved to `to`, both of them this thread's to write now: nothing of it is
 * pending any more, and the cells that it will take are made. The thread is busy. */
void ep_statistics_reserve(struct ep_statistics *to, struct ep_pool *pool,
                           struct ep_statistics *from);

/* ep_statistics_spread() where the cells are made. false: they are not, nothing was done. */
EP_INLINE bool ep_statistics_spread_hot(union ep_cell *cells, struct ep_statistics *stats,
                                        uint32_t bucket, uint64_t difference)
{
    ep_ref octave =
        EP_LIKELY(bucket < EP_NEAR_BUCKETS) ? stats->octave[bucket / EP_OCTAVE_BUCKETS] : 0;
    if (EP_UNLIKELY(!octave))
        return false;
    struct ep_wide square = ep_wide_square(difference);
    ep_add_wide(&stats->square_low, &stats->square_high, square.low, square.high);
    ep_add64(&cells[octave].octave.count[bucket % EP_OCTAVE_BUCKETS], 1);
    return true;
}

/*
 * At a start: the difference that the last stop left goes into the sum of
 * squares and the histogram. The region is open by now, so no signal handler touches
 * what is pending.
 */
EP_INLINE void ep_statistics_spread_pending(union ep_cell *cells, struct ep_statistics *stats,
                                            struct ep_pool *pool)
{
    uint64_t pending = stats->pending;
    if (EP_UNLIKELY(!pending) ||
        EP_UNLIKELY(!ep_statistics_spread_hot(cells, stats, stats->pending_bucket, pending - 1))) {
        ep_statistics_spread_pending_cold(stats, pool);
        return;
    }
    ep_store(&stats->pending, 0);
}

/* Adds to total, min and max. A span in a signal handler may do so at the same time. */
EP_INLINE void ep_statistics_add_time(struct ep_statistics *stats, uint64_t difference)
{
    ep_add64(&stats->total_ticks, difference);
    uint64_t min = stats->min_ticks, max = stats->max_ticks;
    while (EP_UNLIKELY(difference < min) && !ep_swap64(&stats->min_ticks, min, difference))
        min = ep_load(&stats->min_ticks);
    while (EP_UNLIKELY(difference > max) && !ep_swap64(&stats->max_ticks, max, difference))
        max = ep_load(&stats->max_ticks);
}

/* At a stop: counts a timed call and leaves its difference pending. Nothing is
 * pending: the start has seen to it. */
EP_INLINE void ep_statistics_count(struct ep_statistics *stats, uint64_t difference)
{
    stats->pending_bucket = ep_histogram_bucket(difference);
    ep_store(&stats->pending, difference + 1);
    ep_statistics_add_time(stats, difference);
    ep_add64_release(&stats->calls, 1); /* pairs with the acquires in snapshot_figures.c */
}

/*
 * Whether a call took a hundred times the mean, more than a sample of a throttled function stands
 * for: an interrupt, or another process in its place, as a rule, and not the function's doing. 64
 * of them would be what the profile is of.
 */
EP_INLINE bool ep_statistics_is_outlier(const struct ep_statistics *stats, uint64_t difference)
{
    uint64_t timed = stats->calls - stats->nested - stats->errors;
    return timed && difference / 100 > stats->total_ticks / timed;
}

/* Counts a call that is inside another of the same region. */
EP_INLINE void ep_statistics_count_nested(struct ep_statistics *stats)
{
    ep_add64(&stats->nested, 1);
    ep_add64_release(&stats->calls, 1);
}

/* Counts a call whose difference cannot be. */
EP_INLINE void ep_statistics_count_rejected(struct ep_statistics *stats)
{
    ep_add64(&stats->errors, 1);
    ep_add64_release(&stats->calls, 1);
}

#endif /* EP_STATISTICS_H */
