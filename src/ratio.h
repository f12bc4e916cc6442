/*
 * ratio.h - by how much one sample is larger than another, and how far that is known
 *
 * The estimate is the median of all quotients of a value of the one by a value of the other; the
 * interval goes with it and with the test of Mann and Whitney: the ratio 1 lies outside of it just
 * where that test rejects at the same level. (J. L. Hodges and E. L. Lehmann, "Estimates of
 * Location Based on Rank Tests", Ann. Math. Statist. 34, 1963, on logarithms; the interval:
 * M. Hollander, D. A. Wolfe and E. Chicken, "Nonparametric Statistical Methods", 3rd ed., 4.3.)
 * Both are hardly moved by a few values that are far off, as times on a shared machine are.
 */
#ifndef EP_RATIO_H
#define EP_RATIO_H

#include <stdbool.h>
#include <stddef.h>

struct ep_ratio {
    double estimate; /* after / before; INFINITY where before is 0 and after is not */
    double low, high;
    bool has_interval; /* false: too few values; low and high are 0 and INFINITY */
};

/* Of at least one value each, none below 0; 0 / 0 is 1. Sorts both. `cut` is that of
 * ep_rank_sum_cut(); 0: there is no interval. */
struct ep_ratio ep_ratio_of(double *before, size_t before_count, double *after, size_t after_count,
                            size_t cut);

#endif /* EP_RATIO_H */
