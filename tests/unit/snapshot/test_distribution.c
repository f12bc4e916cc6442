#include <stdint.h>

#include "snapshot/snapshot.h"
#include "support/test.h"

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

TEST(sparkline_without_calls_has_no_columns)
{
    assert_int_equal(ep_figures_sparkline(&histogram).columns, 0);
}

TEST(sparkline_of_one_time_is_one_full_column)
{
    add(1000, 7);
    struct ep_sparkline sparkline = ep_figures_sparkline(&histogram);
    assert_int_equal(sparkline.columns, 1);
    assert_int_equal(sparkline.heights[0], EP_SPARKLINE_HIGHEST);
}

/* 100 and 200 differ by one octave. */
TEST(sparkline_goes_from_the_shortest_to_the_longest)
{
    add(100, 10);
    add(200, 5);
    struct ep_sparkline sparkline = ep_figures_sparkline(&histogram);
    assert_int_equal(sparkline.columns, EP_OCTAVE_BUCKETS + 1);
    assert_int_equal(sparkline.heights[0], EP_SPARKLINE_HIGHEST);
    for (int i = 1; i < EP_OCTAVE_BUCKETS; i++)
        assert_int_equal(sparkline.heights[i], 0);
    assert_in_range(sparkline.heights[EP_OCTAVE_BUCKETS], EP_SPARKLINE_HIGHEST / 2,
                    EP_SPARKLINE_HIGHEST / 2 + 1);
}

TEST(sparkline_of_many_octaves_has_all_calls_in_its_columns)
{
    for (unsigned bit = 0; bit < 60; bit++)
        add(UINT64_C(1) << bit, 1);
    struct ep_sparkline sparkline = ep_figures_sparkline(&histogram);
    assert_int_equal(sparkline.columns, EP_SPARKLINE_COLUMNS);
    for (int i = 0; i < EP_SPARKLINE_COLUMNS; i++)
        assert_int_not_equal(sparkline.heights[i], 0);
}

TEST(sparkline_shows_one_call_among_all_that_can_be_counted)
{
    add(100, UINT64_MAX / 2);
    add(108, 1);
    struct ep_sparkline sparkline = ep_figures_sparkline(&histogram);
    assert_int_equal(sparkline.columns, 2);
    assert_int_equal(sparkline.heights[0], EP_SPARKLINE_HIGHEST);
    assert_int_equal(sparkline.heights[1], 1);
}

TEST_EACH(begin, NULL)
