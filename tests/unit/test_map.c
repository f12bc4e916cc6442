/* Numbers found by keys, against a plain list of what was added. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "map.h"
#include "random.h"
#include <errno.h>

static void empty_map_finds_nothing(void **state)
{
    struct ep_map map = {.places = NULL};
    (void)state;
    assert_int_equal(ep_map_find(&map, 1), EP_MAP_NONE);
    assert_int_equal(ep_map_reserve(&map, 0), 0);
    assert_int_equal(ep_map_find(&map, 1), EP_MAP_NONE);
    ep_map_free(&map);
}

/* Keys that differ in their low bits only, in their high bits only, and at random. */
static void each_key_has_its_value(void **state)
{
    enum { KEYS = 3000 };
    static uint64_t keys[KEYS];
    (void)state;
    for (uint32_t i = 0; i < KEYS; i++)
        keys[i] = i % 3 == 0 ? i + 1 : i % 3 == 1 ? (uint64_t)i << 40 : random_next() | 1;
    struct ep_map map = {.places = NULL};
    for (int round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < KEYS; i++) {
            assert_int_equal(ep_map_find(&map, keys[i]), EP_MAP_NONE);
            assert_int_equal(ep_map_reserve(&map, i + 1), 0);
            ep_map_add(&map, keys[i], i);
        }
        for (uint32_t i = 0; i < KEYS; i++)
            assert_int_equal(ep_map_find(&map, keys[i]), i);
        assert_true(map.room >= 2 * KEYS);
        ep_map_clear(&map);
    }
    ep_map_free(&map);
}

static void room_beyond_all_memory_is_enomem(void **state)
{
    struct ep_map map = {.places = NULL};
    (void)state;
    assert_int_equal(ep_map_reserve(&map, SIZE_MAX), -1);
    assert_int_equal(errno, ENOMEM);
    assert_int_equal(map.room, 0);
}

int main(void)
{
    random_begin();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_map_finds_nothing),
        cmocka_unit_test(each_key_has_its_value),
        cmocka_unit_test(room_beyond_all_memory_is_enomem),
    };
    return cmocka_run_group_tests_name("map", tests, NULL, NULL);
}
