/*
 * snapshot_order.h - where each branch of the call tree stands in its report
 *
 * In the order of a walk through the tree: children after their parent, by total time.
 */
#ifndef EP_SNAPSHOT_ORDER_H
#define EP_SNAPSHOT_ORDER_H

#include "snapshot_tree.h"

/* Takes off what the probe added: total_ticks, self_ticks and total_ns of each branch. 0, or -1 and
 * ENOMEM. */
int ep_order_correct(struct ep_snapshot_tree *tree, const struct ep_conversion *conversion);

/* Row, rows and depth of each branch; siblings of the same total_ns stand by their sites. 0,
 * or -1 and ENOMEM. */
int ep_order_rows(struct ep_snapshot_tree *tree);

#endif /* EP_SNAPSHOT_ORDER_H */
