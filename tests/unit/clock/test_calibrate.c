#include <errno.h>
#include <stdlib.h>

#include "base/platform.h"
#include "base/wide.h"
#include "clock/calibrate.h"
#include "support/test.h"

#define NS_PER_SECOND UINT64_C(1000000000)
#define NS_PER_MS UINT64_C(1000000)
#define NS_PER_YEAR (UINT64_C(365) * 24 * 3600 * NS_PER_SECOND)

/*
 * The simulated world of these tests. Its time advances only when a test moves it, and with each
 * reading of a clock. Both clocks show it.
 */
static uint64_t world_ns;
static uint64_t reading_ns;              /* duration of a reading */
static uint64_t jitter_ns;               /* a reading takes up to this much more */
static const uint64_t *next_readings_ns; /* durations of the first readings */
static size_t next_readings;
static uint64_t readings;

static void pass_a_reading(void)
{
    readings++;
    if (next_readings) {
        next_readings--;
        world_ns += *next_readings_ns++;
    } else {
        /* Irregular, but the same in each run. */
        world_ns += reading_ns + readings * readings * 7919 % jitter_ns;
    }
}

/* It replaces the function of platform.c (--wrap). */
static bool is_in_world;

uint64_t __real_ep_platform_monotonic_ns(void);
uint64_t __wrap_ep_platform_monotonic_ns(void);
uint64_t __wrap_ep_platform_monotonic_ns(void)
{
    if (!is_in_world)
        return __real_ep_platform_monotonic_ns();
    pass_a_reading();
    return world_ns;
}

/* A counter of the simulated world. */
struct counter {
    uint64_t ticks_per_second;
    uint64_t at_zero; /* its value when world_ns is 0 */
};

static uint64_t counter_shows(const struct counter *counter)
{
    struct ep_wide ticks = ep_wide_multiply(world_ns, counter->ticks_per_second);
    return counter->at_zero + ep_wide_divide(ticks, NS_PER_SECOND);
}

static uint64_t counter_now(void *context)
{
    pass_a_reading();
    errno = EDOM; /* as a clock of a program may do */
    return counter_shows(context);
}

static int begin_world(void **state)
{
    (void)state;
    is_in_world = true;
    world_ns = 5 * NS_PER_SECOND;
    reading_ns = 20;
    jitter_ns = 100;
    next_readings = 0;
    readings = 0;
    return 0;
}

/* The difference between the scale and the rate of the counter, in parts per million. */
static uint64_t error_ppm(struct ep_scale scale, const struct counter *counter)
{
    uint64_t shown_ns = ep_wide_scale_ns(scale, 1000 * counter->ticks_per_second);
    uint64_t true_ns = 1000 * NS_PER_SECOND;
    uint64_t error_ns = shown_ns > true_ns ? shown_ns - true_ns : true_ns - shown_ns;
    return error_ns / 1000000; /* true_ns is 10^12 */
}

#define assert_error_below_ppm(scale, counter, limit_ppm)                                          \
    assert_in_range(error_ppm(scale, counter), 0, (limit_ppm)-1)

/* --------------------------------------------------------------- moment -- */

TEST(moment_is_the_same_on_both_clocks)
{
    struct counter counter = {NS_PER_SECOND, 1000};
    struct ep_source source = {.now = counter_now, .context = &counter, .mask = UINT64_MAX};
    jitter_ns = 1;
    struct ep_moment moment = ep_calibrate_moment(&source);
    assert_int_equal(moment.ticks, moment.monotonic_ns + 1000);
}

TEST(moment_is_of_the_narrowest_bracket)
{
    /* each try reads ticks, monotonic, ticks; all tries but the third are interrupted */
    static const uint64_t slow_ns = 700000;
    const uint64_t taken_ns[] = {20, slow_ns, 20,      20, 20,   slow_ns, 20,
                                 30, 50,      slow_ns, 20, 2000, 20};
    struct counter counter = {NS_PER_SECOND, 0};
    struct ep_source source = {.now = counter_now, .context = &counter, .mask = UINT64_MAX};
    next_readings_ns = taken_ns;
    next_readings = sizeof taken_ns / sizeof taken_ns[0];
    reading_ns = 1000;

    uint64_t third_try_ns = world_ns + 20 + slow_ns + 20 + 20 + 20 + slow_ns + 20;
    struct ep_moment moment = ep_calibrate_moment(&source);
    assert_int_equal(moment.monotonic_ns, third_try_ns + 30);
    assert_int_equal(moment.ticks, third_try_ns + (30 + 50) / 2);
}

TEST(moment_may_be_taken_over_a_wrap)
{
    struct counter counter = {NS_PER_SECOND, 0};
    struct ep_source source = {.now = counter_now, .context = &counter, .mask = UINT32_MAX};
    jitter_ns = 1;
    world_ns = (UINT64_C(1) << 32) - 150; /* the counter wraps in the third try */
    struct ep_moment moment = ep_calibrate_moment(&source);
    assert_int_equal(moment.ticks, moment.monotonic_ns & UINT32_MAX);
}

TEST(moment_keeps_errno)
{
    struct counter counter = {NS_PER_SECOND, 0};
    struct ep_source source = {.now = counter_now, .context = &counter, .mask = UINT64_MAX};
    errno = ENOENT;
    ep_calibrate_moment(&source);
    assert_int_equal(errno, ENOENT);
    struct ep_moment first = ep_calibrate_moment(&source);
    ep_calibrate_scale(&source, first, 0);
    assert_int_equal(errno, ENOENT);
}

/* ----------------------------------------------------------- known rate -- */

TEST(known_rate_is_exact_and_reads_no_clock)
{
    static const uint64_t rates[] = {1, 3, 1000000, 1000000000, UINT64_C(2593906123)};
    struct counter counter = {12345, 0};
    for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
        struct ep_source source = {
            .now = counter_now,
            .context = &counter,
            .mask = UINT32_MAX,
            .ticks_per_second = rates[i],
        };
        struct ep_scale scale = ep_calibrate_scale(&source, (struct ep_moment){7, 7}, 999);
        assert_int_equal(scale.ns, NS_PER_SECOND);
        assert_int_equal(scale.ticks, rates[i]);
    }
    assert_int_equal(readings, 0);
}

TEST(nominal_rate_is_used_for_the_first_100_ms)
{
    struct counter counter = {NS_PER_SECOND, 0};
    struct ep_source source = {.now = counter_now, .context = &counter, .mask = UINT64_MAX};
    struct ep_moment first = ep_calibrate_moment(&source);
    struct ep_scale at_once = ep_calibrate_scale(&source, first, 1234567890);
    assert_int_equal(at_once.ns, NS_PER_SECOND);
    assert_int_equal(at_once.ticks, 1234567890);

    world_ns = first.monotonic_ns + 99 * NS_PER_MS;
    struct ep_scale later = ep_calibrate_scale(&source, first, 1234567890);
    assert_int_equal(later.ticks, 1234567890);
    assert_in_range(world_ns, 0, first.monotonic_ns + 100 * NS_PER_MS);
}

TEST(nominal_rate_is_replaced_by_the_measured_one)
{
    struct counter counter = {NS_PER_SECOND, 0};
    struct ep_source source = {.now = counter_now, .context = &counter, .mask = UINT64_MAX};
    struct ep_moment first = ep_calibrate_moment(&source);
    world_ns = first.monotonic_ns + 100 * NS_PER_MS;
    struct ep_scale scale = ep_calibrate_scale(&source, first, 1234567890);
    assert_error_below_ppm(scale, &counter, 1);
}

/* ------------------------------------------------------------- measured -- */

TEST(measured_rate_is_waited_for_until_2_ms)
{
    struct counter counter = {UINT64_C(2593906123), 77};
    struct ep_source source = {.now = counter_now, .context = &counter, .mask = UINT64_MAX};
    struct ep_moment first = ep_calibrate_moment(&source);
    struct ep_scale scale = ep_calibrate_scale(&source, first, 0);
    assert_in_range(world_ns - first.monotonic_ns, 2 * NS_PER_MS, 3 * NS_PER_MS);
    assert_error_below_ppm(scale, &counter, 50);
}

TEST(measured_rate_is_not_waited_for_after_2_ms)
{
    struct counter counter = {UINT64_C(2593906123), 77};
    struct ep_source source = {.now = counter_now, .context = &counter, .mask = UINT64_MAX};
    struct ep_moment first = ep_calibrate_moment(&source);
    world_ns += 2 * NS_PER_MS;
    uint64_t asked_ns = world_ns;
    struct ep_scale scale = ep_calibrate_scale(&source, first, 0);
    assert_in_range(world_ns - asked_ns, 0, 10000);
    assert_error_below_ppm(scale, &counter, 50);
}

TEST(measured_rate_gets_better_with_time)
{
    struct counter counter = {UINT64_C(2593906123), 77};
    struct ep_source source = {.now = counter_now, .context = &counter, .mask = UINT64_MAX};
    struct ep_moment first = ep_calibrate_moment(&source);
    world_ns += NS_PER_SECOND;
    assert_error_below_ppm(ep_calibrate_scale(&source, first, 0), &counter, 1);

    /* An error of 100 ns in ten years is negligible: a total of a year is exact to the last ns of a
     * tick. */
    world_ns = first.monotonic_ns + 10 * NS_PER_YEAR;
    struct ep_scale scale = ep_calibrate_scale(&source, first, 0);
    uint64_t shown_ns = ep_wide_scale_ns(scale, counter.ticks_per_second * 365 * 24 * 3600);
    assert_in_range(shown_ns, NS_PER_YEAR - 100, NS_PER_YEAR + 100);
}

TEST(source_that_never_moves_has_ticks_of_1_ns)
{
    static const uint64_t masks[] = {UINT64_MAX, UINT32_MAX, UINT8_MAX, 1};
    struct counter counter = {0, 42};
    for (size_t i = 0; i < sizeof masks / sizeof masks[0]; i++) {
        struct ep_source source = {.now = counter_now, .context = &counter, .mask = masks[i]};
        struct ep_moment first = ep_calibrate_moment(&source);
        assert_int_equal(ep_wide_scale_ns(ep_calibrate_scale(&source, first, 0), 123), 123);
        world_ns += NS_PER_YEAR;
        assert_int_equal(ep_wide_scale_ns(ep_calibrate_scale(&source, first, 0), 123), 123);
        assert_int_equal(ep_wide_scale_ns(ep_calibrate_scale(&source, first, 1000), 123), 123);
    }
}

/* Some counters stop while the machine sleeps. */
TEST(counter_that_was_set_back_is_measured_anew)
{
    struct counter counter = {UINT64_C(2593906123), UINT64_C(1) << 40};
    struct ep_source source = {.now = counter_now, .context = &counter, .mask = UINT64_MAX};
    struct ep_moment first = ep_calibrate_moment(&source);
    world_ns += NS_PER_SECOND;
    counter.at_zero = 0;
    assert_error_below_ppm(ep_calibrate_scale(&source, first, 0), &counter, 50);
}

TEST(source_per_thread_is_measured_on_this_thread)
{
    struct counter counter = {UINT64_C(2593906123), UINT64_C(1) << 40};
    for (int wraps = 0; wraps < 2; wraps++) {
        struct ep_source source = {
            .now = counter_now,
            .context = &counter,
            .mask = wraps ? UINT32_MAX : UINT64_MAX,
            .per_thread = true,
        };
        struct ep_moment first_of_another = {1234, world_ns};
        world_ns += NS_PER_SECOND;
        assert_error_below_ppm(ep_calibrate_scale(&source, first_of_another, 0), &counter, 50);
    }
}

/* A counter of 32 bits at 1 GHz wraps after four seconds. */
TEST(source_that_wraps_is_measured_over_its_wraps)
{
    static const uint64_t ages_s[] = {0, 1, 4, 5, 100, 3600, 7200};
    struct counter counter = {UINT64_C(1000000123), 0};
    struct ep_source source = {.now = counter_now, .context = &counter, .mask = UINT32_MAX};
    struct ep_moment first = ep_calibrate_moment(&source);
    for (size_t i = 0; i < sizeof ages_s / sizeof ages_s[0]; i++) {
        world_ns = first.monotonic_ns + ages_s[i] * NS_PER_SECOND;
        struct ep_scale scale = ep_calibrate_scale(&source, first, 0);
        assert_error_below_ppm(scale, &counter, ages_s[i] ? 1 : 50);
    }
}

/* The measure takes only 2 ms: its error is 50 ppm, and the error of a wrong guess is as large. */
TEST(source_with_unknown_number_of_wraps_is_still_measured)
{
    static const uint64_t ages[] = {1, 2, 3, 10, 100};
    struct counter counter = {UINT64_C(1000000123), 0};
    struct ep_source source = {.now = counter_now, .context = &counter, .mask = UINT32_MAX};
    struct ep_moment first = ep_calibrate_moment(&source);
    for (size_t i = 0; i < sizeof ages / sizeof ages[0]; i++) {
        world_ns = first.monotonic_ns + ages[i] * NS_PER_YEAR / 10;
        assert_error_below_ppm(ep_calibrate_scale(&source, first, 0), &counter, 100);
    }
}

/* If 2 ms are only two ticks, they show only that the counter has not wrapped. */
TEST(coarse_source_that_may_wrap_is_measured_as_a_whole)
{
    struct counter counter = {1000, 0};
    struct ep_source source = {.now = counter_now, .context = &counter, .mask = UINT16_MAX};
    struct ep_moment first = ep_calibrate_moment(&source);
    world_ns += 10 * NS_PER_SECOND;
    assert_error_below_ppm(ep_calibrate_scale(&source, first, 0), &counter, 200);
}

TEST(source_that_wraps_and_was_set_back_is_measured_anew)
{
    struct counter counter = {UINT64_C(1000000123), 1000000000};
    struct ep_source source = {.now = counter_now, .context = &counter, .mask = UINT32_MAX};
    struct ep_moment first = ep_calibrate_moment(&source);
    world_ns += 100 * NS_PER_MS;
    counter.at_zero = 0;
    assert_error_below_ppm(ep_calibrate_scale(&source, first, 0), &counter, 50);
}

/* ----------------------------------------------------------- conversion -- */

TEST_BETWEEN(ticks_of_known_rates_are_exact_ns, NULL, NULL)
{
    const struct ep_scale ns = {NS_PER_SECOND, NS_PER_SECOND}, us = {NS_PER_SECOND, 1000000};
    const struct ep_scale thirds = {NS_PER_SECOND, 3};
    assert_int_equal(ep_wide_scale_ns(ns, 0), 0);
    assert_int_equal(ep_wide_scale_ns(ns, UINT64_MAX), UINT64_MAX);
    assert_int_equal(ep_wide_scale_ns(us, 123456789), UINT64_C(123456789000));
    assert_int_equal(ep_wide_scale_ns(thirds, 1), 333333333);
    assert_int_equal(ep_wide_scale_ns(thirds, 2), 666666666);
    assert_int_equal(ep_wide_scale_ns(thirds, 3), NS_PER_SECOND);
}

TEST_BETWEEN(ten_years_of_ticks_do_not_overflow, NULL, NULL)
{
    static const uint64_t rates[] = {1000000, 1000000000, UINT64_C(2593906123),
                                     UINT64_C(6000000000)};
    for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
        uint64_t ten_years_ticks = 10 * rates[i] * 365 * 24 * 3600;
        const struct ep_scale known = {NS_PER_SECOND, rates[i]};
        const struct ep_scale measured = {10 * NS_PER_YEAR, ten_years_ticks};
        assert_int_equal(ep_wide_scale_ns(known, ten_years_ticks), 10 * NS_PER_YEAR);
        assert_int_equal(ep_wide_scale_ns(measured, ten_years_ticks), 10 * NS_PER_YEAR);
        assert_int_equal(ep_wide_scale_ns(measured, rates[i]), NS_PER_SECOND);
    }
}

TEST_BETWEEN(ns_that_do_not_fit_are_the_largest, NULL, NULL)
{
    const struct ep_scale seconds = {NS_PER_SECOND, 1};
    assert_int_equal(ep_wide_scale_ns(seconds, UINT64_MAX / NS_PER_SECOND),
                     UINT64_MAX / NS_PER_SECOND * NS_PER_SECOND);
    assert_int_equal(ep_wide_scale_ns(seconds, UINT64_MAX / NS_PER_SECOND + 1), UINT64_MAX);
    assert_int_equal(ep_wide_scale_ns(seconds, UINT64_MAX), UINT64_MAX);
}

/* ---- the present rate ---- */

/* The counter runs at ten ticks a ns for the first 2.5 ms of every 3 ms, and then rests. The first
 * measure begins at the end of a 2.5 ms part. */
static uint64_t resting_now(void *context)
{
    const uint64_t period_ns = 3 * NS_PER_MS, runs_ns = period_ns - NS_PER_MS / 2;
    (void)context;
    pass_a_reading();
    uint64_t phase_ns = world_ns % period_ns;
    uint64_t run_ns = world_ns / period_ns * runs_ns + (phase_ns < runs_ns ? phase_ns : runs_ns);
    return 10 * run_ns;
}

/* The clock is set ahead during the first measure. */
static uint64_t set_now(void *context)
{
    (void)context;
    pass_a_reading();
    bool is_set = world_ns > 5 * NS_PER_SECOND + NS_PER_MS / 3;
    return 10 * world_ns + (is_set ? UINT64_C(1) << 50 : 0);
}

static void assert_ten_ticks_a_ns(uint64_t (*now)(void *context))
{
    const struct ep_source source = {.now = now, .mask = UINT64_MAX};
    struct ep_scale scale = ep_calibrate_scale_now(&source);
    uint64_t ticks_per_second =
        ep_wide_divide(ep_wide_multiply(scale.ticks, NS_PER_SECOND), scale.ns);
    assert_in_range(ticks_per_second, 9998000000, 10002000000);
    assert_in_range(world_ns - 5 * NS_PER_SECOND, 6 * NS_PER_MS, 7 * NS_PER_MS);
}

TEST(rate_of_now_is_that_of_a_clock_while_it_runs)
{
    assert_ten_ticks_a_ns(resting_now);
}

TEST(rate_of_now_is_not_spoilt_by_a_clock_that_is_set)
{
    assert_ten_ticks_a_ns(set_now);
}

TEST(present_rate_of_a_stopped_clock_is_one_tick)
{
    static struct counter still = {.ticks_per_second = 0, .at_zero = 7};
    const struct ep_source source = {.now = counter_now, .context = &still, .mask = UINT64_MAX};
    assert_int_equal(ep_calibrate_scale_now(&source).ticks, 1);
}

TEST_EACH(begin_world, NULL)
