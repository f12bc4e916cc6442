/*
 * diff/values.h - the values of both sides
 */
#ifndef EP_DIFF_VALUES_H
#define EP_DIFF_VALUES_H

#include "diff/diff.h"

/* Sets the values of the comparison, in the order of their paths. 0, or -1: no memory. */
int ep_diff_values_match(struct ep_diff *diff);

#endif /* EP_DIFF_VALUES_H */
