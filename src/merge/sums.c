#include <string.h>

#include "merge/tables.h"

/* ---- squares ---- */

/*
 * When times are corrected or converted, their variation is converted, not their squares: the total
 * is rounded, and with times of 100 s a missing ns would change the variation by microseconds if it
 * were derived from squares.
 */

/* The sum of squared deviations of figures whose times are multiplied by ns / ticks. */
static struct ep_wide scaled_around_mean(const struct ep_figures *figures, struct ep_scale factor)
{
    uint64_t timed = ep_figures_timed(figures);
    if (ep_figures_lack_squares(figures))
        return figures->squares;
    if (timed == 0)
        return (struct ep_wide){0, 0};
    struct ep_wide once =
        ep_wide_scale(ep_figures_around_mean(figures, timed), factor.ns, factor.ticks);
    return ep_wide_scale(once, factor.ns, factor.ticks);
}

/* The sum of squares of n numbers, from their sum `total` and their squared deviations. */
static struct ep_wide squares_of(struct ep_wide around_mean, struct ep_wide total, uint64_t n)
{
    uint64_t q = ep_wide_divide(total, n), r = total.low - q * n;
    struct ep_wide squares = ep_wide_add(around_mean, ep_wide_multiply_by(total, q));
    squares = ep_wide_add(squares, ep_wide_multiply(q, r));
    uint64_t around_q = ep_wide_divide(ep_wide_multiply(r, r), n);
    return ep_wide_add(squares, (struct ep_wide){around_q, 0});
}

static void set_squares(struct ep_figures *figures, struct ep_wide around_mean)
{
    uint64_t timed = ep_figures_timed(figures);
    if (around_mean.high == UINT64_MAX) /* they overflow, as measured or in this unit */
        figures->squares = (struct ep_wide){UINT64_MAX, UINT64_MAX};
    else
        figures->squares = timed ? squares_of(around_mean, figures->total, timed) : around_mean;
}

/* ---- correction and conversion ---- */

static struct ep_scale factor_of(const struct ep_correction *net)
{
    if (net->of_milliticks == 0)
        return net->scale;
    if (net->kept_ticks < UINT64_MAX / 1000)
        return (struct ep_scale){net->kept_ticks * 1000, net->of_milliticks};
    return (struct ep_scale){net->kept_ticks, net->of_milliticks / 1000};
}

static bool is_uncorrected(const struct ep_correction *net)
{
    return net->inside_milliticks == 0 && net->of_milliticks == 0;
}

/* Multiplies times by `factor`, after the inner part of the probe. Self time is not changed. */
static void convert(struct ep_figures *figures, const struct ep_correction *net,
                    struct ep_scale factor)
{
    struct ep_wide around_mean = scaled_around_mean(figures, factor);
    if (is_uncorrected(net)) /* exact for totals beyond 2^118, too */
        figures->total = ep_wide_scale(figures->total, factor.ns, factor.ticks);
    else
        figures->total = ep_figures_convert(net, figures->total, ep_figures_timed(figures));
    if ((figures->variance.low & figures->variance.high) != UINT64_MAX) {
        figures->variance = ep_wide_scale(figures->variance, factor.ns, factor.ticks);
        figures->variance = ep_wide_scale(figures->variance, factor.ns, factor.ticks);
    }
    if (figures->min_ticks != UINT64_MAX)
        figures->min_ticks = ep_figures_convert_call(net, figures->min_ticks);
    figures->max_ticks = ep_figures_convert_call(net, figures->max_ticks);
    set_squares(figures, around_mean);
}

/* Subtracts the overhead: the inner part of the probe from each call; the rest is multiplied by the
 * same factor, since it is not known how much the probes inside added to each call. In integers,
 * because sums of sums have to agree to the last byte. Then converts to the unit of the sum. */
static void convert_all(struct ep_figures *figures, const struct ep_correction *net,
                        const struct ep_merge_unit *unit)
{
    const struct ep_correction in_ns = {.scale = unit->scale};
    if (!is_uncorrected(net))
        convert(figures, net, factor_of(net));
    if (unit->is_ns)
        convert(figures, &in_ns, unit->scale);
}

/* ---- adding ---- */

/* The bucket of the sum for a bucket of the image: that of its converted middle, limited to the
 * shortest and the longest time. The middle may be below the shortest time, in an octave that
 * readers skip. */
static uint32_t bucket_of(const struct ep_merge_unit *unit, const struct ep_merge_region *region,
                          uint32_t bucket)
{
    const struct ep_figures *figures = &region->figures;
    if (!unit->is_ns && is_uncorrected(&region->net))
        return bucket;
    uint64_t ticks =
        ep_merge_unit_of(unit, ep_figures_convert_call(&region->net, ep_histogram_middle(bucket)));
    if (ticks > figures->max_ticks)
        ticks = figures->max_ticks;
    if (ticks < figures->min_ticks && figures->min_ticks != UINT64_MAX)
        ticks = figures->min_ticks;
    return ep_histogram_bucket(ticks);
}

static void add_bucket(struct ep_merge *merge, struct ep_merge_sum *sum,
                       const struct ep_merge_region *region, uint32_t bucket, uint64_t times)
{
    bucket = bucket_of(&merge->unit, region, bucket);
    uint64_t *counts =
        ep_figures_octave(&merge->octaves, &sum->first_octave, bucket / EP_OCTAVE_BUCKETS);
    merge->is_failed |= !counts;
    if (counts)
        counts[bucket % EP_OCTAVE_BUCKETS] += times;
}

static void add_counts(struct ep_merge *merge, struct ep_merge_sum *sum,
                       const struct ep_merge_region *region)
{
    uint64_t pending = region->stats->pending;
    for (unsigned octave = 0; octave < EP_OCTAVES; octave++) {
        ep_ref counts = ep_cell_octave(merge->from->cells, region->stats, octave);
        for (unsigned step = 0; counts && step < EP_OCTAVE_BUCKETS; step++) {
            uint64_t times = ep_image_cell(merge->from, counts)->octave.count[step];
            if (times)
                add_bucket(merge, sum, region, octave * EP_OCTAVE_BUCKETS + step, times);
        }
    }
    if (pending)
        add_bucket(merge, sum, region, ep_histogram_bucket(pending - 1), 1);
}

/* Fits the total as a snapshot did; the deviations of calls stay. */
static void fit_total(struct ep_figures *figures, uint64_t raise_ticks, uint64_t lower_ticks)
{
    struct ep_wide lower = {lower_ticks, 0};
    if ((!raise_ticks && !lower_ticks) || !ep_figures_timed(figures))
        return;
    struct ep_wide around_mean = scaled_around_mean(figures, (struct ep_scale){1, 1});
    figures->total = ep_wide_add(figures->total, (struct ep_wide){raise_ticks, 0});
    figures->total = ep_wide_is_less(lower, figures->total)
                         ? ep_wide_subtract(figures->total, lower)
                         : (struct ep_wide){0, 0};
    set_squares(figures, around_mean);
}

/* Limited to 2^63 - 1, since self time is signed (snapshot/tree.h). */
static uint64_t add_below_half(uint64_t a, uint64_t b)
{
    uint64_t sum = ep_saturating_add(a, b);
    return sum >> 63 ? UINT64_MAX >> 1 : sum;
}

/* The self time in the unit of the sum. */
static uint64_t self_of(const struct ep_merge_unit *unit, const struct ep_merge_region *region)
{
    uint64_t ticks = region->self_ticks;
    bool is_negative = region->rests & EP_MERGED_REST && ticks >> 63;
    return is_negative ? 0 - ep_merge_unit_of(unit, 0 - ticks) : ep_merge_unit_of(unit, ticks);
}

/* What estimates left of a time is added with its sign: then an excess in one image and a lack in
 * another cancel out, as they do between the threads of an image. */
static void add_self(struct ep_merge_sum *sum, const struct ep_merge_region *region,
                     uint64_t self_ticks)
{
    sum->rests |= region->rests;
    if (sum->rests & EP_MERGED_REST)
        sum->figures.self_ticks += self_ticks;
    else
        sum->figures.self_ticks = add_below_half(sum->figures.self_ticks, self_ticks);
}

void ep_merge_sums_add(struct ep_merge *merge, struct ep_merge_sum *sum,
                       const struct ep_merge_region *region)
{
    struct ep_merge_region more = *region;
    uint64_t total_ticks = ep_merge_unit_of(&merge->unit, region->total_ticks);
    convert_all(&more.figures, &region->net, &merge->unit);
    fit_total(&more.figures, ep_merge_unit_of(&merge->unit, region->raise_ticks),
              ep_merge_unit_of(&merge->unit, region->lower_ticks));
    uint64_t finished_ticks = ep_wide_saturated(more.figures.total);
    if (!sum->is_begun)
        sum->figures = ep_figures_none;
    sum->is_begun = true;
    more.figures.self_ticks = 0;
    ep_figures_add(&sum->figures, &more.figures);
    add_self(sum, region, self_of(&merge->unit, region));
    if (total_ticks > finished_ticks)
        sum->so_far_ticks = add_below_half(sum->so_far_ticks, total_ticks - finished_ticks);
    if (region->stats)
        add_counts(merge, sum, &more);
}

/* ---- writing ---- */

static ep_ref need(struct ep_image *image, ep_ref *link)
{
    if (!*link)
        *link = ep_image_take(image, 1);
    return *link;
}

static ep_ref need_octave(struct ep_image *image, struct ep_statistics *stats, unsigned octave)
{
    if (octave < EP_NEAR_OCTAVES)
        return need(image, &stats->octave[octave]);
    unsigned far = octave - EP_NEAR_OCTAVES;
    ep_ref cell = need(image, &stats->far[far / 16]);
    return cell ? need(image, &ep_image_cell(image, cell)->far.octave[far % 16]) : 0;
}

bool ep_merge_sums_write(const struct ep_merge *merge, const struct ep_merge_sum *sum,
                         struct ep_image *image, struct ep_statistics *stats)
{
    const struct ep_figures *figures = sum->is_begun ? &sum->figures : &ep_figures_none;
    const struct ep_octave *octave;
    stats->total_ticks = figures->total.low; /* see ep_figures_unwrap() */
    stats->min_ticks = figures->min_ticks;
    stats->max_ticks = figures->max_ticks;
    stats->square_low = figures->squares.low;
    stats->square_high = figures->squares.high;
    stats->nested = figures->nested;
    stats->errors = figures->errors;
    stats->abandoned = figures->open < UINT32_MAX ? (uint32_t)figures->open : UINT32_MAX;
    stats->calls = figures->calls;
    for (uint32_t at = sum->first_octave; at; at = octave->next) {
        octave = &merge->octaves.at[at - 1];
        ep_ref counts = need_octave(image, stats, octave->number);
        if (!counts)
            return false;
        memcpy(ep_image_cell(image, counts)->octave.count, octave->count, sizeof octave->count);
    }
    return true;
}
