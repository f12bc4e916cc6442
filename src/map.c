#include "map.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Fibonacci hashing (Knuth, 6.4): the upper bits depend on all of the key. */
static size_t hash(const struct ep_map *map, uint64_t key)
{
    return (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> map->shift);
}

/* Where a key is, or would be. */
static struct ep_map_place *place_of(const struct ep_map *map, uint64_t key)
{
    size_t at = hash(map, key);
    while (map->places[at].key && map->places[at].key != key)
        at = (at + 1) & (map->room - 1);
    return &map->places[at];
}

static int grow(struct ep_map *map, size_t room)
{
    struct ep_map larger = {.room = room, .shift = 64 - (unsigned)__builtin_ctzll(room)};
    larger.places = calloc(room, sizeof *larger.places);
    if (!larger.places) {
        errno = ENOMEM;
        return -1;
    }
    for (size_t i = 0; i < map->room; i++)
        if (map->places[i].key)
            ep_map_add(&larger, map->places[i].key, map->places[i].value);
    free(map->places);
    *map = larger;
    return 0;
}

int ep_map_reserve(struct ep_map *map, size_t count)
{
    size_t room = map->room ? map->room : 16;
    while (room / 2 < count) {
        if (room > SIZE_MAX / 2 / sizeof *map->places) {
            errno = ENOMEM;
            return -1;
        }
        room *= 2;
    }
    return room == map->room ? 0 : grow(map, room);
}

uint32_t ep_map_find(const struct ep_map *map, uint64_t key)
{
    if (!map->room)
        return EP_MAP_NONE;
    const struct ep_map_place *place = place_of(map, key);
    return place->key ? place->value : EP_MAP_NONE;
}

void ep_map_add(struct ep_map *map, uint64_t key, uint32_t value)
{
    *place_of(map, key) = (struct ep_map_place){key, value};
    map->count++;
}

void ep_map_clear(struct ep_map *map)
{
    if (map->count)
        memset(map->places, 0, map->room * sizeof *map->places);
    map->count = 0;
}

void ep_map_free(struct ep_map *map)
{
    free(map->places);
    *map = (struct ep_map){.places = NULL};
}
