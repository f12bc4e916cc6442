/*
 * map.h - small numbers found by 64-bit keys
 *
 * Open addressing with linear probing, at most half full (Knuth, The Art of Computer
 * Programming 3, 6.4).
 */
#ifndef EP_MAP_H
#define EP_MAP_H

#include <stddef.h>

#include "compiler.h"

#define EP_MAP_NONE UINT32_MAX

struct ep_map_place {
    uint64_t key; /* 0: free */
    uint32_t value;
};

/* All zero: empty. */
struct ep_map {
    struct ep_map_place *places;
    size_t count, room; /* `room` is a power of two, or 0 */
    unsigned shift;     /* of the hash: 64 less the logarithm of `room` */
};

/* Makes room for `count` keys in all. 0, or -1 and ENOMEM. */
int ep_map_reserve(struct ep_map *map, size_t count);
/* The value of a key that is not 0; EP_MAP_NONE: there is none. */
uint32_t ep_map_find(const struct ep_map *map, uint64_t key);
/* Adds a key that is not there, for which there is room. */
void ep_map_add(struct ep_map *map, uint64_t key, uint32_t value);
/* Forgets all keys; keeps the room. */
void ep_map_clear(struct ep_map *map);
void ep_map_free(struct ep_map *map);

#endif /* EP_MAP_H */
