#include "base/hash.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"

/* ---- map ---- */

static uint64_t key_in(const struct ep_map_slot *slot)
{
    return (uint64_t)slot->key[1] << 32 | slot->key[0];
}

/* The slot of a key, or the free one where it would be added. Fibonacci hashing (Knuth, 6.4): the
 * upper bits of the product depend on all of the key. */
static struct ep_map_slot *slot_of(const struct ep_map *map, uint64_t key)
{
    size_t at = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> map->shift);
    for (uint64_t there; (there = key_in(&map->slots[at])) != 0 && there != key;)
        at = (at + 1) & (map->room - 1);
    return &map->slots[at];
}

int ep_hash_map_reserve(struct ep_map *map, size_t count)
{
    size_t room = map->room ? map->room : 16;
    while (room / 4 * 3 < count && room <= SIZE_MAX / 2 / sizeof *map->slots)
        room *= 2;
    if (room == map->room)
        return 0;
    struct ep_map larger = {.room = room, .shift = 64 - (unsigned)__builtin_ctzll(room)};
    larger.slots = room / 4 * 3 < count ? NULL : calloc(room, sizeof *larger.slots);
    if (!larger.slots) {
        errno = ENOMEM;
        return -1;
    }
    for (size_t i = 0; i < map->room; i++)
        if (key_in(&map->slots[i]))
            ep_hash_map_add(&larger, key_in(&map->slots[i]), map->slots[i].value);
    free(map->slots);
    *map = larger;
    return 0;
}

uint32_t ep_hash_map_find(const struct ep_map *map, uint64_t key)
{
    if (!map->room)
        return EP_MAP_NONE;
    const struct ep_map_slot *slot = slot_of(map, key);
    return key_in(slot) ? slot->value : EP_MAP_NONE;
}

void ep_hash_map_add(struct ep_map *map, uint64_t key, uint32_t value)
{
    *slot_of(map, key) = (struct ep_map_slot){{(uint32_t)key, (uint32_t)(key >> 32)}, value};
    map->count++;
}

void ep_hash_map_clear(struct ep_map *map)
{
    if (map->count)
        memset(map->slots, 0, map->room * sizeof *map->slots);
    map->count = 0;
}

void ep_hash_map_free(struct ep_map *map)
{
    free(map->slots);
    *map = (struct ep_map){.slots = NULL};
}

/* ---- fingerprints ---- */

struct ep_wide ep_hash_begin(void)
{
    return (struct ep_wide){.low = UINT64_C(0x62B821756295C58D),
                            .high = UINT64_C(0x6C62272E07BB0142)};
}

struct ep_wide ep_hash_add(struct ep_wide print, const void *bytes, size_t count)
{
    const unsigned char *byte = bytes;
    while (count-- > 0) {
        print.low ^= *byte++;
        uint64_t low = print.low;
        print = ep_wide_multiply_by(print, 0x13B); /* the prime is 2^88 + 0x13B */
        print.high += low << (88 - 64);
    }
    return print;
}

struct ep_wide ep_hash_add_text(struct ep_wide print, const char *text)
{
    while (*text) {
        size_t length = ep_utf8_length(text);
        if (length) {
            print = ep_hash_add(print, text, length);
            text += length;
        } else {
            char shown[sizeof "\\xNN"];
            snprintf(shown, sizeof shown, "\\x%02x", (unsigned)(unsigned char)*text++);
            print = ep_hash_add(print, shown, sizeof shown - 1);
        }
    }
    return ep_hash_add(print, "", 1);
}

/* ---- rows by key and by fingerprint ---- */

/* The key of the row, or the free key that a new row would get; 0 is not a key. */
static uint64_t key_of(const struct ep_fingerprint_table *table, size_t bytes, struct ep_wide print)
{
    for (uint64_t key = print.low;; key++) {
        key += key == 0;
        uint32_t row = ep_hash_map_find(&table->index, key);
        if (row == EP_MAP_NONE)
            return key;
        struct ep_wide there;
        memcpy(&there, (const char *)table->rows + row * bytes, sizeof there);
        if (there.low == print.low && there.high == print.high)
            return key;
    }
}

uint32_t ep_hash_table_row(struct ep_fingerprint_table *table, size_t bytes, uint64_t key)
{
    uint32_t found = ep_hash_map_find(&table->index, key);
    if (found != EP_MAP_NONE)
        return found;
    void *grown = ep_memory_room(table->rows, table->count, &table->room, bytes);
    if (!grown)
        return EP_MAP_NONE;
    table->rows = grown;
    if (ep_hash_map_reserve(&table->index, table->count + 1) != 0)
        return EP_MAP_NONE;
    memset((char *)table->rows + table->count * bytes, 0, bytes);
    ep_hash_map_add(&table->index, key, (uint32_t)table->count);
    return (uint32_t)table->count++;
}

uint32_t ep_hash_table_find(struct ep_fingerprint_table *table, size_t bytes, struct ep_wide print)
{
    uint32_t row = ep_hash_table_row(table, bytes, key_of(table, bytes, print));
    if (row != EP_MAP_NONE)
        memcpy((char *)table->rows + row * bytes, &print, sizeof print);
    return row;
}

void ep_hash_table_free(struct ep_fingerprint_table *table)
{
    free(table->rows);
    ep_hash_map_free(&table->index);
    *table = (struct ep_fingerprint_table){.rows = NULL};
}
