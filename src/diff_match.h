/*
 * diff_match.h - the rows of both sides that are one region's, beside each other
 */
#ifndef EP_DIFF_MATCH_H
#define EP_DIFF_MATCH_H

#include "diff_samples.h"

/* Fills in rows, but no figures of them, row_count and row_of of a diff whose sides are known. Row
 * by row they are the regions of the samples. 0, or -1 and ENOMEM. */
int ep_diff_match(struct ep_diff *diff, struct ep_diff_samples *samples);

#endif /* EP_DIFF_MATCH_H */
