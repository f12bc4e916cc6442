/*
 * snapshot_keep.h - what of a snapshot stays, the rest left out
 *
 * A flag for each row that is not trouble: it stays.
 */
#ifndef EP_SNAPSHOT_KEEP_H
#define EP_SNAPSHOT_KEEP_H

#include "snapshot.h"

/* Whatever a scope that stays is in stays too: it is around that. */
void ep_keep_ancestors(struct eprof_snapshot *snapshot, bool *is_kept);

/* Of a scope that stays all ancestors stay, or none: then it becomes a root. Trouble stays. 0,
 * or -1 and ENOMEM. */
int ep_keep_rows(struct eprof_snapshot *snapshot, const bool *is_kept);

/* A flag for each of the tops. */
void ep_keep_tops(struct eprof_snapshot *snapshot, const bool *is_kept);

#endif /* EP_SNAPSHOT_KEEP_H */
