/*
 * sort.h - the rows of a snapshot in the order of a column
 *
 * Equal rows keep their order. Functions that return an int return 0, or -1 and ENOMEM.
 */
#ifndef EP_SNAPSHOT_SORT_H
#define EP_SNAPSHOT_SORT_H

#include "snapshot/snapshot.h"

/* The rows to sort: instances; the scopes below each parent, with their descendants; the tops of
 * each tree. */
enum { EP_SORT_INSTANCES = 1, EP_SORT_SCOPES = 2, EP_SORT_TOPS = 4 };

int ep_sort_rows(struct eprof_snapshot *snapshot, const struct ep_field *field, unsigned which);

/* Clears the flags of all but the first `most` rows that have one. */
int ep_sort_keep_first(const struct eprof_row *rows, size_t count, const struct ep_field *field,
                       size_t most, bool *is_kept);

/* A row of a tree, or of a list, which is a tree of roots. */
struct ep_sort_item {
    struct ep_field_order order; /* among its siblings */
    uint32_t site;               /* the lower one first in the same order, then the lower index */
    uint32_t index;
    uint32_t parent; /* its index, which is lower; EP_MAP_NONE: a root */
    uint32_t rows;   /* its own and those of its descendants */
};

/* Sorts the items and sets, by index, their positions in a walk through the trees. */
void ep_sort_walk(struct ep_sort_item *items, size_t count, uint32_t *positions);

#endif /* EP_SNAPSHOT_SORT_H */
