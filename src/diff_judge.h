/*
 * diff_judge.h - what changed, how far that is known, and in which order it is told
 *
 * The error is shared out evenly among all regions that are judged, so that the probability that
 * any interval misses is at most that error, however they depend on each other (O. J. Dunn,
 * "Multiple Comparisons Among Means", J. Am. Stat. Assoc. 56, 1961, after C. E. Bonferroni).
 */
#ifndef EP_DIFF_JUDGE_H
#define EP_DIFF_JUDGE_H

#include "diff_samples.h"

/* Of a diff whose rows are matched: fills in the rest. 0, or -1 and ENOMEM. */
int ep_diff_judge(struct ep_diff *diff, const struct ep_diff_samples *samples);

#endif /* EP_DIFF_JUDGE_H */
