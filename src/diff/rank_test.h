/*
 * rank_test.h - by how much one sample is larger than another, with an interval
 *
 * The estimate is the median of all quotients of a value of the one by a value of the other. The
 * interval agrees with the test of Mann and Whitney: it excludes the ratio 1 exactly if that test
 * rejects at the same level. (J. L. Hodges and E. L. Lehmann, "Estimates of Location Based on Rank
 * Tests", Ann. Math. Statist. 34, 1963, on logarithms; the interval: M. Hollander, D. A. Wolfe and
 * E. Chicken, "Nonparametric Statistical Methods", 3rd ed., 4.3.) Both are robust against a few
 * outliers, such as times on a shared machine.
 */
#ifndef EP_DIFF_RANK_TEST_H
#define EP_DIFF_RANK_TEST_H

#include <stdbool.h>
#include <stddef.h>

/* Sorts the values. The mean of the two in the middle; 0 without values. */
double ep_rank_test_median(double *values, size_t count);

/* The last cut that was computed, since most regions have samples of the same sizes. All zero:
 * none. */
struct ep_rank_sum_memo {
    size_t few, many;
    double error;
    size_t cut;
};

/*
 * The number of the first * second sorted quotients (or differences) of two samples to cut off at
 * each end so that the rest contains their true quotient with a probability of error of at most
 * `error`: the interval is from the cut-th lowest to the cut-th highest. 0: with so few values
 * there is no interval. `memo` may be NULL.
 */
size_t ep_rank_test_sum_cut(size_t first, size_t second, double error,
                            struct ep_rank_sum_memo *memo);

/* The least size that both samples must have for a cut of 1. */
size_t ep_rank_test_sum_needed(double error);

struct ep_ratio {
    double estimate; /* after / before; INFINITY if before is 0 and after is not */
    double low, high;
    bool has_interval; /* false: too few values; low and high are 0 and INFINITY */
};

/* The ratio of two samples with at least one value each, none below 0; 0 / 0 is 1. Sorts both.
 * `cut` is that of ep_rank_test_sum_cut(); 0: no interval. */
struct ep_ratio ep_rank_test_ratio(double *before, size_t before_count, double *after,
                                   size_t after_count, size_t cut);

/* The same of the differences after - before, of values with a sign; without an interval low and
 * high are -INFINITY and INFINITY. */
struct ep_ratio ep_rank_test_difference(double *before, size_t before_count, double *after,
                                        size_t after_count, size_t cut);

/* How many standard errors a normal number exceeds, in either direction, with a probability of
 * `error`. */
double ep_rank_test_deviations(double error);

/*
 * The interval that contains the true ratio after / before of two estimates with a probability of
 * 1 - error: the ratios r for which after - r before is within its own error (E. C. Fieller, "Some
 * Problems in Interval Estimation", J. R. Stat. Soc. B 16, 1954). Both variances are relative: of
 * an estimate divided by its value.
 */
struct ep_ratio ep_rank_test_error_ratio(double estimate, double before_variance,
                                         double after_variance, double error);

#endif /* EP_DIFF_RANK_TEST_H */
