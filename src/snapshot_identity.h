/*
 * snapshot_identity.h - which row is one of an earlier snapshot of the same process
 *
 * An instance is one life in a slot, on one thread; a scope the sites from the root to it, on one
 * thread. What they are called makes no difference: a thread that gets another name goes on with
 * what it has under that, and what has the same name is not mixed up.
 */
#ifndef EP_SNAPSHOT_IDENTITY_H
#define EP_SNAPSHOT_IDENTITY_H

#include "snapshot.h"
#include "wide.h"

/* The rows in their order: `ways` has room for one of each row, and is what the rows below a scope
 * go on from. */
struct ep_wide ep_identity_of_row(const struct eprof_snapshot *snapshot, struct ep_wide *ways,
                                  size_t row);
/* Of one of the tops: its site, on all threads. */
struct ep_wide ep_identity_of_top(const struct eprof_snapshot *snapshot, size_t top);

#endif /* EP_SNAPSHOT_IDENTITY_H */
