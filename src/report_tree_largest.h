/*
 * report_tree_largest.h - the rows of a call tree with the most of what they are sorted by
 *
 * With all that they are in. Unlike time, a figure of a row says nothing of those in it, so all
 * rows are looked at.
 */
#ifndef EP_REPORT_TREE_LARGEST_H
#define EP_REPORT_TREE_LARGEST_H

#include "report_tree_taken.h"

/* Takes at most `most` rows, of those by name the ones with the most time. */
void ep_report_tree_largest_take(struct ep_tree_taken *taken, const struct eprof_snapshot *snapshot,
                                 const struct ep_part *part, size_t most);

#endif /* EP_REPORT_TREE_LARGEST_H */
