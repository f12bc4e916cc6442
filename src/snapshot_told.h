/*
 * snapshot_told.h - what was told is told again: no figure of a series falls between two reports
 *
 * Figures may come out lower than they did, although nothing was reset: the length of a tick is
 * known better, and what the probe costs; a throttled function's times are estimates; an instance
 * was freed. To who keeps figures over time such a fall is a restart of the program. So of each row
 * the most that was seen is remembered, and of each series what all its rows, those that are gone
 * too, have come to.
 *
 * A row is the same one while it is of the same thread, and of the same life of an instance: what
 * another has under its name later is added.
 */
#ifndef EP_SNAPSHOT_TOLD_H
#define EP_SNAPSHOT_TOLD_H

#include "fingerprint_table.h"
#include "snapshot.h"

/* What was in none of so many snapshots is forgotten: of labels that come and go for ever. Whoever
 * keeps figures has taken a series that was gone so long for ended. */
enum { EP_TOLD_SNAPSHOTS = 1000 };

/* All zero: nothing was told. */
struct ep_told {
    uint64_t epoch;
    uint64_t snapshots;                /* so many were told */
    size_t kept;                       /* marks, when those of long ago were forgotten last */
    struct ep_fingerprint_table marks; /* of rows and of series */
};

/*
 * Raises figures of the rows so that no series has less than it had in a snapshot of this epoch
 * before; another epoch begins anew. 0; -1 and ENOMEM, and the rows are as they were.
 */
int ep_told_raise(struct ep_told *told, uint64_t epoch, struct eprof_snapshot *snapshot);

#endif /* EP_SNAPSHOT_TOLD_H */
