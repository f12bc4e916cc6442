#include "merge_sums.h"

#include "array.h"

/* ---- adding ---- */

static struct ep_octave_cell *need_counts(struct ep_merge_octaves *octaves,
                                          struct ep_merge_sum *sum, unsigned octave)
{
    if (sum->octave[octave] == 0) {
        void *grown =
            ep_array_room(octaves->at, octaves->count, &octaves->room, sizeof *octaves->at);
        if (!grown)
            return NULL;
        octaves->at = grown;
        octaves->at[octaves->count] = (struct ep_octave_cell){.count = {0}};
        sum->octave[octave] = (uint32_t)++octaves->count;
    }
    return &octaves->at[sum->octave[octave] - 1];
}

/* Where a bucket's counts go: where its middle falls, between the shortest and the longest of the
 * sum's. The middle may be shorter than the shortest in it, and fall into an octave that no reader
 * looks for. */
static uint32_t bucket_of(const struct ep_merge_region *region, uint32_t bucket)
{
    const struct ep_figures *figures = &region->figures;
    if (!region->unit->is_ns && ep_merge_net_is_all(&region->net))
        return bucket;
    uint64_t ticks = ep_merge_net_call(&region->net, ep_histogram_middle(bucket));
    ticks = ep_merge_unit_of(region->unit, ticks);
    if (ticks > figures->max_ticks)
        ticks = figures->max_ticks;
    if (ticks < figures->min_ticks && figures->min_ticks != UINT64_MAX)
        ticks = figures->min_ticks;
    return ep_histogram_bucket(ticks);
}

static int add_bucket(struct ep_merge_octaves *octaves, struct ep_merge_sum *sum,
                      const struct ep_merge_region *region, uint32_t bucket, uint64_t times)
{
    bucket = bucket_of(region, bucket);
    struct ep_octave_cell *counts = need_counts(octaves, sum, bucket / EP_OCTAVE_BUCKETS);
    if (!counts)
        return -1;
    counts->count[bucket % EP_OCTAVE_BUCKETS] += times;
    return 0;
}

static int add_octave(struct ep_merge_octaves *octaves, struct ep_merge_sum *sum,
                      const struct ep_merge_region *region, unsigned octave, ep_ref counts)
{
    for (unsigned step = 0; step < EP_OCTAVE_BUCKETS; step++) {
        uint64_t times = ep_image_cell(region->image, counts)->octave.count[step];
        uint32_t bucket = octave * EP_OCTAVE_BUCKETS + step;
        if (times && add_bucket(octaves, sum, region, bucket, times) != 0)
            return -1;
    }
    return 0;
}

static int add_counts(struct ep_merge_octaves *octaves, struct ep_merge_sum *sum,
                      const struct ep_merge_region *region)
{
    uint64_t pending = region->stats->pending;
    for (unsigned octave = 0; octave < EP_OCTAVES; octave++) {
        ep_ref counts = ep_cell_octave(region->image->cells, region->stats, octave);
        if (counts && add_octave(octaves, sum, region, octave, counts) != 0)
            return -1;
    }
    return pending ? add_bucket(octaves, sum, region, ep_histogram_bucket(pending - 1), 1) : 0;
}

int ep_merge_sums_add(struct ep_merge_octaves *octaves, struct ep_merge_sum *sum,
                      const struct ep_merge_region *region)
{
    struct ep_merge_region more = *region;
    uint64_t total_ticks = ep_merge_unit_of(region->unit, region->total_ticks);
    ep_merge_net_take(&region->net, &more.figures);
    ep_merge_unit_convert(region->unit, &more.figures);
    more.figures.self_ticks = ep_merge_unit_of(region->unit, region->self_ticks);
    if (!sum->is_begun)
        sum->figures = ep_figures_none;
    sum->is_begun = true;
    ep_figures_add(&sum->figures, &more.figures);
    if (total_ticks > more.figures.total_ticks)
        sum->so_far_ticks += total_ticks - more.figures.total_ticks;
    return region->stats ? add_counts(octaves, sum, &more) : 0;
}

/* ---- writing ---- */

static ep_ref need(struct ep_image *image, ep_ref *place)
{
    if (!*place)
        *place = ep_image_take(image, 1);
    return *place;
}

static ep_ref need_octave(struct ep_image *image, struct ep_statistics *stats, unsigned octave)
{
    if (octave < EP_NEAR_OCTAVES)
        return need(image, &stats->octave[octave]);
    unsigned far = octave - EP_NEAR_OCTAVES;
    ep_ref cell = need(image, &stats->far[far / 16]);
    return cell ? need(image, &ep_image_cell(image, cell)->far.octave[far % 16]) : 0;
}

static void write_figures(const struct ep_figures *figures, struct ep_statistics *stats)
{
    stats->total_ticks = figures->total_ticks;
    stats->min_ticks = figures->min_ticks;
    stats->max_ticks = figures->max_ticks;
    stats->square_low = figures->squares.low;
    stats->square_high = figures->squares.high;
    stats->nested = figures->nested;
    stats->errors = figures->errors;
    stats->abandoned = figures->open < UINT32_MAX ? (uint32_t)figures->open : UINT32_MAX;
    stats->calls = figures->calls;
}

int ep_merge_sums_write(const struct ep_merge_octaves *octaves, const struct ep_merge_sum *sum,
                        struct ep_image *image, struct ep_statistics *stats)
{
    write_figures(sum->is_begun ? &sum->figures : &ep_figures_none, stats);
    for (unsigned octave = 0; octave < EP_OCTAVES; octave++) {
        if (!sum->octave[octave])
            continue;
        ep_ref counts = need_octave(image, stats, octave);
        if (!counts)
            return -1;
        ep_image_cell(image, counts)->octave = octaves->at[sum->octave[octave] - 1];
    }
    return 0;
}
