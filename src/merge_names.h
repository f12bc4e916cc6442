/*
 * merge_names.h - every text that images have, once: found by its bytes
 */
#ifndef EP_MERGE_NAMES_H
#define EP_MERGE_NAMES_H

#include "arena.h"
#include "map.h"

struct ep_merge_name {
    const char *text; /* with a NUL behind it */
    uint32_t bytes;
    uint32_t next; /* another one of the same hash; EP_MAP_NONE: none */
};

/* All zero: empty. */
struct ep_merge_names {
    struct ep_merge_name *at;
    size_t count, room;
    struct ep_map by_hash;
    struct ep_arena texts;
};

/* The number of a text, which is copied when it is new. EP_MAP_NONE and ENOMEM. */
uint32_t ep_merge_names_find(struct ep_merge_names *names, const char *text, uint32_t bytes);
/* As memcmp(), and a text before those that begin with it. */
int ep_merge_names_compare(const struct ep_merge_name *a, const struct ep_merge_name *b);
void ep_merge_names_free(struct ep_merge_names *names);

#endif /* EP_MERGE_NAMES_H */
