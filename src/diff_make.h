/*
 * diff_make.h - a comparison is made, image by image
 */
#ifndef EP_DIFF_MAKE_H
#define EP_DIFF_MAKE_H

#include "diff.h"

/* What is read so far. */
struct ep_diff_making; /* in diff_make.c */

/* NULL and ENOMEM. */
struct ep_diff_making *ep_diff_make_begin(struct ep_diff_options options);
/* First each image is weighed, by its header cells, then each is added: a checked copy. 0, or -1
 * and ENOMEM. */
void ep_diff_make_weigh(struct ep_diff_making *making, enum ep_diff_side side,
                        const union ep_cell *header);
int ep_diff_make_add(struct ep_diff_making *making, enum ep_diff_side side,
                     const struct ep_image *image);
/* Each side has at least one image. What was being made is gone. NULL and ENOMEM. */
struct ep_diff *ep_diff_make_end(struct ep_diff_making *making);
void ep_diff_make_abandon(struct ep_diff_making *making);

#endif /* EP_DIFF_MAKE_H */
