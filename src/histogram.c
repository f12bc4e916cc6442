#include "histogram.h"

/* How many values the buckets of an octave hold, each, as a power of two. */
static unsigned width_bits(unsigned octave)
{
    return octave ? octave - 1 : 0;
}

uint64_t ep_histogram_lower(unsigned bucket)
{
    unsigned octave = bucket / EP_OCTAVE_BUCKETS;
    uint64_t step = bucket % EP_OCTAVE_BUCKETS;
    uint64_t first = octave ? EP_OCTAVE_BUCKETS : 0;
    return (first + step) << width_bits(octave);
}

uint64_t ep_histogram_middle(unsigned bucket)
{
    uint64_t width = UINT64_C(1) << width_bits(bucket / EP_OCTAVE_BUCKETS);
    return ep_histogram_lower(bucket) + (width - 1) / 2;
}

/* total * per_mille / 1000, rounded up; in two parts, since the product may overflow. */
static uint64_t nearest_rank(uint64_t total, unsigned per_mille)
{
    return total / 1000 * per_mille + (total % 1000 * per_mille + 999) / 1000;
}

uint64_t ep_histogram_percentile(const uint64_t counts[EP_BUCKETS], unsigned per_mille)
{
    uint64_t total = 0;
    for (unsigned bucket = 0; bucket < EP_BUCKETS; bucket++)
        total += counts[bucket];

    uint64_t rank = nearest_rank(total, per_mille);
    unsigned bucket = 0;
    /* Ends, since rank is at most the total, even if that has overflowed. */
    while (counts[bucket] < rank)
        rank -= counts[bucket++];
    return ep_histogram_middle(bucket);
}
