/*
 * base/histogram.h - the buckets of a log-linear histogram, and its percentiles
 *
 * An octave (a doubling) has eight buckets, as in HdrHistogram with three bits. A bucket is at most
 * 1/8 as wide as its lower edge, so its middle is at most 1/16 = 6.25 % away from any value in it.
 * Values below 16 have a bucket each. An octave of counts is 64 bytes, one cell of the image.
 */
#ifndef EP_BASE_HISTOGRAM_H
#define EP_BASE_HISTOGRAM_H

#include <stddef.h>

#include "base/compiler.h"

enum {
    EP_OCTAVE_BUCKETS = 8,
    EP_OCTAVE_BITS = 3, /* their number in bits */
    EP_OCTAVES = 62,    /* octave 0: the values 0 to 7; octave n: from 2^(n+2) */
    EP_BUCKETS = EP_OCTAVES * EP_OCTAVE_BUCKETS
};

/* The number of the highest bit; the value is not 0. On x86-64 as 64 bits, as the instruction gives
 * it: gcc 12 extends the 32 bits of its built-in function by one more instruction. */
EP_INLINE uint64_t ep_histogram_highest(uint64_t value)
{
#if defined(__x86_64__) && defined(__LP64__)
    uint64_t highest;
    __asm__("bsr %1, %0" : "=r"(highest) : "rm"(value) : "cc");
    return highest;
#else
    return 63 ^ (uint32_t)__builtin_clzll(value);
#endif
}

/* The bucket of a value: octave * 8 + step. The step is the three bits below the highest one. The
 * shift leaves the highest bit at eight, which adds the one octave that the shift lacks. Without a
 * branch for the lowest octave: 1.54 to 1.51 of a raw pair (docs/internals/performance.md). */
EP_INLINE uint32_t ep_histogram_bucket(uint64_t value)
{
    uint32_t shift = (63 ^ (uint32_t)__builtin_clzll(value | EP_OCTAVE_BUCKETS)) - EP_OCTAVE_BITS;
    return shift * EP_OCTAVE_BUCKETS + (uint32_t)(value >> shift);
}

/* The lowest value of a bucket, and its middle, rounded down. */
uint64_t ep_histogram_lower(unsigned bucket);
uint64_t ep_histogram_middle(unsigned bucket);

/* A sum of histograms. Only the octaves with counts are visited, usually a handful. */
struct ep_histogram {
    uint64_t octaves; /* a bit for each octave that has counts */
    uint64_t total;   /* of all counts */
    uint64_t counts[EP_BUCKETS];
};

/* Sets the counts of the octaves in `octaves` to 0. */
void ep_histogram_clear(struct ep_histogram *histogram);

EP_INLINE void ep_histogram_add(struct ep_histogram *histogram, unsigned bucket, uint64_t times)
{
    histogram->octaves |= (uint64_t)(times != 0) << bucket / EP_OCTAVE_BUCKETS;
    histogram->counts[bucket] += times;
    histogram->total += times;
}

/* The nearest rank of a percentile among `total` values: total * per_mille / 1000, rounded up. */
uint64_t ep_histogram_rank(uint64_t total, unsigned per_mille);

/* The `count` percentiles `per_mille[i]` (1 to 1000, rising) by nearest rank, as the middles of
 * their buckets; 0 if all counts are 0. */
void ep_histogram_percentiles(const struct ep_histogram *histogram, const unsigned per_mille[],
                              uint64_t values[], unsigned count);

#endif /* EP_BASE_HISTOGRAM_H */
