/* A map from keys to numbers, compared with a plain list of the added pairs. */
#include "base/hash.h"
#include "support/random.h"
#include "support/test.h"
#include <errno.h>

TEST(empty_map_finds_nothing)
{
    struct ep_map map = {.slots = NULL};
    assert_int_equal(ep_hash_map_find(&map, 1), EP_MAP_NONE);
    assert_int_equal(ep_hash_map_reserve(&map, 0), 0);
    assert_int_equal(ep_hash_map_find(&map, 1), EP_MAP_NONE);
    ep_hash_map_free(&map);
}

/* The keys differ only in their low bits, only in their high bits, or at random. */
TEST(each_key_has_its_value)
{
    enum { KEYS = 3000 };
    static uint64_t keys[KEYS];
    for (uint32_t i = 0; i < KEYS; i++)
        keys[i] = i % 3 == 0 ? i + 1 : i % 3 == 1 ? (uint64_t)i << 40 : random_next() | 1;
    struct ep_map map = {.slots = NULL};
    for (int round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < KEYS; i++) {
            assert_int_equal(ep_hash_map_find(&map, keys[i]), EP_MAP_NONE);
            assert_int_equal(ep_hash_map_reserve(&map, i + 1), 0);
            ep_hash_map_add(&map, keys[i], i);
        }
        for (uint32_t i = 0; i < KEYS; i++)
            assert_int_equal(ep_hash_map_find(&map, keys[i]), i);
        assert_true(map.room / 4 * 3 >= KEYS);
        ep_hash_map_clear(&map);
    }
    ep_hash_map_free(&map);
}

TEST(room_beyond_all_memory_is_enomem)
{
    struct ep_map map = {.slots = NULL};
    assert_int_equal(ep_hash_map_reserve(&map, SIZE_MAX), -1);
    assert_int_equal(errno, ENOMEM);
    assert_int_equal(map.room, 0);
}
