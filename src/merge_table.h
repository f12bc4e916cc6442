/*
 * merge_table.h - rows that are found by a key, and made when they are first asked for
 */
#ifndef EP_MERGE_TABLE_H
#define EP_MERGE_TABLE_H

#include "map.h"

/* All zero: empty. */
struct ep_merge_table {
    void *rows;
    size_t count, room;
    struct ep_map index;
};

/* The index of the row of `bytes` bytes that has this key, which is not 0. A new one is the
 * last and zeroed. EP_MAP_NONE and ENOMEM. */
uint32_t ep_merge_table_find(struct ep_merge_table *table, size_t bytes, uint64_t key);
void ep_merge_table_free(struct ep_merge_table *table);

#endif /* EP_MERGE_TABLE_H */
