/*
 * fingerprint_table.h - rows that are found by a fingerprint, and made when they are first asked
 * for
 */
#ifndef EP_FINGERPRINT_TABLE_H
#define EP_FINGERPRINT_TABLE_H

#include "map.h"
#include "wide.h"

/* All zero: empty. Each row begins with its fingerprint, a struct ep_wide. */
struct ep_fingerprint_table {
    void *rows;
    size_t count, room;
    struct ep_map index; /* by the lower half, or where another has that, a number above it */
};

/* The index of the row of `bytes` bytes that has this fingerprint. A new one is the last, and zero
 * behind it. EP_MAP_NONE and ENOMEM. */
uint32_t ep_fingerprint_table_find(struct ep_fingerprint_table *table, size_t bytes,
                                   struct ep_wide print);
/* Forgets all rows; keeps the room. */
void ep_fingerprint_table_clear(struct ep_fingerprint_table *table);
void ep_fingerprint_table_free(struct ep_fingerprint_table *table);

#endif /* EP_FINGERPRINT_TABLE_H */
