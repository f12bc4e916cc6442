/*
 * histogram.h - the buckets of a log-linear histogram, and its percentiles
 *
 * Eight buckets to an octave (a doubling), as in HdrHistogram with three bits:
 * a bucket is at most 1/8 as wide as its lower edge, so that its middle is at
 * most 1/16 = 6.25 % away from any value in it. Values below 16 have a bucket
 * each. An octave of 64-bit counts is 64 bytes, one cell of the image.
 */
#ifndef EP_HISTOGRAM_H
#define EP_HISTOGRAM_H

#include <stddef.h>

#include "compiler.h"

enum {
    EP_OCTAVE_BUCKETS = 8,
    EP_OCTAVES = 62, /* octave 0: the values 0 to 7; octave n: from 2^(n+2) */
    EP_BUCKETS = EP_OCTAVES * EP_OCTAVE_BUCKETS
};

/*
 * The bucket of a value: the octave's number times eight, and the step in it, in
 * one sum. The three bits under the highest one are the step; the highest one
 * itself, which the shift leaves at eight, is the octave that the shift is one
 * less than. Without a branch for the lowest octave: 1.54 to 1.51 of a raw pair
 * (docs/performance.md).
 */
EP_INLINE uint32_t ep_histogram_bucket(uint64_t value)
{
    uint32_t shift = (63 ^ (uint32_t)__builtin_clzll(value | EP_OCTAVE_BUCKETS)) - 3;
    return shift * EP_OCTAVE_BUCKETS + (uint32_t)(value >> shift);
}

/* The lowest value and the middle, rounded down, of bucket number octave * 8 + step. */
uint64_t ep_histogram_lower(unsigned bucket);
uint64_t ep_histogram_middle(unsigned bucket);

/* A histogram that is added up from others: only the octaves that have counts are looked at,
 * which are a handful. */
struct ep_histogram {
    uint64_t octaves; /* a bit for each that has counts */
    uint64_t total;   /* of all counts */
    uint64_t counts[EP_BUCKETS];
};

/* Sets all counts to 0, where the octaves that may have some are told by `octaves`. */
void ep_histogram_clear(struct ep_histogram *histogram);

EP_INLINE void ep_histogram_add(struct ep_histogram *histogram, unsigned bucket, uint64_t times)
{
    histogram->octaves |= (uint64_t)(times != 0) << bucket / EP_OCTAVE_BUCKETS;
    histogram->counts[bucket] += times;
    histogram->total += times;
}

/* Adds all counts of `from`. */
void ep_histogram_add_all(struct ep_histogram *histogram, const struct ep_histogram *from);

/*
 * The values below or at which `per_mille[i]` (1 to 1000, rising) of the counts lie
 * (nearest rank), as the middles of their buckets; 0 where all counts are 0. `count` of
 * them, in one walk.
 */
void ep_histogram_percentiles(const struct ep_histogram *histogram, const unsigned per_mille[],
                              uint64_t values[], unsigned count);

#endif /* EP_HISTOGRAM_H */
