#include "record/statistics.h"

#include <errno.h>

#include "record/thread.h"

/* The first octave with counts from `octave` on; EP_OCTAVES: there is none. */
static unsigned next_octave(const union ep_cell *cells, const struct ep_statistics *stats,
                            unsigned octave)
{
    for (; octave < EP_NEAR_OCTAVES; octave++)
        if (stats->octave[octave])
            return octave;
    while (octave < EP_OCTAVES && !ep_cell_octave(cells, stats, octave)) {
        unsigned far = octave - EP_NEAR_OCTAVES;
        octave += stats->far[far / EP_CELL_REFS] ? 1 : EP_CELL_REFS - far % EP_CELL_REFS;
    }
    return octave;
}

static void clear_octave(union ep_cell *cells, const struct ep_statistics *stats, unsigned octave)
{
    ep_ref counts = ep_cell_octave(cells, stats, octave);
    for (int i = 0; counts && i < EP_OCTAVE_BUCKETS; i++)
        ep_store_release(&cells[counts].octave.count[i], 0);
}

/* Of one call, as an EPROF_SLOW has in its hold, only one octave has a count. */
void ep_statistics_clear(union ep_cell *cells, struct ep_statistics *stats)
{
    bool is_single = stats->calls <= 1;
    unsigned octave = is_single ? ep_histogram_bucket(stats->max_ticks) / EP_OCTAVE_BUCKETS : 0;
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
    if (is_single)
        clear_octave(cells, stats, octave);
    for (; !is_single && (octave = next_octave(cells, stats, octave)) < EP_OCTAVES; octave++)
        clear_octave(cells, stats, octave);
}

/* The reference in *link, made if it is 0. Release: pairs with the acquire in ep_cell_octave(). */
static ep_ref need(struct ep_pool *pool, ep_ref *link)
{
    if (!*link) {
        ep_ref made = ep_thread_take(ep_thread_self, pool, 1);
        if (made)
            ep_store_release(link, made);
    }
    return *link;
}

static ep_ref need_octave(struct ep_statistics *stats, struct ep_pool *pool, unsigned octave)
{
    if (octave < EP_NEAR_OCTAVES)
        return need(pool, &stats->octave[octave]);
    unsigned far = octave - EP_NEAR_OCTAVES;
    ep_ref cell = need(pool, &stats->far[far / 16]);
    return cell ? need(pool, &ep_thread_self->cells[cell].far.octave[far % 16]) : 0;
}

/* Without a cell the call counts in all figures except the percentiles. */
static void add_times(struct ep_statistics *stats, struct ep_pool *pool, uint64_t difference,
                      uint32_t times)
{
    struct ep_wide squares = ep_wide_multiply_by(ep_wide_square(difference), times);
    unsigned bucket = ep_histogram_bucket(difference);
    ep_add_wide(&stats->square_low, &stats->square_high, squares.low, squares.high);
    ep_ref counts = need_octave(stats, pool, bucket / EP_OCTAVE_BUCKETS);
    if (counts)
        ep_add64(&ep_thread_self->cells[counts].octave.count[bucket % EP_OCTAVE_BUCKETS], times);
}

EP_COLD void ep_statistics_add(struct ep_statistics *stats, struct ep_pool *pool,
                               uint64_t difference)
{
    if (difference < EP_OCTAVE_BUCKETS &&
        ep_statistics_add_lowest(ep_thread_self->cells, stats, difference))
        return;
    int saved_errno = errno;
    if (ep_thread_self->busy) { /* a signal handler: counted without percentiles */
        ep_thread_diagnose(ep_thread_self, EP_DIAGNOSTIC_OUT_OF_CELLS);
    } else {
        ep_thread_begin_cold();
        add_times(stats, pool, difference, 1);
        ep_thread_end_cold();
    }
    errno = saved_errno;
}

EP_COLD void ep_statistics_add_pending_cold(struct ep_statistics *stats, struct ep_pool *pool)
{
    if (stats->pending) {
        ep_statistics_add(stats, pool, stats->pending - 1);
        ep_store(&stats->pending, 0);
    }
}

void ep_statistics_add_sample(struct ep_statistics *stats, struct ep_pool *pool,
                              uint64_t difference, uint32_t weight)
{
    add_times(stats, pool, difference, weight);
    ep_statistics_add_time(stats, difference);
    ep_add64(&stats->total_ticks, difference * (weight - 1));
}

void ep_statistics_reserve(struct ep_statistics *to, struct ep_pool *pool,
                           struct ep_statistics *from)
{
    if (from->pending) {
        add_times(from, pool, from->pending - 1, 1);
        ep_store(&from->pending, 0);
    }
    const union ep_cell *cells = ep_thread_self->cells;
    for (unsigned octave = 0; (octave = next_octave(cells, from, octave)) < EP_OCTAVES; octave++) {
        ep_ref counts = ep_cell_octave(cells, from, octave);
        uint64_t sum = 0;
        for (unsigned step = 0; step < EP_OCTAVE_BUCKETS; step++)
            sum += cells[counts].octave.count[step];
        if (sum)
            need_octave(to, pool, octave);
    }
}

/* By single instructions, since a signal handler may add a span to `to`. */
void ep_statistics_add_all(struct ep_statistics *to, const struct ep_statistics *from)
{
    const union ep_cell *cells = ep_thread_self->cells;
    ep_add64(&to->total_ticks, from->total_ticks);
    if (from->min_ticks < to->min_ticks)
        ep_store(&to->min_ticks, from->min_ticks);
    if (from->max_ticks > to->max_ticks)
        ep_store(&to->max_ticks, from->max_ticks);
    ep_add_wide(&to->square_low, &to->square_high, from->square_low, from->square_high);
    for (unsigned octave = 0; (octave = next_octave(cells, from, octave)) < EP_OCTAVES; octave++) {
        ep_ref counts = ep_cell_octave(cells, from, octave),
               sums = ep_cell_octave(cells, to, octave);
        for (unsigned step = 0; sums && step < EP_OCTAVE_BUCKETS; step++)
            ep_add64(&ep_thread_self->cells[sums].octave.count[step],
                     cells[counts].octave.count[step]);
    }
    ep_add64(&to->nested, from->nested);
    ep_add64(&to->errors, from->errors);
    ep_add32(&to->abandoned, from->abandoned);
}

/* Last, as at every end of a call; pairs with the acquires in snapshot/figures.c. */
void ep_statistics_add_calls(struct ep_statistics *to, const struct ep_statistics *from)
{
    ep_add64_release(&to->calls, from->calls);
}
