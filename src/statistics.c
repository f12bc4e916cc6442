#include "statistics.h"

#include <errno.h>

#include "thread.h"

/* ---- clearing ---- */

static void clear_octave(union ep_cell *cells, ep_ref octave)
{
    for (int i = 0; octave && i < EP_OCTAVE_BUCKETS; i++)
        ep_store_release(&cells[octave].octave.count[i], 0);
}

static void clear_octaves(union ep_cell *cells, const struct ep_statistics *stats)
{
    for (unsigned octave = 0; octave < EP_OCTAVES; octave++)
        clear_octave(cells, ep_cell_octave(cells, stats, octave));
}

void ep_statistics_clear(union ep_cell *cells, struct ep_statistics *stats)
{
    ep_store_release(&stats->calls, 0);
    ep_store_release(&stats->total_ticks, 0);
    ep_store_release(&stats->min_ticks, UINT64_MAX);
    ep_store_release(&stats->max_ticks, 0);
    ep_store_release(&stats->pending, 0);
    ep_store_release(&stats->square_low, 0);
    ep_store_release(&stats->square_high, 0);
    ep_store_release(&stats->nested, 0);
    ep_store_release(&stats->errors, 0);
    ep_store_release(&stats->abandoned, 0);
    clear_octaves(cells, stats);
}

/* ---- the histogram's cells, made at first use ---- */

/* The reference at `place`, made if it is 0. */
static ep_ref need(struct ep_pool *pool, ep_ref *place)
{
    if (!*place) {
        ep_ref made = ep_thread_take(ep_self, pool, 1);
        if (made)
            ep_store_release(place, made);
    }
    return *place;
}

static ep_ref need_octave(struct ep_statistics *stats, struct ep_pool *pool, unsigned octave)
{
    if (octave < EP_NEAR_OCTAVES)
        return need(pool, &stats->octave[octave]);
    unsigned far = octave - EP_NEAR_OCTAVES;
    ep_ref cell = need(pool, &stats->far[far / 16]);
    return cell ? need(pool, &ep_self->cells[cell].far.octave[far % 16]) : 0;
}

/* Without a cell the calls count all the same; their percentiles do without them. */
static void add_counts(struct ep_statistics *stats, struct ep_pool *pool, unsigned bucket,
                       uint64_t times)
{
    ep_ref counts = need_octave(stats, pool, bucket / EP_OCTAVE_BUCKETS);
    if (counts)
        ep_add64(&ep_self->cells[counts].octave.count[bucket % EP_OCTAVE_BUCKETS], times);
}

static void spread_times(struct ep_statistics *stats, struct ep_pool *pool, uint64_t difference,
                         uint32_t times)
{
    struct ep_wide square = ep_wide_square(difference);
    for (uint32_t i = 0; i < times; i++)
        ep_add_wide(&stats->square_low, &stats->square_high, square.low, square.high);
    add_counts(stats, pool, ep_histogram_bucket(difference), times);
}

static void spread(struct ep_statistics *stats, struct ep_pool *pool, uint64_t difference)
{
    spread_times(stats, pool, difference, 1);
}

EP_COLD void ep_statistics_spread(struct ep_statistics *stats, struct ep_pool *pool,
                                  uint64_t difference)
{
    int saved_errno = errno;
    if (ep_self->busy) { /* a handler in the midst of a cold path: the call counts all the same */
        ep_thread_trouble(ep_self, EP_TROUBLE_OUT_OF_CELLS);
    } else {
        ep_thread_begin_cold();
        spread(stats, pool, difference);
        ep_thread_end_cold();
    }
    errno = saved_errno;
}

EP_COLD void ep_statistics_spread_pending_cold(struct ep_statistics *stats, struct ep_pool *pool)
{
    if (stats->pending) {
        ep_statistics_spread(stats, pool, stats->pending - 1);
        ep_store(&stats->pending, 0);
    }
}

void ep_statistics_count_sample(struct ep_statistics *stats, struct ep_pool *pool,
                                uint64_t difference, uint32_t weight)
{
    spread_times(stats, pool, difference, weight);
    ep_statistics_add_time(stats, difference);
    ep_add64(&stats->total_ticks, difference * (weight - 1));
    ep_add64_release(&stats->calls, 1); /* pairs with the acquires in snapshot_figures.c */
}

/* ---- before figures are moved ---- */

static bool is_used(ep_ref counts)
{
    uint64_t sum = 0;
    for (unsigned step = 0; counts && step < EP_OCTAVE_BUCKETS; step++)
        sum += ep_self->cells[counts].octave.count[step];
    return sum != 0;
}

void ep_statistics_reserve(struct ep_statistics *to, struct ep_pool *pool,
                           struct ep_statistics *from)
{
    if (from->pending) {
        spread(from, pool, from->pending - 1);
        ep_store(&from->pending, 0);
    }
    for (unsigned octave = 0; octave < EP_OCTAVES; octave++)
        if (is_used(ep_cell_octave(ep_self->cells, from, octave)))
            need_octave(to, pool, octave);
}
