/*
 * merge_trees.h - the call trees of several images, by thread and path
 */
#ifndef EP_MERGE_TREES_H
#define EP_MERGE_TREES_H

#include "merge_tables.h"

/* Adds what an image shows of its call trees, with the time so far of what is open, without what
 * its probe added. 0, or -1 and ENOMEM. */
int ep_merge_trees_add(struct ep_merge *merge, const struct ep_image *image,
                       const struct ep_merge_unit *unit, const struct ep_conversion *probe);

#endif /* EP_MERGE_TREES_H */
