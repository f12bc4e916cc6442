/*
 * The figures of a row, against a reference that is computed here from all the
 * durations.
 */
#include "figures.h"
#include "hand_clock.h"
#include "threads.h"

#include "../unit/random.h"

enum { CALLS = 20000 };

static uint64_t durations[CALLS];

static void pair_of(int id, uint64_t ticks)
{
    eprof_start(id);
    hand_ticks += ticks;
    eprof_stop(id);
}

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

/* By Newton, so that the test needs no libm: the value halves until it is near. */
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

/* Nearest rank, of `durations` in their order. */
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

static void one_call_is_every_figure(void **state)
{
    (void)state;
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

/* The last call is in them as well, whenever one looks. */
static void figures_agree_after_each_call(void **state)
{
    (void)state;
    for (size_t count = 1; count <= 50; count++) {
        for (size_t i = 0; i < count; i++)
            durations[i] = i * i * i + 1;
        assert_row_agrees(row_of(pair_of, count), count);
        assert_row_agrees(row_of(span_of, count), count);
    }
}

static void short_durations_have_exact_percentiles(void **state)
{
    (void)state;
    for (size_t i = 0; i < 1000; i++)
        durations[i] = i % 16;
    struct eprof_row row = row_of_pairs(1000);
    assert_int_equal(row.p50_ns, 7); /* 63 each of 0 to 7, 62 of the others: rank 500 is a 7 */
    assert_int_equal(row.p90_ns, 14);
    assert_int_equal(row.p99_ns, 15);
    assert_int_equal(row.p999_ns, 15);
}

static void durations_of_every_magnitude_agree(void **state)
{
    (void)state;
    for (size_t i = 0; i < CALLS; i++)
        durations[i] = random_magnitude() >> 24; /* up to 2^40 ns, 18 minutes */
    assert_row_agrees(row_of_pairs(CALLS), CALLS);
}

static void even_spread_agrees_from_10_ns_to_100_s(void **state)
{
    (void)state;
    for (uint64_t least = 10; least <= UINT64_C(100000000000); least *= 10) {
        for (size_t i = 0; i < 2000; i++)
            durations[i] = least + random_next() % least;
        assert_row_agrees(row_of_pairs(2000), 2000);
    }
}

/* Most are short, few are a thousand times as long: the usual shape. */
static void long_tail_agrees(void **state)
{
    (void)state;
    for (size_t i = 0; i < CALLS; i++) {
        uint64_t ns = 1000 + random_next() % 200;
        durations[i] = random_next() % 500 ? ns : ns * (1 + random_next() % 1000);
    }
    assert_row_agrees(row_of_pairs(CALLS), CALLS);
}

/* ---------------------------------------------------------------- stddev -- */

/* Half of them `apart` less than `middle`, half more: the deviation is `apart`. */
static void assert_deviation(uint64_t middle, uint64_t apart)
{
    for (size_t i = 0; i < 1000; i++)
        durations[i] = i % 2 ? middle + apart : middle - apart;
    assert_near("stddev", row_of_pairs(1000).stddev_ns, (long double)apart,
                (long double)apart * 0.01L);
}

static void deviation_is_within_1_percent_from_10_ns_to_100_s(void **state)
{
    (void)state;
    for (uint64_t apart = 10; apart <= UINT64_C(100000000000); apart *= 10) {
        assert_deviation(apart, apart);
        assert_deviation(2 * apart, apart);
        assert_deviation(1000 * apart, apart);
    }
}

static void deviation_of_100_s_that_vary_by_10_ns_is_seen(void **state)
{
    (void)state;
    assert_deviation(UINT64_C(100000000000), 10);
}

static void deviation_of_equal_durations_is_0(void **state)
{
    (void)state;
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

/* The last thread lives on while the figures are read. */
static void figures_are_of_all_threads_together(void **state)
{
    enum { THREADS = 5, SHARE = CALLS / THREADS };
    struct worker last;
    (void)state;
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

static void spans_and_pairs_are_figured_together(void **state)
{
    (void)state;
    int id = eprof_alloc("a");
    for (size_t i = 0; i < CALLS; i++) {
        durations[i] = random_magnitude() >> 40;
        (i % 3 ? span_of : pair_of)(id, durations[i]);
    }
    struct eprof_row row = instance_row("a");
    assert_int_equal(row.calls, CALLS);
    assert_row_agrees(row, CALLS);
}

static int begin(void **state)
{
    (void)state;
    random_begin();
    return 0;
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, hand_clock_begin)
    const struct CMUnitTest tests[] = {
        TEST(one_call_is_every_figure),
        TEST(figures_agree_after_each_call),
        TEST(short_durations_have_exact_percentiles),
        TEST(durations_of_every_magnitude_agree),
        TEST(even_spread_agrees_from_10_ns_to_100_s),
        TEST(long_tail_agrees),
        TEST(deviation_is_within_1_percent_from_10_ns_to_100_s),
        TEST(deviation_of_100_s_that_vary_by_10_ns_is_seen),
        TEST(deviation_of_equal_durations_is_0),
        TEST(figures_are_of_all_threads_together),
        TEST(spans_and_pairs_are_figured_together),
    };
    return cmocka_run_group_tests_name("statistics", tests, begin, NULL);
}
