/*
 * merge/merge.h - several images merged into one
 *
 * The result is an image like any other, in memory. Sites are the same if file, line and label
 * are, and both or neither is a function; functions without a name, if path and build-id of their
 * modules and their addresses are; nodes, if their paths of sites are and their threads have the
 * same name; instances, if their labels are, in one image too. A thread without a name counts as
 * named `main`, or `thread N` by its number.
 *
 * The overhead of each image's own probe is subtracted first, for each thread, as its snapshot
 * does: a row that comes from one image has the figures that it has there, regardless of the cost
 * of other probes. A raw sum keeps the overhead, and is for raw snapshots only. Its self times keep
 * their sign where estimates were subtracted, so a lack in one image reduces an excess in another.
 *
 * Sums are exact. Ticks of one source whose rates differ by less than a thousandth stay ticks, and
 * the rate of the result is their common one; else each image is converted to ns first. To decide
 * that, all images are inspected before the first is added. The result is the same to the last byte
 * in any order in which images of one source, and sums of them, are added. If ticks were summed
 * before images of another source were known, they have a rate of their own: a sum of such sums may
 * be off by as much as their rates differ.
 */
#ifndef EP_MERGE_MERGE_H
#define EP_MERGE_MERGE_H

#include <stdbool.h>

struct ep_image;
union ep_cell;

struct ep_merge; /* in merge/tables.h */

/* NULL and ENOMEM. */
struct ep_merge *ep_merge_begin(bool is_raw);
/* From now on sites are the same if their labels are, regardless of file and line, in one image
 * too; the sum has no files. Before the first image is added. */
void ep_merge_ignore_locations(struct ep_merge *merge);
/* The sum does not state how times are spread over processes, which takes memory for each call
 * path. Before the first image is added. */
void ep_merge_ignore_processes(struct ep_merge *merge);
/* First each image is inspected: only its EP_HEADER_CELLS header cells are read. */
void ep_merge_inspect(struct ep_merge *merge, const union ep_cell *header);
/* Then each is added: it must be a checked copy. 0; -1 and ENOMEM: then the merge can only be
 * ended. */
int ep_merge_add(struct ep_merge *merge, const struct ep_image *image);
/* The sum so far; it lives until the next call or the end of the merge. NULL and ENOMEM. */
const struct ep_image *ep_merge_image(struct ep_merge *merge);
/* The sum, which the caller destroys. Ends the merge, also on failure, so that the memory of its
 * tables is free while the sum is read. 0, or -1 and ENOMEM. */
int ep_merge_take(struct ep_merge *merge, struct ep_image *image);
void ep_merge_end(struct ep_merge *merge);

#endif /* EP_MERGE_MERGE_H */
