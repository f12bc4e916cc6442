/*
 * merge_write.h - the sum as an image
 *
 * Sums of the same images are the same bytes, in whatever order they were added.
 */
#ifndef EP_MERGE_WRITE_H
#define EP_MERGE_WRITE_H

#include "merge_tables.h"

/* Writes all rows into the empty image of `merge`. 0, or -1 and ENOMEM. */
int ep_merge_write(struct ep_merge *merge);

#endif /* EP_MERGE_WRITE_H */
