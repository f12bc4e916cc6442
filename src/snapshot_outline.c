#include "snapshot_outline.h"

/* The buckets from the first to the last that has counts. */
struct range {
    unsigned first, count;
};

static struct range range_of(const struct ep_histogram *histogram)
{
    struct range range = {0, 0};
    for (uint64_t octaves = histogram->octaves; octaves; octaves &= octaves - 1) {
        unsigned bucket = (unsigned)__builtin_ctzll(octaves) * EP_OCTAVE_BUCKETS;
        for (unsigned end = bucket + EP_OCTAVE_BUCKETS; bucket < end; bucket++) {
            if (histogram->counts[bucket] == 0)
                continue;
            if (range.count == 0)
                range.first = bucket;
            range.count = bucket - range.first + 1;
        }
    }
    return range;
}

/* Rounded up, so that a single call among millions is seen. */
static uint8_t height_of(uint64_t count, uint64_t most)
{
    return (uint8_t)((double)count / (double)most * (EP_OUTLINE_HIGHEST - 1) + 1);
}

struct ep_outline ep_outline_of(const struct ep_histogram *histogram)
{
    struct range range = range_of(histogram);
    unsigned columns = range.count < EP_OUTLINE_COLUMNS ? range.count : EP_OUTLINE_COLUMNS;
    uint64_t counts[EP_OUTLINE_COLUMNS] = {0}, most = 0;
    struct ep_outline outline = {.columns = (uint8_t)columns};
    for (unsigned i = 0; i < range.count; i++)
        counts[i * columns / range.count] += histogram->counts[range.first + i];
    for (unsigned i = 0; i < columns; i++)
        most = counts[i] > most ? counts[i] : most;
    for (unsigned i = 0; i < columns; i++)
        outline.heights[i] = counts[i] ? height_of(counts[i], most) : 0;
    return outline;
}
