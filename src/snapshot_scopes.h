/*
 * snapshot_scopes.h - the rows of the call tree, and its sites by self time
 */
#ifndef EP_SNAPSHOT_SCOPES_H
#define EP_SNAPSHOT_SCOPES_H

#include "snapshot.h"

/* Adds a row for each place in the tree, and the tops. 0, or -1 and ENOMEM. */
int ep_snapshot_scopes_add(struct eprof_snapshot *snapshot, const struct ep_image *image,
                           const struct ep_present *present);

#endif /* EP_SNAPSHOT_SCOPES_H */
