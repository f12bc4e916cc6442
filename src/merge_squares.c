#include "merge_squares.h"

struct ep_wide ep_merge_squares_around_mean(const struct ep_figures *figures,
                                            struct ep_scale factor)
{
    uint64_t timed = ep_figures_timed(figures);
    if (timed == 0)
        return (struct ep_wide){0, 0};
    struct ep_wide once =
        ep_wide_scale(ep_figures_around_mean(figures, timed), factor.ns, factor.ticks);
    return ep_wide_scale(once, factor.ns, factor.ticks);
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

void ep_merge_squares_set(struct ep_figures *figures, struct ep_wide around_mean)
{
    uint64_t timed = ep_figures_timed(figures);
    figures->squares = timed ? squares_of(around_mean, figures->total_ticks, timed) : around_mean;
}
