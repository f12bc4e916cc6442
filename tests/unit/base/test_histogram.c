#include "base/histogram.h"
#include "support/random.h"
#include "support/test.h"

enum { ROUNDS = 1000000 };

static unsigned bucket_of(uint64_t value)
{
    return ep_histogram_bucket(value);
}

TEST(first_bucket_begins_at_zero)
{
    assert_int_equal(bucket_of(0), 0);
    assert_int_equal(ep_histogram_lower(0), 0);
}

TEST(last_bucket_ends_at_the_largest_value)
{
    assert_int_equal(bucket_of(UINT64_MAX), EP_BUCKETS - 1);
}

/* Buckets are in order, without gaps or overlaps; from the first to the last one, they cover all of
 * uint64_t. */
TEST(each_bucket_begins_where_the_one_before_ends)
{
    for (unsigned bucket = 1; bucket < EP_BUCKETS; bucket++) {
        uint64_t lower = ep_histogram_lower(bucket);
        assert_true(ep_histogram_lower(bucket - 1) < lower);
        assert_int_equal(bucket_of(lower), bucket);
        assert_int_equal(bucket_of(lower - 1), bucket - 1);
    }
}

TEST(values_below_16_have_a_bucket_each)
{
    for (unsigned value = 0; value < 16; value++) {
        assert_int_equal(bucket_of(value), value);
        assert_int_equal(ep_histogram_middle(value), value);
    }
}

TEST(octave_begins_at_a_power_of_two)
{
    for (unsigned octave = 1; octave < EP_OCTAVES; octave++)
        assert_int_equal(ep_histogram_lower(octave * EP_OCTAVE_BUCKETS), UINT64_C(1)
                                                                             << (octave + 2));
}

TEST(middle_lies_in_its_bucket)
{
    for (unsigned bucket = 0; bucket < EP_BUCKETS; bucket++)
        assert_int_equal(bucket_of(ep_histogram_middle(bucket)), bucket);
}

/* The error is at most 1/16, which is 6.25 %. */
static void check_error(uint64_t value)
{
    uint64_t middle = ep_histogram_middle(bucket_of(value));
    uint64_t error = middle > value ? middle - value : value - middle;
    if (error > value / 16)
        fail_msg("%llu is shown as %llu", (unsigned long long)value, (unsigned long long)middle);
}

TEST(middle_is_within_a_sixteenth_of_each_edge)
{
    for (unsigned bucket = 1; bucket < EP_BUCKETS; bucket++) {
        check_error(ep_histogram_lower(bucket));
        check_error(ep_histogram_lower(bucket) - 1);
    }
    check_error(UINT64_MAX);
}

TEST(middle_is_within_a_sixteenth_of_any_value)
{
    for (int i = 0; i < ROUNDS; i++)
        check_error(random_magnitude());
}

static uint64_t percentile(const uint64_t counts[EP_BUCKETS], unsigned per_mille)
{
    struct ep_histogram histogram = {.octaves = 0};
    for (unsigned bucket = 0; bucket < EP_BUCKETS; bucket++)
        ep_histogram_add(&histogram, bucket, counts[bucket]);
    uint64_t value;
    ep_histogram_percentiles(&histogram, &per_mille, &value, 1);
    return value;
}

TEST(percentile_without_values_is_zero)
{
    uint64_t counts[EP_BUCKETS] = {0};
    assert_int_equal(percentile(counts, 1), 0);
    assert_int_equal(percentile(counts, 500), 0);
    assert_int_equal(percentile(counts, 1000), 0);
}

TEST(percentile_of_one_value_is_that_value)
{
    uint64_t counts[EP_BUCKETS] = {[9] = 1};
    assert_int_equal(percentile(counts, 1), 9);
    assert_int_equal(percentile(counts, 999), 9);
    assert_int_equal(percentile(counts, 1000), 9);
}

/* Of the values 1 to 10 the median is 5, and not 5.5 or 6; at a thousandth more it is 6. */
TEST(percentile_is_of_the_nearest_rank)
{
    uint64_t counts[EP_BUCKETS] = {0};
    for (unsigned value = 1; value <= 10; value++)
        counts[value] = 1;
    assert_int_equal(percentile(counts, 1), 1);
    assert_int_equal(percentile(counts, 100), 1);
    assert_int_equal(percentile(counts, 101), 2);
    assert_int_equal(percentile(counts, 500), 5);
    assert_int_equal(percentile(counts, 501), 6);
    assert_int_equal(percentile(counts, 900), 9);
    assert_int_equal(percentile(counts, 999), 10);
    assert_int_equal(percentile(counts, 1000), 10);
}

static int by_value(const void *a, const void *b)
{
    const uint64_t *left = a, *right = b;
    return *left < *right ? -1 : *left > *right;
}

TEST(percentile_agrees_with_sorted_values)
{
    enum { MOST_VALUES = 3000 };
    static uint64_t values[MOST_VALUES];
    static const unsigned per_milles[] = {1, 10, 250, 500, 900, 990, 999, 1000};

    for (int round = 0; round < 200; round++) {
        uint64_t counts[EP_BUCKETS] = {0};
        size_t count = 1 + (size_t)(random_next() % MOST_VALUES);
        for (size_t i = 0; i < count; i++) {
            values[i] = random_magnitude();
            counts[bucket_of(values[i])]++;
        }
        qsort(values, count, sizeof values[0], by_value);
        for (size_t i = 0; i < sizeof per_milles / sizeof per_milles[0]; i++) {
            /* The smallest rank that is not below per_mille of all ranks. */
            size_t rank = 1;
            while (rank * 1000 < count * per_milles[i])
                rank++;
            uint64_t expected = ep_histogram_middle(bucket_of(values[rank - 1]));
            assert_int_equal(percentile(counts, per_milles[i]), expected);
        }
    }
}

TEST(percentile_of_large_counts_does_not_overflow)
{
    uint64_t counts[EP_BUCKETS] = {0};
    counts[3] = UINT64_C(1) << 63;
    counts[12] = (UINT64_C(1) << 63) - 1;
    assert_int_equal(percentile(counts, 500), 3);
    assert_int_equal(percentile(counts, 501), 12);
    assert_int_equal(percentile(counts, 1000), 12);
}

/* An image from another machine may contain more calls than are possible. */
TEST(percentile_of_impossible_counts_stays_within_the_buckets)
{
    uint64_t counts[EP_BUCKETS];
    for (unsigned bucket = 0; bucket < EP_BUCKETS; bucket++)
        counts[bucket] = random_next();
    for (unsigned per_mille = 1; per_mille <= 1000; per_mille++) {
        uint64_t value = percentile(counts, per_mille);
        assert_int_equal(value, ep_histogram_middle(bucket_of(value)));
    }
}

/* ---------------------------------------------------------------- added up -- */

TEST(cleared_histogram_is_empty)
{
    static const struct ep_histogram empty;
    struct ep_histogram histogram = {.octaves = 0};
    for (int round = 0; round < 100; round++) {
        for (int i = 0; i < 50; i++)
            ep_histogram_add(&histogram, bucket_of(random_magnitude()), random_next() % 3);
        ep_histogram_clear(&histogram);
        assert_memory_equal(&histogram, &empty, sizeof empty);
    }
}
