/* A clock that jumps forward, stands still, or moves in steps that are too long: its times are
 * counted as they are, and every report states how far they can be trusted. */
#include "clock_report.h"
#include "hand_clock.h"
#include "scope_row.h"
#include "tree_text.h"

#include <sys/time.h>
#include <time.h>

#define SECOND UINT64_C(1000000000)
#define TEN_YEARS (UINT64_C(3653) * 24 * 3600 * SECOND)
#define APART                                                                                      \
    "1 program whose clock is apart from CLOCK_MONOTONIC (clock_apart): it jumped or was set"
#define STILL "the clock did not move in any of "

static int instance;

static int begin_test(void **state)
{
    hand_ticks = TEN_YEARS;
    eprof_source_use("clock_gettime"); /* times that the clock showed in earlier tests are
                                        * forgotten */
    hand_clock_begin(state);
    instance = eprof_alloc("work");
    return 0;
}

static void record(uint64_t ticks)
{
    eprof_start(instance);
    EPROF_BLOCK("outer")
    {
        EPROF_BLOCK("inner")
        hand_ticks += ticks;
    }
    eprof_stop(instance);
}

static void assert_report_lacks(const char *format, const char *words)
{
    char *text = clock_report(format);
    if (strstr(text, words))
        fail_msg("%s says \"%s\":\n%s", format, words, text);
    free(text);
}

/* ---- ten years ahead ---- */

/* The clock is the program's own, and may show any time: the time of a game or of a simulation. */
TEST(jump_forward_counts_and_is_told)
{
    record(10);
    record(TEN_YEARS);
    record(20);
    assert_row("work", "calls 3, timed 3, errors 0, open 0, total 315619200000000030");
    assert_tree("outer 3/3 315619200000000030 0\n"
                "outer;inner 3/3 315619200000000030 315619200000000030\n");
    assert_reports_are_sane(TEN_YEARS);
    assert_told("clock_apart", 1, APART);
}

TEST(jump_forward_and_back_is_rejected_and_told)
{
    record(10);
    uint64_t began = eprof_now();
    hand_ticks += TEN_YEARS;
    uint64_t ended = eprof_now();
    hand_ticks -= TEN_YEARS;
    eprof_record(instance, began, ended);
    assert_row("work", "calls 2, timed 1, errors 1, open 0, total 10");
    assert_reports_are_sane(10);
    assert_told("clock", 1, "1 pair with an impossible length (clock)");
    assert_report_lacks("csv", "clock_apart"); /* from here on it shows the right time again */
}

TEST(scope_that_is_open_across_a_jump_is_told)
{
    eprof_enter("open");
    record(10);
    hand_ticks += TEN_YEARS;
    assert_int_equal(scope_row("open").total_ns, TEN_YEARS + 10);
    assert_reports_are_sane(TEN_YEARS + 10);
    assert_told("clock_apart", 1, APART);
    eprof_leave();
}

TEST(clock_that_was_set_back_ten_years_is_told)
{
    record(10);
    hand_ticks -= TEN_YEARS - 1000;
    record(20);
    assert_row("work", "calls 2, timed 2, errors 0, open 0, total 30");
    assert_reports_are_sane(20);
    assert_told("clock_apart", 1, APART);
}

TEST(jump_before_a_reset_is_not_told_after_it)
{
    record(TEN_YEARS);
    assert_int_equal(diagnostic_count("clock_apart"), 1);
    eprof_reset();
    record(10);
    assert_int_equal(diagnostic_count("clock_apart"), 0);
    assert_reports_are_sane(10);
}

TEST(jump_of_less_than_a_day_is_not_told)
{
    record(23 * 3600 * SECOND);
    assert_int_equal(diagnostic_count("clock_apart"), 0);
    record(SECOND * 3601);
    assert_int_equal(diagnostic_count("clock_apart"), 1);
}

/* ---- the time of day, which is set from outside ---- */

static int64_t set_by_us;

/* Replaces the function of the C library. */
int gettimeofday(struct timeval *restrict tv, void *restrict tz)
{
    uint64_t us = 1700000000 * UINT64_C(1000000) + monotonic_ns() / 1000 + (uint64_t)set_by_us;
    (void)tz;
    tv->tv_sec = (time_t)(us / 1000000);
    tv->tv_usec = (suseconds_t)(us % 1000000);
    return 0;
}

TEST(time_of_day_that_is_set_is_told)
{
    static const int64_t sets_us[] = {1000000, -1000000, 315619200 * INT64_C(1000000)};
    for (int i = 0; i < 3; i++) {
        assert_return_code(eprof_source_use("gettimeofday"), errno);
        eprof_init();
        instance = eprof_alloc("work");
        assert_int_equal(diagnostic_count("clock_apart"), 0);
        eprof_start(instance);
        set_by_us += sets_us[i];
        eprof_stop(instance);
        struct eprof_row row = instance_row("work");
        assert_int_equal(row.calls, 1);
        assert_int_equal(row.errors, 1);
        assert_reports_are_sane(0);
        assert_told("clock", 1, "1 pair with an impossible length (clock)");
        assert_told("clock_apart", 1, APART);
    }
}

/* The clock moved forward, but by less than it should have. */
TEST(time_of_day_that_falls_behind_is_told)
{
    assert_return_code(eprof_source_use("gettimeofday"), errno);
    eprof_start(instance);
    for (uint64_t began_ns = monotonic_ns(); monotonic_ns() - began_ns < SECOND / 20;)
        ;
    set_by_us -= 30000;
    eprof_stop(instance);
    assert_int_equal(instance_row("work").timed, 1);
    assert_told("clock_apart", 1, APART);
}

/* ---- that stand still ---- */

TEST(clock_that_stands_still_is_told)
{
    record(0);
    record(0);
    assert_tree("outer 2/2 0 0\n"
                "outer;inner 2/2 0 0\n");
    assert_reports_are_sane(0);
    assert_report_says("table", STILL "6 timed calls");
    assert_report_says("tree", STILL "6 timed calls");
    assert_report_says("html", STILL "6 timed calls");
    record(1);
    assert_report_lacks("table", STILL);
}

TEST(nothing_recorded_is_no_clock_that_stands_still)
{
    eprof_start(instance);
    assert_report_lacks("table", STILL);
    hand_ticks--;
    eprof_stop(instance);
    assert_report_lacks("table", STILL); /* it went back */
}

/* Once a second, by hand: each call takes none or one. */
static uint64_t seconds_now(void *context)
{
    (void)context;
    return hand_ticks / SECOND;
}

TEST(clock_that_moves_once_a_second_counts_whole_seconds)
{
    clock_take("seconds", seconds_now, 1);
    for (int i = 0; i < 10; i++)
        record(SECOND / 10);
    struct eprof_row row = instance_row("work");
    assert_figures(row, 10, SECOND);
    assert_int_equal(row.min_ns, 0);
    assert_int_equal(row.max_ns, SECOND);
    assert_reports_are_sane(SECOND);
    assert_report_says("table", "source seconds: 1.0 ticks/s\n");
    assert_report_lacks("table", STILL);
}

TEST_EACH(begin_test, NULL)
