/*
 * snapshot_recursion.h - the probes of calls that folded into a branch further up
 *
 * A call inside another of its site folds into that one's branch, and so do its probes. Where it
 * came by way of others, its time is in theirs, and so are the probes: f calls g calls f. Which
 * branch how many of them are in nobody has written down; but what self time and the children of
 * f have in common as measured is what such calls spent inside children.
 */
#ifndef EP_SNAPSHOT_RECURSION_H
#define EP_SNAPSHOT_RECURSION_H

#include "snapshot_tree.h"

/* Notes them in the totals of the branches that they lie in. 0, or -1 and ENOMEM. */
int ep_recursion_share(struct ep_snapshot_tree *tree, const struct ep_conversion *conversion);

#endif /* EP_SNAPSHOT_RECURSION_H */
