/*
 * snapshot_sort.h - the rows of a snapshot in another order
 *
 * In the order of a column (snapshot_field.h); what is equal stays as it was.
 */
#ifndef EP_SNAPSHOT_SORT_H
#define EP_SNAPSHOT_SORT_H

#include "snapshot.h"

/* All return 0, or -1 and ENOMEM. */
int ep_sort_instances(struct eprof_snapshot *snapshot, const struct ep_field *field);
/* The scopes below each parent, with what is in them. */
int ep_sort_scopes(struct eprof_snapshot *snapshot, const struct ep_field *field);
/* The tops of each tree. */
int ep_sort_tops(struct eprof_snapshot *snapshot, const struct ep_field *field);

/* Of the rows with a flag all but the first `most` lose it. */
int ep_sort_keep_first(const struct eprof_row *rows, size_t count, const struct ep_field *field,
                       size_t most, bool *is_kept);

#endif /* EP_SNAPSHOT_SORT_H */
