/*
 * ladder.h - the calls of a row on a fixed ladder of times, for readers that add processes up
 *
 * The bounds are the same for each row, process and version. So the counts of several processes can
 * be added up, and percentiles be taken of the sum, which those of each process do not allow.
 *
 * A bucket of the histogram that a bound divides is counted where its middle lies, as percentiles
 * are. So a percentile of the ladder lies between the same two bounds as the percentile of the row,
 * and a bound is blurred by at most 6.25 %. A bucket divided in proportion would have calls beyond
 * a bound that none of them reached.
 */
#ifndef EP_SNAPSHOT_LADDER_H
#define EP_SNAPSHOT_LADDER_H

#include "base/compiler.h"
#include "base/histogram.h"
#include "base/wide.h"

struct ep_correction;
struct ep_figures;

/* 1, 2.5 and 5 per decade, from 100 ns to 10 s; of a snapshot in ticks, the same numbers of ticks.
 */
enum { EP_LADDER_BOUNDS = 25 };

uint64_t ep_ladder_bound_ns(unsigned index);

/* How many calls took at most as long as each bound. */
struct ep_ladder {
    uint64_t calls[EP_LADDER_BOUNDS];
};

/* The ladder of `calls` calls with these times. They are those of the histogram, except for calls
 * that ended meanwhile, or for which it had no memory. */
struct ep_ladder ep_ladder_of(const struct ep_figures *figures,
                              const struct ep_histogram *histogram,
                              const struct ep_correction *correction, uint64_t calls);

EP_INLINE void ep_ladder_add(struct ep_ladder *ladder, const struct ep_ladder *more)
{
    for (unsigned i = 0; i < EP_LADDER_BOUNDS; i++)
        ladder->calls[i] = ep_saturating_add(ladder->calls[i], more->calls[i]);
}

#endif /* EP_SNAPSHOT_LADDER_H */
