/*
 * diff/values.h - the values of both sides
 *
 * Functions return 0, or -1: no memory.
 */
#ifndef EP_DIFF_VALUES_H
#define EP_DIFF_VALUES_H

#include "diff/match.h"

/* Adds the values of the file that was added last, whose snapshot this is, to the samples. */
int ep_diff_values_add(struct ep_diff_samples *samples, const struct eprof_snapshot *snapshot,
                       const struct ep_diff_options *options);
/* Sets the values of the comparison and their verdicts, in the order of struct ep_diff. */
int ep_diff_values_match(struct ep_diff *diff, struct ep_diff_samples *samples);

#endif /* EP_DIFF_VALUES_H */
