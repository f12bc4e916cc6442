/*
 * snapshot_part.h - the trees of a snapshot, one after the other, each with its tops
 *
 * By threads there is one for each thread; else there is one.
 */
#ifndef EP_SNAPSHOT_PART_H
#define EP_SNAPSHOT_PART_H

#include "snapshot.h"

struct ep_part {
    size_t first, end;         /* rows */
    size_t top_first, top_end; /* of the tops */
    size_t number;             /* from 1 */
};

/* Goes on to the next; before the first, `end` is scope_first and the rest 0. False: there is
 * none. */
bool ep_part_next(const struct eprof_snapshot *snapshot, struct ep_part *part);

/* What the tree was before rows of it were left out; its own sums, where none were. */
struct ep_whole ep_part_whole(const struct eprof_snapshot *snapshot, const struct ep_part *part);

/* Before rows are left out: notes what each tree is. 0, or -1 and ENOMEM. */
int ep_part_note_wholes(struct eprof_snapshot *snapshot);
/* After that: trees of which nothing is left are forgotten. */
void ep_part_match_wholes(struct eprof_snapshot *snapshot);

#endif /* EP_SNAPSHOT_PART_H */
