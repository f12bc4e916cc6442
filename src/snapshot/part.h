/*
 * part.h - the trees of a snapshot, one after the other, each with its tops
 *
 * With the option `threads` each thread with scopes has its own tree; otherwise all share one.
 */
#ifndef EP_SNAPSHOT_PART_H
#define EP_SNAPSHOT_PART_H

#include "snapshot/snapshot.h"

struct ep_part {
    size_t first, end;         /* rows */
    size_t top_first, top_end; /* of the tops */
    size_t number;             /* from 1 */
};

/* Advances to the next tree; before the first, `end` is scope_first and the rest 0. False: none. */
bool ep_rows_part_next(const struct eprof_snapshot *snapshot, struct ep_part *part);

/* The sums of the tree before rows of it were removed. */
struct ep_whole ep_rows_part_whole(const struct eprof_snapshot *snapshot,
                                   const struct ep_part *part);

#endif /* EP_SNAPSHOT_PART_H */
