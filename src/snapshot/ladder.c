#include "snapshot/ladder.h"

#include "snapshot/figures.h"

uint64_t ep_ladder_bound_ns(unsigned index)
{
    static const uint64_t mantissas[] = {100, 250, 500};
    uint64_t bound_ns = mantissas[index % 3];
    for (unsigned decade = index / 3; decade > 0; decade--)
        bound_ns *= 10;
    return bound_ns;
}

/* The histogram's counts as parts of `calls`: so the last of them is no more than the number of
 * calls of the row. */
static uint64_t part_of(uint64_t count, uint64_t calls, uint64_t all)
{
    uint64_t part = count;
    if (calls != all)
        part = ep_wide_divide(ep_wide_multiply(count, calls), all);
    return part < calls ? part : calls; /* sums of damaged counts overflow */
}

struct ep_ladder ep_ladder_of(const struct ep_figures *figures,
                              const struct ep_histogram *histogram,
                              const struct ep_correction *correction, uint64_t calls)
{
    struct ep_ladder ladder = {.calls = {0}};
    uint64_t below = 0, all = histogram->total ? histogram->total : 1;
    unsigned bound = 0;
    for (uint64_t octaves = histogram->octaves; octaves; octaves &= octaves - 1) {
        unsigned bucket = (unsigned)__builtin_ctzll(octaves) * EP_OCTAVE_BUCKETS;
        for (unsigned end = bucket + EP_OCTAVE_BUCKETS; bucket < end; bucket++) {
            if (!histogram->counts[bucket])
                continue;
            uint64_t time_ns = ep_figures_convert_bucket(figures, correction, bucket);
            for (; bound < EP_LADDER_BOUNDS && ep_ladder_bound_ns(bound) < time_ns; bound++)
                ladder.calls[bound] = part_of(below, calls, all);
            below = ep_saturating_add(below, histogram->counts[bucket]);
        }
    }
    for (; bound < EP_LADDER_BOUNDS; bound++)
        ladder.calls[bound] = part_of(below, calls, all);
    return ladder;
}
