/*
 * rank_sum.h - how the rank sum of two samples is spread that come from one distribution
 *
 * (H. B. Mann and D. R. Whitney, "On a Test of Whether one of Two Random Variables is
 * Stochastically Larger than the Other", Ann. Math. Statist. 18, 1947.) Their statistic U counts
 * the pairs, one value of each sample, of which the second is the smaller. Nothing is assumed of
 * the distribution but that both samples are of it, and their values independent.
 */
#ifndef EP_RANK_SUM_H
#define EP_RANK_SUM_H

#include <stddef.h>

/* What was found last, of samples of these sizes: of many regions mostly the same is asked. All
 * zero: nothing. */
struct ep_rank_sum_memo {
    size_t few, many;
    double error;
    size_t cut;
};

/*
 * Of the first * second quotients (or differences) of two samples in their order, how many may be
 * cut off at each end so that what is left still holds their true one with an error of at most
 * `error`: the interval is from the cut-th lowest to the cut-th highest. 0: with so few values
 * there is no such interval. `memo` may be NULL.
 */
size_t ep_rank_sum_cut(size_t first, size_t second, double error, struct ep_rank_sum_memo *memo);

/* The least size that both samples must have for a cut of 1. */
size_t ep_rank_sum_needed(double error);

#endif /* EP_RANK_SUM_H */
