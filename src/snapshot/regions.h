/*
 * regions.h - the regions that a name denotes: overloads of a function, or a scope and a value
 *
 * A region is all rows of one kind, whole name and unit.
 */
#ifndef EP_SNAPSHOT_REGIONS_H
#define EP_SNAPSHOT_REGIONS_H

#include "snapshot/snapshot.h"

struct ep_regions {
    const struct eprof_row **at; /* a row of each, by their first rows; values last */
    size_t count, room;
};

/* 0, or -1 and ENOMEM; to be freed in any case. `first`: the first row that counts. */
int ep_regions_find(struct ep_regions *regions, const struct eprof_snapshot *snapshot,
                    const char *name, size_t first);
void ep_regions_free(struct ep_regions *regions);

/* Whether both rows are of one region. */
bool ep_regions_are_one(const struct eprof_row *a, const struct eprof_row *b);

#endif /* EP_SNAPSHOT_REGIONS_H */
