/*
 * base/hash.h - a map from 64-bit keys to small numbers, fingerprints of texts, and tables by them
 */
#ifndef EP_BASE_HASH_H
#define EP_BASE_HASH_H

#include <stddef.h>

#include "base/compiler.h"
#include "base/wide.h"

#define EP_MAP_NONE UINT32_MAX

/* Open addressing with linear probing, at most three quarters full (Knuth, The Art of Computer
 * Programming 3, 6.4). A comparison of large profiles has three maps for each region, so a slot has
 * no padding. All zero: empty. */
struct ep_map {
    struct ep_map_slot {
        uint32_t key[2]; /* its halves, the lower first; 0: free */
        uint32_t value;
    } * slots;
    size_t count, room; /* `room` is a power of two, or 0 */
    unsigned shift;     /* of the hash: 64 less the logarithm of `room` */
};

/* Makes room for `count` keys in all. 0, or -1 and ENOMEM. */
int ep_hash_map_reserve(struct ep_map *map, size_t count);
/* The value of a key that is not 0; EP_MAP_NONE: not found. */
uint32_t ep_hash_map_find(const struct ep_map *map, uint64_t key);
/* Adds a key that is not in the map. Its room must be reserved. */
void ep_hash_map_add(struct ep_map *map, uint64_t key, uint32_t value);
/* Removes all keys; keeps the room. */
void ep_hash_map_clear(struct ep_map *map);
void ep_hash_map_free(struct ep_map *map);

/*
 * Fingerprints: FNV-1a of 128 bits (Fowler, Noll and Vo,
 * http://www.isthe.com/chongo/tech/comp/fnv/). Two of a million texts collide with a probability of
 * 10^-27, so the texts need not be kept.
 */
struct ep_wide ep_hash_begin(void);
struct ep_wide ep_hash_add(struct ep_wide print, const void *bytes, size_t count);
/* Adds a text as reports show it, with \xNN for invalid UTF-8, and its end. */
struct ep_wide ep_hash_add_text(struct ep_wide print, const char *text);

/* Rows of `bytes` bytes by a key or a fingerprint. All zero: empty. */
struct ep_fingerprint_table {
    void *rows;
    size_t count, room;
    struct ep_map index; /* by the key; by the lower half of the fingerprint, or by a higher number
                            if that key is taken */
};

/* The index of the row with this key, which is not 0. If there is none, a row of zeros is added at
 * the end. EP_MAP_NONE and ENOMEM. */
uint32_t ep_hash_table_row(struct ep_fingerprint_table *table, size_t bytes, uint64_t key);
/* The same by fingerprint, for a table whose rows begin with their fingerprints. */
uint32_t ep_hash_table_find(struct ep_fingerprint_table *table, size_t bytes, struct ep_wide print);
void ep_hash_table_free(struct ep_fingerprint_table *table);

#endif /* EP_BASE_HASH_H */
