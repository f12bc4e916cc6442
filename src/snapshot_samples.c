#include "snapshot_samples.h"

static uint64_t count_in_histogram(const struct ep_node *node, const struct ep_image *image)
{
    const union ep_cell *cell = ep_image_cell(image, node->ref);
    struct ep_histogram histogram = {.octaves = 0};
    uint64_t count = 0;
    ep_figures_add_counts(&histogram, image, &((const struct ep_node_cell *)cell)->stats,
                          &node->figures);
    for (uint64_t octaves = histogram.octaves; octaves; octaves &= octaves - 1) {
        unsigned octave = (unsigned)__builtin_ctzll(octaves);
        for (unsigned step = 0; step < EP_OCTAVE_BUCKETS; step++)
            count += histogram.counts[octave * EP_OCTAVE_BUCKETS + step];
    }
    return count;
}

/* Calls that were timed: of those that a sample stands for, one. Of an image that is spoilt there
 * may be as many samples as you like. */
static uint64_t count_probes(const struct ep_node *node, uint64_t weight, uint64_t calls)
{
    uint64_t without = (uint64_t)node->samples * (EP_SAMPLE_WEIGHT - 1);
    uint64_t probes = weight > without + node->samples ? weight - without : node->samples;
    return probes < calls ? probes : calls;
}

/* Self time may be below zero. */
static uint64_t part_of(uint64_t ticks, uint64_t calls, uint64_t weight)
{
    bool is_negative = ticks >> 63;
    uint64_t part =
        ep_wide_divide(ep_wide_multiply(is_negative ? 0 - ticks : ticks, calls), weight);
    return is_negative ? 0 - part : part;
}

/* Where buckets are missing, as there was no memory for them, a few must not stand for all. */
static bool is_enough(uint64_t weight, uint64_t calls)
{
    return weight > 0 && calls / 2 <= weight;
}

void ep_samples_weigh(struct ep_node *node, const struct ep_image *image)
{
    struct ep_figures *figures = &node->figures;
    uint64_t calls = ep_figures_timed(figures), weight = count_in_histogram(node, image);
    uint64_t measured_ticks = figures->total_ticks;
    node->is_sampled = true;
    node->probes = count_probes(node, weight, calls);
    if (!is_enough(weight, calls))
        return;
    figures->total_ticks = part_of(figures->total_ticks, calls, weight);
    figures->self_ticks = part_of(figures->self_ticks, calls, weight);
    figures->squares = ep_wide_scale(figures->squares, calls, weight);
    node->surplus_ticks = measured_ticks - figures->total_ticks;
}
