#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdint.h>

#include "snapshot_outline.h"

static struct ep_histogram histogram;

static void add(uint64_t value, uint64_t times)
{
    ep_histogram_add(&histogram, ep_histogram_bucket(value), times);
}

static int begin(void **state)
{
    (void)state;
    ep_histogram_clear(&histogram);
    return 0;
}

static void outline_of_nothing_has_no_columns(void **state)
{
    (void)state;
    assert_int_equal(ep_outline_of(&histogram).columns, 0);
}

static void outline_of_one_time_is_one_full_column(void **state)
{
    (void)state;
    add(1000, 7);
    struct ep_outline outline = ep_outline_of(&histogram);
    assert_int_equal(outline.columns, 1);
    assert_int_equal(outline.heights[0], EP_OUTLINE_HIGHEST);
}

/* 100 and 200 are an octave apart. */
static void outline_goes_from_the_shortest_to_the_longest(void **state)
{
    (void)state;
    add(100, 10);
    add(200, 5);
    struct ep_outline outline = ep_outline_of(&histogram);
    assert_int_equal(outline.columns, EP_OCTAVE_BUCKETS + 1);
    assert_int_equal(outline.heights[0], EP_OUTLINE_HIGHEST);
    for (int i = 1; i < EP_OCTAVE_BUCKETS; i++)
        assert_int_equal(outline.heights[i], 0);
    assert_in_range(outline.heights[EP_OCTAVE_BUCKETS], EP_OUTLINE_HIGHEST / 2,
                    EP_OUTLINE_HIGHEST / 2 + 1);
}

static void outline_of_many_octaves_has_all_calls_in_its_columns(void **state)
{
    (void)state;
    for (unsigned bit = 0; bit < 60; bit++)
        add(UINT64_C(1) << bit, 1);
    struct ep_outline outline = ep_outline_of(&histogram);
    assert_int_equal(outline.columns, EP_OUTLINE_COLUMNS);
    for (int i = 0; i < EP_OUTLINE_COLUMNS; i++)
        assert_int_not_equal(outline.heights[i], 0);
}

static void outline_shows_one_call_among_all_that_can_be_counted(void **state)
{
    (void)state;
    add(100, UINT64_MAX / 2);
    add(108, 1);
    struct ep_outline outline = ep_outline_of(&histogram);
    assert_int_equal(outline.columns, 2);
    assert_int_equal(outline.heights[0], EP_OUTLINE_HIGHEST);
    assert_int_equal(outline.heights[1], 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(outline_of_nothing_has_no_columns, begin),
        cmocka_unit_test_setup(outline_of_one_time_is_one_full_column, begin),
        cmocka_unit_test_setup(outline_goes_from_the_shortest_to_the_longest, begin),
        cmocka_unit_test_setup(outline_of_many_octaves_has_all_calls_in_its_columns, begin),
        cmocka_unit_test_setup(outline_shows_one_call_among_all_that_can_be_counted, begin),
    };
    return cmocka_run_group_tests_name("snapshot_outline", tests, NULL, NULL);
}
