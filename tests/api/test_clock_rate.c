/* A clock without a known rate: the rate is measured, and jumps of the clock meanwhile do not spoil
 * it. */
#include "clock_report.h"
#include "hand_clock.h"
#include "scope_row.h"

#include <time.h>

#define SECOND UINT64_C(1000000000)
#define TEN_YEARS (UINT64_C(3653) * 24 * 3600 * SECOND)
#define APART                                                                                      \
    "1 program whose clock is apart from CLOCK_MONOTONIC (clock_apart): it jumped or was set"

static int instance;

/* Ten ticks per ns, and in addition the jumps of the test. */
static uint64_t fast_now(void *context)
{
    (void)context;
    return 10 * monotonic_ns() + hand_ticks;
}

static int begin_test(void **state)
{
    hand_ticks = TEN_YEARS;
    hand_clock_begin(state);
    instance = eprof_alloc("work");
    return 0;
}

static int begin_fast(void **state)
{
    begin_test(state);
    hand_ticks = 0;
    clock_take("fast", fast_now, 0);
    return 0;
}

/* ---- that jumps ---- */

/* With all of that time, a tick would become a millionth of a ns. */
TEST(jump_of_a_measured_clock_leaves_its_rate)
{
    eprof_record(instance, eprof_now(), eprof_now());
    uint64_t before = eprof_now();
    hand_ticks += 10 * TEN_YEARS / 2;
    eprof_record(instance, before, eprof_now());
    uint64_t longest_ns = instance_row("work").max_ns;
    assert_in_range(longest_ns, TEN_YEARS / 2 - TEN_YEARS / 20, TEN_YEARS / 2 + TEN_YEARS / 20);
    assert_told("clock_apart", 1, APART);
}

TEST(jump_of_a_measured_clock_leaves_times_of_the_program)
{
    eprof_record(instance, eprof_now(), eprof_now());
    hand_ticks += 10 * TEN_YEARS;
    assert_in_range(eprof_ns(10 * SECOND), SECOND - SECOND / 100, SECOND + SECOND / 100);
}

/* A call of two seconds is slow, and one of half a second is not, in any year of the clock. */
TEST(jump_of_a_measured_clock_leaves_what_is_slow)
{
    eprof_record(instance, eprof_now(), eprof_now());
    hand_ticks += 10 * TEN_YEARS;
    for (int halves = 1; halves <= 4; halves += 3) {
        EPROF_SLOW("slow", SECOND);
        hand_ticks += 10 * SECOND / 2 * (uint64_t)halves;
    }
    assert_int_equal(scope_row("slow").calls, 1);
}

/* ---- that stands still at times ---- */

/* The clock stands still for three tenths of the time between reports. Its ticks keep their length,
 * so times of one report can be compared with those of the next. */
TEST(clock_that_stands_still_at_times_keeps_its_rate)
{
    uint64_t began = eprof_now();
    hand_ticks += 10 * SECOND;
    eprof_record(instance, began, began + 10 * SECOND);
    hand_ticks -= 10 * SECOND;
    for (int report = 0; report < 3; report++) {
        hand_ticks -= (eprof_now() - began) / 10 * 3;
        began = eprof_now();
        assert_in_range(instance_row("work").max_ns, SECOND - SECOND / 100, SECOND + SECOND / 100);
    }
}

/* ---- that has no rate ---- */

/* In three regions. */
static void record_none(void)
{
    eprof_start(instance);
    EPROF_BLOCK("outer")
    EPROF_BLOCK("inner");
    eprof_stop(instance);
}

/* A tick is then taken for a ns, but no rate is reported. */
TEST_BETWEEN(rate_of_a_measured_clock_that_stands_still_is_not_told, begin_test, NULL)
{
    clock_take("unmoved", hand_clock_now, 0);
    record_none();
    assert_report_says("table", "source unmoved\nthe clock did not move in any of ");
    assert_report_says("json", "\"ticks_per_us\":null");
}

/* This is like a clock that goes back with every read: it has no rate, and must not get that of 584
 * years. */
static uint64_t falling_now(void *context)
{
    (void)context;
    return hand_ticks--;
}

TEST_BETWEEN(rate_of_a_measured_clock_that_falls_is_not_told, begin_test, NULL)
{
    clock_take("falling", falling_now, 0);
    record_none();
    assert_report_says("json", "\"ticks_per_us\":null");
    assert_reports_are_sane(0);
    assert_told("clock", 3, "3 pairs with an impossible length");
    assert_int_equal(count_rows("diagnostic"), 1);
}

TEST_EACH(begin_fast, NULL)
