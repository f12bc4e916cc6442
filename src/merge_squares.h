/*
 * merge_squares.h - the squares of figures whose times are made others
 *
 * What is carried over is how much they vary: the total is rounded, and the squares of 100 s, where
 * one ns of it is missing, would vary by microseconds.
 */
#ifndef EP_MERGE_SQUARES_H
#define EP_MERGE_SQUARES_H

#include "snapshot_figures.h"

/* The squares about their mean of figures whose times are to be multiplied by `ns` / `ticks`. */
struct ep_wide ep_merge_squares_around_mean(const struct ep_figures *figures,
                                            struct ep_scale factor);
/* Makes the squares of figures so that they are these about their mean. */
void ep_merge_squares_set(struct ep_figures *figures, struct ep_wide around_mean);

#endif /* EP_MERGE_SQUARES_H */
