/*
 * diff_figures.h - the figures of a region in one run: of several runs the one in the middle
 *
 * Not their mean, which a single run that was disturbed carries off, and which then says another
 * thing than the ratio of the same runs.
 */
#ifndef EP_DIFF_FIGURES_H
#define EP_DIFF_FIGURES_H

#include "diff_samples.h"

/* Room for the values of all files of either side. */
struct ep_diff_room {
    double *values[EP_DIFF_SIDES];
};

/* 0, or -1 and ENOMEM; to be freed in any case. */
int ep_diff_room_make(struct ep_diff_room *room, const struct ep_diff *diff);
void ep_diff_room_free(struct ep_diff_room *room);

/* What a side says of a region; `values` is room for a number for each file. */
struct ep_diff_figures ep_diff_figures_of(const struct ep_diff_samples *samples, uint32_t number,
                                          enum ep_diff_side side, size_t files, double *values);

/* Which figure a column is. */
enum ep_diff_figure ep_diff_figures_find(const struct ep_field *by);

#endif /* EP_DIFF_FIGURES_H */
