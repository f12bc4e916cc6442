/*
 * merge.h - several images as one
 *
 * The result is an image like any other, in memory. Sites are the same if file, line and label
 * are, and both or neither is a function; functions that have no name, if path and build-id of
 * their modules and their addresses are; nodes, if their paths of sites are and their threads have
 * one name; instances, if their labels are equal, in one image too. A thread without a name counts
 * as called `main`, or `thread N` by its number.
 *
 * Of each image what its own probe added is taken off first, as its snapshot does for each thread:
 * a row that comes from one image shows what it shows there, whatever the probe of others costs. A
 * raw sum has it left in, and is for raw snapshots alone.
 *
 * The rest is added up exactly. Ticks of one source whose rates differ by less than a
 * thousandth stay ticks, and the rate of the result is that of all of them together; else each
 * image is turned into ns first. For that all images are weighed before the first is added.
 * In whatever order images of one source are added, and sums of them to others, the result is the
 * same to the last byte. Ticks of one source that were added up before another source's came have
 * a rate of their own by then: a sum of such sums may be off by as much as their rates differ.
 */
#ifndef EP_MERGE_H
#define EP_MERGE_H

#include "image.h"

struct ep_merge; /* in merge.c */

/* NULL and ENOMEM. */
struct ep_merge *ep_merge_begin(bool is_raw);
/* From now on sites are the same if their labels are, wherever they stand, in one image too; the
 * sum has them in no file. Before the first is added. */
void ep_merge_ignore_places(struct ep_merge *merge);
/* First each is weighed: only its header cells are looked at (EP_HEADER_CELLS of them). */
void ep_merge_weigh(struct ep_merge *merge, const union ep_cell *header);
/* Then each is added, a checked copy. 0, or -1 and ENOMEM: then the merge is of no use. */
int ep_merge_add(struct ep_merge *merge, const struct ep_image *image);
/* The sum so far: lives until it is asked for again, or the merge ends. NULL and ENOMEM. */
const struct ep_image *ep_merge_image(struct ep_merge *merge);
void ep_merge_end(struct ep_merge *merge);

#endif /* EP_MERGE_H */
