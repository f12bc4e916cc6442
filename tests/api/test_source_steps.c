/* Clocks that wrap, step back, jump or stand still, and the length of a tick. */
#include "hand_clock.h"
#include "rows.h"
#include "thread_clock.h"
#include "threads.h"

#include <stdio.h>

static int instance, other;

static int begin_test(void **state)
{
    (void)state;
    hand_ticks = 1000000;
    hand_clock_use();
    eprof_init();
    instance = eprof_alloc("work");
    other = eprof_alloc("other");
    return 0;
}

static void record(uint64_t ticks)
{
    eprof_start(instance);
    hand_ticks += ticks;
    eprof_stop(instance);
}

/* Checks the instance: this many pairs, all rejected. */
static void assert_rejected(const char *name, uint64_t calls)
{
    struct eprof_row row = instance_row(name);
    assert_int_equal(row.calls, calls);
    assert_int_equal(row.errors, calls);
    assert_int_equal(row.timed, 0);
    assert_int_equal(row.total_ns, 0);
    assert_int_equal(row.mean_ns, 0);
    assert_int_equal(row.max_ns, 0);
}

/* ------------------------------------------------------------- that wrap -- */

static uint64_t low_bits_now(void *bits)
{
    return hand_ticks & ((UINT64_C(1) << *(const unsigned *)bits) - 1);
}

/* The time of the hand-moved clock, in this many bits. */
static void use_wrapping_source(unsigned bits)
{
    static unsigned kept_bits[64];
    char name[16];
    snprintf(name, sizeof name, "%u bits", bits);
    kept_bits[bits] = bits;
    struct eprof_source source = {.size = sizeof source,
                                  .name = name,
                                  .now = low_bits_now,
                                  .ticks_per_second = 1000000000,
                                  .bits = bits,
                                  .context = &kept_bits[bits]};
    if (eprof_source_add(&source) != 0)
        assert_int_equal(errno, EEXIST); /* by the test before */
    assert_return_code(eprof_source_use(name), errno);
}

TEST(pair_across_the_wrap_is_as_long_as_it_was)
{
    for (unsigned bits = 8; bits < 64; bits += 8) {
        hand_ticks = (UINT64_C(1) << bits) - 10;
        use_wrapping_source(bits);
        record(25);
        record(25);
        assert_figures(instance_row("work"), 2, 50);
    }
}

TEST(span_across_the_wrap_is_as_long_as_it_was)
{
    hand_ticks = (UINT64_C(1) << 32) - 10;
    use_wrapping_source(32);
    uint64_t began = eprof_now();
    hand_ticks += 25;
    eprof_record(instance, began, eprof_now());
    assert_figures(instance_row("work"), 1, 25);
}

TEST(pairs_go_on_through_many_wraps)
{
    hand_ticks = 0;
    use_wrapping_source(16);
    for (int i = 0; i < 1000; i++)
        record(20000);
    assert_figures(instance_row("work"), 1000, 20000000);
}

TEST(half_of_the_range_is_the_first_that_is_taken_for_a_step_back)
{
    use_wrapping_source(32);
    record((UINT64_C(1) << 31) - 1);
    assert_figures(instance_row("work"), 1, (UINT64_C(1) << 31) - 1);
    eprof_reset();
    record(UINT64_C(1) << 31);
    assert_rejected("work", 1);
    eprof_reset();
    record((UINT64_C(1) << 32) - 1);
    assert_rejected("work", 1);
}

/* -------------------------------------------------- that step back or jump -- */

TEST(pair_whose_clock_went_back_is_an_error_of_its_instance)
{
    eprof_start(other);
    record((uint64_t)-1);
    record((uint64_t)-400);
    hand_ticks += 1000;
    eprof_stop(other);
    assert_rejected("work", 2);
    assert_figures(instance_row("other"), 1, 599);
    assert_int_equal(diagnostic_count("clock"), 2);
}

TEST(pair_that_went_back_leaves_the_others_of_its_instance)
{
    record(100);
    record((uint64_t)-50);
    record(200);
    struct eprof_row row = instance_row("work");
    assert_int_equal(row.calls, 3);
    assert_int_equal(row.errors, 1);
    assert_int_equal(row.timed, 2);
    assert_int_equal(row.total_ns, 300);
    assert_int_equal(row.mean_ns, 150);
    assert_int_equal(row.min_ns, 100);
    assert_int_equal(row.max_ns, 200);
    assert_int_equal(row.stddev_ns, 50);
}

TEST(pairs_after_a_step_back_count_again)
{
    hand_ticks -= 999000; /* to before the first moment of the source */
    record(500);
    record(700);
    assert_figures(instance_row("work"), 2, 1200);
}

TEST(pair_on_a_clock_near_its_end_may_cross_zero)
{
    hand_ticks = UINT64_MAX - 5;
    hand_clock_use();
    record(20);
    assert_figures(instance_row("work"), 1, 20);
}

/* A clock that shows a time far in the future, once. */
static uint64_t ahead_ticks;

static uint64_t jumping_now(void *context)
{
    uint64_t ticks = hand_clock_now(context) + ahead_ticks;
    ahead_ticks = 0;
    return ticks;
}

static void use_jumping_source(void)
{
    struct eprof_source source = {.size = sizeof source,
                                  .name = "jumping",
                                  .now = jumping_now,
                                  .ticks_per_second = 1000000000};
    if (eprof_source_add(&source) != 0)
        assert_int_equal(errno, EEXIST);
    assert_return_code(eprof_source_use("jumping"), errno);
}

TEST(pair_longer_than_the_process_has_run_is_an_error)
{
    use_jumping_source();
    eprof_start(instance);
    hand_ticks += 100;
    ahead_ticks = UINT64_C(1) << 40;
    eprof_stop(instance);
    assert_rejected("work", 1);
    assert_int_equal(diagnostic_count("clock"), 1);
}

TEST(pair_whose_start_jumped_is_an_error)
{
    use_jumping_source();
    ahead_ticks = UINT64_C(1) << 40;
    eprof_start(instance);
    hand_ticks += 100;
    eprof_stop(instance);
    assert_rejected("work", 1);
    record(100);
    assert_int_equal(instance_row("work").timed, 1);
    assert_int_equal(instance_row("work").total_ns, 100);
}

TEST(span_longer_than_the_process_has_run_is_an_error)
{
    uint64_t now = eprof_now();
    eprof_record(instance, now, now + (UINT64_C(1) << 40));
    eprof_record(instance, now + 10, now);
    assert_rejected("work", 2);
}

TEST(pair_as_long_as_the_process_has_run_counts)
{
    record(UINT64_C(1) << 50);
    assert_figures(instance_row("work"), 1, UINT64_C(1) << 50);
}

TEST(clock_that_stands_still_gives_pairs_of_nothing)
{
    for (int i = 0; i < 100; i++)
        record(0);
    struct eprof_row row = instance_row("work");
    assert_figures(row, 100, 0);
    assert_int_equal(row.min_ns, 0);
    assert_int_equal(row.p999_ns, 0);
    assert_int_equal(row.max_ns, 0);
    assert_int_equal(row.stddev_ns, 0);
}

/* ---------------------------------------------------- another on each thread -- */

static void record_far_ahead(void *ticks)
{
    thread_ticks = UINT64_C(1) << 60;
    eprof_start(instance);
    thread_ticks += *(const uint64_t *)ticks;
    eprof_stop(instance);
}

TEST(source_per_thread_compares_no_two_threads)
{
    uint64_t ticks = 70;
    thread_clock_use();
    thread_ticks = 5;
    on_a_thread(record_far_ahead, &ticks);
    eprof_start(instance);
    thread_ticks += 8;
    eprof_stop(instance);
    eprof_record(instance, thread_ticks - 4, thread_ticks);
    assert_figures(instance_row("work"), 3, 82);
}

TEST(step_back_on_a_source_per_thread_is_an_error)
{
    thread_clock_use();
    thread_ticks = 5000;
    eprof_start(instance);
    thread_ticks -= 10;
    eprof_stop(instance);
    assert_rejected("work", 1);
}

/* ---------------------------------------------------- the length of a tick -- */

static void use_rate(uint64_t ticks_per_second)
{
    char name[40];
    snprintf(name, sizeof name, "%llu a second", (unsigned long long)ticks_per_second);
    struct eprof_source source = {.size = sizeof source,
                                  .name = name,
                                  .now = hand_clock_now,
                                  .ticks_per_second = ticks_per_second};
    if (eprof_source_add(&source) != 0)
        assert_int_equal(errno, EEXIST);
    assert_return_code(eprof_source_use(name), errno);
}

TEST(ns_of_a_known_rate_is_exact)
{
    static const struct {
        uint64_t ticks_per_second, ticks, ns;
    } cases[] = {
        {1000000000, 123456789, 123456789},
        {1000000, 123456789, 123456789000},
        {4000000000, 4, 1},
        {4000000000, 7, 1},
        {3, 1, 333333333},
        {3, 3, 1000000000},
        {3, 2, 666666666},
        {32768, 1, 30517},
        {2400000000, 12, 5},
        {1, 1, 1000000000},
        {1, 0, 0},
        {1000000000, UINT64_MAX, UINT64_MAX},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        use_rate(cases[i].ticks_per_second);
        uint64_t ns = eprof_ns(cases[i].ticks);
        if (ns != cases[i].ns)
            fail_msg("%llu ticks at %llu a second are %llu ns", (unsigned long long)cases[i].ticks,
                     (unsigned long long)cases[i].ticks_per_second, (unsigned long long)ns);
    }
}

#define TEN_YEARS_SECONDS (UINT64_C(3653) * 24 * 3600)

TEST(ten_years_of_a_fast_counter_are_exact)
{
    static const uint64_t rates[] = {4000000000, 2399999999, 1000000000, 1000000, 3};
    uint64_t seconds = TEN_YEARS_SECONDS;
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        use_rate(rates[i]);
        assert_int_equal(eprof_ns(seconds * rates[i]), seconds * 1000000000);
        record(seconds * rates[i]);
        struct eprof_row row = instance_row("work");
        assert_figures(row, 1, seconds * 1000000000);
        assert_int_equal(row.max_ns, seconds * 1000000000);
        assert_int_equal(row.stddev_ns, 0);
    }
}

TEST(sum_of_many_times_ten_years_is_exact)
{
    uint64_t ticks = TEN_YEARS_SECONDS * 100000000;
    use_rate(100000000);
    for (int i = 0; i < 50; i++)
        record(ticks);
    assert_figures(instance_row("work"), 50, 50 * TEN_YEARS_SECONDS * 1000000000);
    assert_int_equal(instance_row("work").mean_ns, TEN_YEARS_SECONDS * 1000000000);
}

TEST(ticks_of_a_slow_source_become_ns_in_each_figure)
{
    use_rate(1000000);
    record(2);
    record(4);
    struct eprof_row row = instance_row("work");
    assert_figures(row, 2, 6000);
    assert_int_equal(row.self_ns, 6000);
    assert_int_equal(row.mean_ns, 3000);
    assert_int_equal(row.stddev_ns, 1000);
    assert_int_equal(row.min_ns, 2000);
    assert_int_equal(row.p50_ns, 2000);
    assert_int_equal(row.p999_ns, 4000);
    assert_int_equal(row.max_ns, 4000);
}

TEST(measured_source_that_stands_still_takes_a_tick_for_a_ns)
{
    struct eprof_source source = {.size = sizeof source, .name = "still", .now = hand_clock_now};
    assert_return_code(eprof_source_add(&source), errno);
    assert_return_code(eprof_source_use("still"), errno);
    assert_int_equal(eprof_ns(12345), 12345);
}

TEST_EACH(begin_test, NULL)
