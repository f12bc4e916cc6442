#include "base/histogram.h"

#include <string.h>

uint64_t ep_histogram_lower(unsigned bucket)
{
    unsigned octave = bucket / EP_OCTAVE_BUCKETS;
    uint64_t step = bucket % EP_OCTAVE_BUCKETS;
    return octave ? (EP_OCTAVE_BUCKETS + step) << (octave - 1) : step;
}

uint64_t ep_histogram_middle(unsigned bucket)
{
    unsigned octave = bucket / EP_OCTAVE_BUCKETS;
    uint64_t width = UINT64_C(1) << (octave ? octave - 1 : 0);
    return ep_histogram_lower(bucket) + (width - 1) / 2;
}

void ep_histogram_clear(struct ep_histogram *histogram)
{
    for (uint64_t octaves = histogram->octaves; octaves; octaves &= octaves - 1)
        memset(&histogram->counts[__builtin_ctzll(octaves) * EP_OCTAVE_BUCKETS], 0,
               EP_OCTAVE_BUCKETS * sizeof *histogram->counts);
    histogram->octaves = histogram->total = 0;
}

/* In two parts because the product may overflow. */
uint64_t ep_histogram_rank(uint64_t total, unsigned per_mille)
{
    return total / 1000 * per_mille + (total % 1000 * per_mille + 999) / 1000;
}

void ep_histogram_percentiles(const struct ep_histogram *histogram, const unsigned per_mille[],
                              uint64_t values[], unsigned count)
{
    uint64_t below = 0, rank = count ? ep_histogram_rank(histogram->total, per_mille[0]) : 0;
    unsigned next = 0;
    for (uint64_t octaves = histogram->octaves; octaves; octaves &= octaves - 1) {
        unsigned bucket = (unsigned)__builtin_ctzll(octaves) * EP_OCTAVE_BUCKETS;
        for (unsigned end = bucket + EP_OCTAVE_BUCKETS; bucket < end; bucket++) {
            /* the difference, because the sum of damaged counts may have overflowed */
            while (rank - below <= histogram->counts[bucket] && next < count) {
                values[next++] = ep_histogram_middle(bucket);
                rank = next < count ? ep_histogram_rank(histogram->total, per_mille[next]) : 0;
            }
            if (next == count)
                return;
            below += histogram->counts[bucket];
        }
    }
    while (next < count)
        values[next++] = 0;
}
