/*
 * The figures of a row, against a reference that is computed here from all the
 * durations.
 */
#include "calls.h"
#include "figures.h"
#include "threads.h"

#include "../support/random.h"

enum { CALLS = 20000 };

static uint64_t durations[CALLS];

static void span_of(int id, uint64_t ticks)
{
    uint64_t start = hand_ticks;
    hand_ticks += ticks;
    eprof_record(id, start, hand_ticks);
}

static struct eprof_row row_of(void (*record)(int id, uint64_t ticks), size_t count)
{
    eprof_init();
    int id = eprof_alloc("a");
    for (size_t i = 0; i < count; i++)
        record(id, durations[i]);
    struct eprof_row row = instance_row("a");
    assert_int_equal(row.calls, count);
    assert_int_equal(row.timed, count);
    return row;
}

static struct eprof_row row_of_pairs(size_t count)
{
    return row_of(pair_of, count);
}

/* ------------------------------------------------------------- reference -- */

static long double sum_of(size_t count)
{
    long double sum = 0; /* below 2^64 in all tests: exact */
    for (size_t i = 0; i < count; i++)
        sum += (long double)durations[i];
    return sum;
}

/* By Newton's method, so that the test needs no libm: the value halves until it is near. */
static long double root(long double square)
{
    long double root = square;
    for (int i = 0; i < 100 && root > 0; i++)
        root = (root + square / root) / 2;
    return root;
}

/* In two passes, so that nothing cancels. */
static long double deviation_of(size_t count)
{
    long double mean = sum_of(count) / (long double)count, squares = 0;
    for (size_t i = 0; i < count; i++) {
        long double distance = (long double)durations[i] - mean;
        squares += distance * distance;
    }
    return root(squares / (long double)count);
}

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void assert_near(const char *what, uint64_t shown, long double expected, long double error)
{
    long double distance = (long double)shown - expected;
    if (distance > error || distance < -error)
        fail_msg("%s is %llu and not %.3Lf +- %.3Lf", what, (unsigned long long)shown, expected,
                 error);
}

/* Nearest rank in the sorted `durations`. */
static void assert_percentile(const char *what, uint64_t shown, size_t count, size_t per_mille)
{
    size_t rank = (count * per_mille + 999) / 1000;
    long double exact = (long double)durations[rank - 1];
    assert_near(what, shown, exact, exact * 0.0625L);
}

/* Sorts `durations`. */
static void assert_row_agrees(struct eprof_row row, size_t count)
{
    long double sum = sum_of(count), deviation = deviation_of(count);
    assert_near("total", row.total_ns, sum, 0);
    assert_near("self", row.self_ns, sum, 0);
    assert_near("mean", row.mean_ns, sum / (long double)count, 1);
    if (deviation >= 50) /* below, a whole number of ns cannot be within 1 % */
        assert_near("stddev", row.stddev_ns, deviation, deviation * 0.01L);
    else
        assert_near("stddev", row.stddev_ns, deviation, 0.5L);
    qsort(durations, count, sizeof *durations, compare);
    assert_int_equal(row.min_ns, durations[0]);
    assert_int_equal(row.max_ns, durations[count - 1]);
    assert_percentile("p50", row.p50_ns, count, 500);
    assert_percentile("p90", row.p90_ns, count, 900);
    assert_percentile("p99", row.p99_ns, count, 990);
    assert_percentile("p999", row.p999_ns, count, 999);
    assert_in_range(row.p50_ns, row.min_ns, row.p90_ns);
    assert_in_range(row.p99_ns, row.p90_ns, row.p999_ns);
    assert_in_range(row.p999_ns, row.p99_ns, row.max_ns);
}

/* --------------------------------------------------------------- one row -- */

TEST(one_call_is_every_figure)
{
    for (uint64_t ns = 1; ns < UINT64_C(1000000000000); ns = ns * 3 + 1) {
        durations[0] = ns;
        struct eprof_row row = row_of_pairs(1);
        assert_int_equal(row.total_ns, ns);
        assert_int_equal(row.self_ns, ns);
        assert_int_equal(row.mean_ns, ns);
        assert_int_equal(row.stddev_ns, 0);
        assert_int_equal(row.min_ns, ns);
        assert_int_equal(row.max_ns, ns);
        assert_int_equal(row.p50_ns, ns); /* no percentile is below the least */
        assert_int_equal(row.p999_ns, ns);
    }
}

/* At any moment the figures include the last call. */
TEST(figures_agree_after_each_call)
{
    for (size_t count = 1; count <= 50; count++) {
        for (size_t i = 0; i < count; i++)
            durations[i] = i * i * i + 1;
        assert_row_agrees(row_of(pair_of, count), count);
        assert_row_agrees(row_of(span_of, count), count);
    }
}

TEST(short_durations_have_exact_percentiles)
{
    for (size_t i = 0; i < 1000; i++)
        durations[i] = i % 16;
    struct eprof_row row = row_of_pairs(1000);
    assert_int_equal(row.p50_ns, 7); /* 63 each of 0 to 7, 62 of the others: rank 500 is a 7 */
    assert_int_equal(row.p90_ns, 14);
    assert_int_equal(row.p99_ns, 15);
    assert_int_equal(row.p999_ns, 15);
}

TEST(durations_of_every_magnitude_agree)
{
    for (size_t i = 0; i < CALLS; i++)
        durations[i] = random_magnitude() >> 24; /* up to 2^40 ns, 18 minutes */
    assert_row_agrees(row_of_pairs(CALLS), CALLS);
}

TEST(even_spread_agrees_from_10_ns_to_100_s)
{
    for (uint64_t least = 10; least <= UINT64_C(100000000000); least *= 10) {
        for (size_t i = 0; i < 2000; i++)
            durations[i] = least + random_next() % least;
        assert_row_agrees(row_of_pairs(2000), 2000);
    }
}

/* Most are short, few are a thousand times as long: the usual distribution. */
TEST(long_tail_agrees)
{
    for (size_t i = 0; i < CALLS; i++) {
        uint64_t ns = 1000 + random_next() % 200;
        durations[i] = random_next() % 500 ? ns : ns * (1 + random_next() % 1000);
    }
    assert_row_agrees(row_of_pairs(CALLS), CALLS);
}

/* ---------------------------------------------------------------- stddev -- */

/* Half of them are `apart` less than `middle`, half are more: the deviation is `apart`. */
static void assert_deviation(uint64_t middle, uint64_t apart)
{
    for (size_t i = 0; i < 1000; i++)
        durations[i] = i % 2 ? middle + apart : middle - apart;
    assert_near("stddev", row_of_pairs(1000).stddev_ns, (long double)apart,
                (long double)apart * 0.01L);
}

TEST(deviation_is_within_1_percent_from_10_ns_to_100_s)
{
    for (uint64_t apart = 10; apart <= UINT64_C(100000000000); apart *= 10) {
        assert_deviation(apart, apart);
        assert_deviation(2 * apart, apart);
        assert_deviation(1000 * apart, apart);
    }
}

TEST(deviation_of_100_s_that_vary_by_10_ns_is_seen)
{
    assert_deviation(UINT64_C(100000000000), 10);
}

TEST(deviation_of_equal_durations_is_0)
{
    for (uint64_t ns = 1; ns <= UINT64_C(100000000000); ns = ns * 7 + 3) {
        for (size_t i = 0; i < 1000; i++)
            durations[i] = ns;
        assert_int_equal(row_of_pairs(1000).stddev_ns, 0);
    }
}

/* ------------------------------------------------- from several sources -- */

struct share {
    int id;
    size_t first, end;
};

static void record_share(void *argument)
{
    const struct share *share = argument;
    for (size_t i = share->first; i < share->end; i++)
        pair_of(share->id, durations[i]);
}

/* The last thread is still alive while the figures are read. */
TEST(figures_are_of_all_threads_together)
{
    enum { THREADS = 5, SHARE = CALLS / THREADS };
    struct worker last;
    int id = eprof_alloc("a");
    for (size_t i = 0; i < CALLS; i++)
        durations[i] = 500 + random_magnitude() % 100000;
    worker_begin(&last);
    for (size_t i = 0; i < THREADS; i++) {
        struct share share = {id, i * SHARE, (i + 1) * SHARE};
        if (i + 1 < THREADS)
            on_a_thread(record_share, &share);
        else
            worker_do(&last, record_share, &share);
    }
    struct eprof_row row = instance_row("a");
    worker_end(&last);
    assert_int_equal(row.calls, CALLS);
    assert_row_agrees(row, CALLS);
}

TEST(spans_and_pairs_are_figured_together)
{
    int id = eprof_alloc("a");
    for (size_t i = 0; i < CALLS; i++) {
        durations[i] = random_magnitude() >> 40;
        (i % 3 ? span_of : pair_of)(id, durations[i]);
    }
    struct eprof_row row = instance_row("a");
    assert_int_equal(row.calls, CALLS);
    assert_row_agrees(row, CALLS);
}

/* ------------------------------------------------- rounding, at any rate -- */

/* The clock that is moved by hand, with another rate. */
static void use_rate(uint64_t ticks_per_second)
{
    char name[32];
    snprintf(name, sizeof name, "hand_%" PRIu64, ticks_per_second);
    clock_take(name, hand_clock_now, ticks_per_second);
}

static void assert_in_order(struct eprof_row row, const char *what, uint64_t rate)
{
    uint64_t p50 = row.p50_ns, p90 = row.p90_ns, p99 = row.p99_ns, p999 = row.p999_ns;
    bool is_rising =
        row.min_ns <= p50 && p50 <= p90 && p90 <= p99 && p99 <= p999 && p999 <= row.max_ns;
    bool is_between = row.min_ns <= row.mean_ns && row.mean_ns <= row.max_ns;
    if (!is_rising || !is_between || row.mean_ns != row.total_ns / row.timed)
        fail_msg("%s at %" PRIu64 "/s: total %" PRIu64 " of %" PRIu64 ", mean %" PRIu64
                 ", min %" PRIu64 ", p50 %" PRIu64 ", p999 %" PRIu64 ", max %" PRIu64,
                 what, rate, row.total_ns, row.timed, row.mean_ns, row.min_ns, p50, p999,
                 row.max_ns);
}

static void record_some(int id, uint64_t longest)
{
    for (uint64_t calls = 1 + random_next() % 5; calls; calls--) {
        uint64_t ticks = 1 + random_next() % longest;
        eprof_enter("scope");
        (random_next() % 2 ? span_of : pair_of)(id, ticks);
        eprof_leave();
    }
}

/* Each figure is rounded down, so the mean is within the limits. */
TEST(mean_is_that_of_the_total_and_between_min_and_max_at_any_rate)
{
    static const uint64_t rates[] = {3000000000, 2700000001,          999999937, 24000000,
                                     1000000,    1000000000000000000, 7};
    for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
        use_rate(rates[i]);
        for (int round = 0; round < 200; round++) {
            eprof_init();
            record_some(eprof_alloc("a"), UINT64_C(1) << random_next() % 34);
            eprof_snapshot *snapshot = eprof_snapshot_take();
            struct eprof_row row;
            assert_int_equal(find_rows(snapshot, "instance", "a", "*", &row), 1);
            assert_in_order(row, "instance", rates[i]);
            assert_int_equal(find_rows(snapshot, "scope", "scope", "*", &row), 1);
            assert_in_order(row, "scope", rates[i]);
            eprof_snapshot_free(snapshot);
        }
    }
}

TEST(three_calls_of_two_thirds_of_a_ns_are_2_ns_and_each_0)
{
    use_rate(3000000000);
    int id = eprof_alloc("a");
    for (int i = 0; i < 3; i++)
        span_of(id, 2);
    struct eprof_row row = instance_row("a");
    assert_int_equal(row.total_ns, 2);
    assert_int_equal(row.mean_ns, 0);
    assert_int_equal(row.max_ns, 0);
}

/* ------------------------------------------------ more than 64 bits hold -- */

enum { FS_PER_NS = 1000000 };
#define HOUR_NS (UINT64_C(3600) * 1000000000)

static void assert_hours(struct eprof_row row, uint64_t hours)
{
    if (row.total_ns != hours * HOUR_NS || row.mean_ns != HOUR_NS || row.stddev_ns != 0 ||
        row.self_ns != row.total_ns || row.p50_ns != HOUR_NS)
        fail_msg("%" PRIu64 " h: total %" PRIu64 ", self %" PRIu64 ", mean %" PRIu64
                 ", stddev %" PRIu64 ", min %" PRIu64 ", p50 %" PRIu64,
                 hours, row.total_ns, row.self_ns, row.mean_ns, row.stddev_ns, row.min_ns,
                 row.p50_ns);
}

/* An hour of femtoseconds is a fifth of 2^64. */
TEST(spans_that_overlap_add_up_beyond_2_to_the_64_ticks)
{
    use_rate(UINT64_C(1000000) * 1000000000);
    int id = eprof_alloc("a");
    uint64_t start = hand_ticks;
    hand_ticks += HOUR_NS * FS_PER_NS;
    for (uint64_t hours = 1; hours <= 40; hours++) {
        eprof_record(id, start, hand_ticks);
        assert_hours(instance_row("a"), hours);
    }
    assert_diagnostics("");
}

/* A simulated clock begins again with each run. */
TEST(pairs_of_a_clock_that_begins_again_add_up_beyond_2_to_the_64_ticks)
{
    use_rate(UINT64_C(1000000) * 1000000000);
    int id = eprof_alloc("a");
    uint64_t start = hand_ticks;
    for (uint64_t hours = 1; hours <= 12; hours++) {
        hand_ticks = start;
        pair_of(id, HOUR_NS * FS_PER_NS);
        assert_hours(instance_row("a"), hours);
    }
}

/* The deviation is then derived from the histogram: 1 h and 2 h in turn are half an hour apart from
 * their mean. */
TEST(deviation_is_near_where_squares_are_beyond_128_bits)
{
    use_rate(UINT64_C(1000000) * 1000000000);
    int id = eprof_alloc("a");
    uint64_t start = hand_ticks;
    hand_ticks += 2 * HOUR_NS * FS_PER_NS;
    for (int i = 0; i < 8; i++) {
        eprof_record(id, start, hand_ticks);
        eprof_record(id, start, hand_ticks - HOUR_NS * FS_PER_NS);
    }
    struct eprof_row row = instance_row("a");
    assert_int_equal(row.total_ns, 24 * HOUR_NS);
    assert_int_equal(row.mean_ns, HOUR_NS / 2 * 3);
    assert_near("stddev", row.stddev_ns, (long double)HOUR_NS / 2, (long double)HOUR_NS / 8);
}

/* From 2^64 ns on a report has no room for the value, and says so. */
TEST(total_that_64_bits_cannot_tell_is_the_highest_and_counted)
{
    use_rate(1000000); /* a tick is 1,000 ns */
    int id = eprof_alloc("a");
    uint64_t start = hand_ticks, ticks = UINT64_C(1) << 53;
    hand_ticks += ticks;
    for (int i = 0; i < 4; i++) {
        eprof_record(id, start, hand_ticks);
        eprof_record(id, start, start + ticks / 2);
    }
    struct eprof_row row = instance_row("a");
    assert_int_equal(row.total_ns, UINT64_MAX);
    assert_int_equal(row.mean_ns, ticks / 4 * 3 * 1000);
    assert_int_equal(row.min_ns, ticks / 2 * 1000);
    assert_int_equal(diagnostic_count("saturated"),
                     1); /* the clock is apart from CLOCK_MONOTONIC too */
}

static void enter_for_hours(void *hours)
{
    eprof_enter("outer");
    eprof_enter("inner");
    hand_ticks += *(const uint64_t *)hours * HOUR_NS * FS_PER_NS;
    eprof_leave();
    eprof_leave();
}

/* For several threads the sum in the tree has room for 2^64 ticks. Higher sums are counted. */
TEST(tree_of_more_than_2_to_the_64_ticks_is_the_highest_and_counted)
{
    static uint64_t hours = 2;
    struct worker worker[3];
    struct eprof_row outer, inner;
    use_rate(UINT64_C(1000000) * 1000000000);
    eprof_reset();
    uint64_t start = hand_ticks;
    for (int i = 0; i < 3; i++) {
        hand_ticks = start;
        worker_begin(&worker[i]);
        worker_do(&worker[i], enter_for_hours, &hours);
    }
    take_rows(eprof_snapshot_take, "scope", "outer", "*", &outer);
    take_rows(eprof_snapshot_take, "scope", "inner", "*", &inner);
    uint64_t most_ns = UINT64_MAX / FS_PER_NS;
    if (outer.total_ns != most_ns || inner.total_ns != most_ns || inner.self_ns != most_ns ||
        outer.self_ns != 0 || outer.mean_ns != 2 * HOUR_NS || inner.mean_ns != 2 * HOUR_NS)
        fail_msg("outer: total %" PRIu64 ", self %" PRIu64 ", mean %" PRIu64
                 "; inner: total %" PRIu64 ", self %" PRIu64 ", mean %" PRIu64,
                 outer.total_ns, outer.self_ns, outer.mean_ns, inner.total_ns, inner.self_ns,
                 inner.mean_ns);
    assert_diagnostics("saturated 2");
    for (int i = 0; i < 3; i++)
        worker_end(&worker[i]);
}

TEST_EACH(hand_clock_begin, NULL)
