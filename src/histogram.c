#include "histogram.h"

#include <string.h>

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

void ep_histogram_clear(struct ep_histogram *histogram)
{
    for (uint64_t octaves = histogram->octaves; octaves; octaves &= octaves - 1)
        memset(&histogram->counts[__builtin_ctzll(octaves) * EP_OCTAVE_BUCKETS], 0,
               EP_OCTAVE_BUCKETS * sizeof *histogram->counts);
    histogram->octaves = histogram->total = 0;
}

void ep_histogram_add_all(struct ep_histogram *histogram, const struct ep_histogram *from)
{
    for (uint64_t octaves = from->octaves; octaves; octaves &= octaves - 1) {
        unsigned first = (unsigned)__builtin_ctzll(octaves) * EP_OCTAVE_BUCKETS;
        for (unsigned step = 0; step < EP_OCTAVE_BUCKETS; step++)
            histogram->counts[first + step] += from->counts[first + step];
    }
    histogram->octaves |= from->octaves;
    histogram->total += from->total;
}

/* total * per_mille / 1000, rounded up; in two parts, since the product may overflow. */
static uint64_t nearest_rank(uint64_t total, unsigned per_mille)
{
    return total / 1000 * per_mille + (total % 1000 * per_mille + 999) / 1000;
}

void ep_histogram_percentiles(const struct ep_histogram *histogram, const unsigned per_mille[],
                              uint64_t values[], unsigned count)
{
    uint64_t below = 0, rank = count ? nearest_rank(histogram->total, per_mille[0]) : 0;
    unsigned next = 0;
    for (uint64_t octaves = histogram->octaves; octaves; octaves &= octaves - 1) {
        unsigned bucket = (unsigned)__builtin_ctzll(octaves) * EP_OCTAVE_BUCKETS;
        for (unsigned end = bucket + EP_OCTAVE_BUCKETS; bucket < end; bucket++) {
            /* by the difference, since the sum of impossible counts may have overflowed */
            while (rank - below <= histogram->counts[bucket] && next < count) {
                values[next++] = ep_histogram_middle(bucket);
                rank = next < count ? nearest_rank(histogram->total, per_mille[next]) : 0;
            }
            if (next == count)
                return;
            below += histogram->counts[bucket];
        }
    }
    while (next < count)
        values[next++] = 0;
}
