#include "merge_unit.h"

/* a * ns / ticks, rounded down: a long division to the base 2^64. What has no room in 128 bits is
 * near the highest that has. */
static struct ep_wide scale_wide(struct ep_wide a, struct ep_scale scale)
{
    struct ep_wide upper = ep_wide_multiply(a.high, scale.ns);
    struct ep_wide lower = ep_wide_multiply(a.low, scale.ns);
    upper = ep_wide_add(upper, (struct ep_wide){lower.high, 0});
    uint64_t high = ep_wide_divide(upper, scale.ticks);
    uint64_t rest = upper.low - high * scale.ticks;
    return (struct ep_wide){ep_wide_divide((struct ep_wide){lower.low, rest}, scale.ticks), high};
}

/* The sum of squares of n numbers whose sum is `total`, if the one about their mean is so much. */
static struct ep_wide squares_of(struct ep_wide around_mean, uint64_t total, uint64_t n)
{
    uint64_t q = total / n, r = total % n;
    struct ep_wide squares = ep_wide_add(around_mean, ep_wide_multiply(q, total));
    squares = ep_wide_add(squares, ep_wide_multiply(q, r));
    uint64_t around_q = ep_wide_divide(ep_wide_multiply(r, r), n);
    return ep_wide_add(squares, (struct ep_wide){around_q, 0});
}

/*
 * What is converted of the squares is how much they vary: the total is rounded, and the squares
 * of 100 s, where one ns of it is missing, would vary by microseconds.
 */
void ep_merge_unit_convert(const struct ep_merge_unit *unit, struct ep_figures *figures)
{
    if (!unit->is_ns)
        return;
    uint64_t timed = ep_figures_timed(figures);
    struct ep_wide around_mean = {0, 0};
    if (timed)
        around_mean = ep_figures_around_mean(figures, timed);
    around_mean = scale_wide(scale_wide(around_mean, unit->scale), unit->scale);
    figures->total_ticks = ep_merge_unit_of(unit, figures->total_ticks);
    figures->self_ticks = ep_merge_unit_of(unit, figures->self_ticks);
    if (figures->min_ticks != UINT64_MAX)
        figures->min_ticks = ep_merge_unit_of(unit, figures->min_ticks);
    figures->max_ticks = ep_merge_unit_of(unit, figures->max_ticks);
    figures->squares = timed ? squares_of(around_mean, figures->total_ticks, timed) : around_mean;
}

/* The middle of a bucket may be shorter than the shortest in it, and fall into an octave that no
 * reader looks for. */
uint32_t ep_merge_unit_bucket(const struct ep_merge_unit *unit, const struct ep_figures *figures,
                              uint32_t bucket)
{
    if (!unit->is_ns)
        return bucket;
    uint64_t ns = ep_merge_unit_of(unit, ep_histogram_middle(bucket));
    if (ns > figures->max_ticks)
        ns = figures->max_ticks;
    if (ns < figures->min_ticks && figures->min_ticks != UINT64_MAX)
        ns = figures->min_ticks;
    return ep_histogram_bucket(ns);
}
