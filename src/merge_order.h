/*
 * merge_order.h - numbers that do not depend on what was added first
 *
 * Sites are numbered by file, line and label, functions also by module and address; instances by
 * when they were allocated, then by label; threads by number, then by name.
 */
#ifndef EP_MERGE_ORDER_H
#define EP_MERGE_ORDER_H

#include "merge_tables.h"

/* A row, and what it is sorted by. */
struct ep_merge_keyed {
    uint64_t key;
    uint32_t row;
};

/* By index of a row, in their order. */
struct ep_merge_order {
    uint32_t *modules, *sites, *instances, *threads;
    struct ep_merge_keyed *nodes; /* by parent and site: brothers stand together */
    struct ep_merge_keyed *pairs; /* by thread and instance */
    size_t *first_child;          /* of each node, where in `nodes`: up to that of the next one */
};

/* Numbers all rows as well. 0, or -1 and ENOMEM; to be freed in any case. */
int ep_merge_order_find(struct ep_merge_order *order, struct ep_merge *merge);
void ep_merge_order_free(struct ep_merge_order *order);

#endif /* EP_MERGE_ORDER_H */
