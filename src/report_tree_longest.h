/*
 * report_tree_longest.h - the rows of a call tree with the most time
 *
 * From the roots on down: of all that is not taken, the row with the most time whose parent is
 * taken comes next.
 */
#ifndef EP_REPORT_TREE_LONGEST_H
#define EP_REPORT_TREE_LONGEST_H

#include "report_tree_taken.h"

/* Takes at most `most` rows that have `least_ns`, and few of those below one parent. Siblings
 * stand by total time. */
void ep_report_tree_longest_take(struct ep_tree_taken *taken, const struct eprof_snapshot *snapshot,
                                 const struct ep_part *part, uint64_t least_ns, size_t most);

#endif /* EP_REPORT_TREE_LONGEST_H */
