/* A clock that begins again from 0 after 2^32 ticks. If its source says so, nothing is lost;
 * otherwise only the pairs across the wrap are rejected and reported. */
#include "clock_report.h"
#include "figures.h"
#include "hand_clock.h"
#include "scope_row.h"

#define RANGE (UINT64_C(1) << 32)
#define US UINT64_C(1000)
#define WENT_BACK "with an impossible length (clock): the clock went back or jumped"

static int instance;

static uint64_t low_half(void *context)
{
    (void)context;
    return hand_ticks % RANGE;
}

/* A tick is a us: it wraps after 71 minutes. */
static int use(const char *name, unsigned bits)
{
    struct eprof_source source = {.size = sizeof source,
                                  .name = name,
                                  .now = low_half,
                                  .ticks_per_second = 1000000,
                                  .bits = bits};
    hand_ticks = RANGE / 2;
    bool is_added = eprof_source_add(&source) == 0 || errno == EEXIST;
    eprof_source_use("clock_gettime"); /* times that the clock showed in earlier tests are
                                        * forgotten */
    if (!is_added || eprof_source_use(name) != 0)
        return -1;
    eprof_init();
    instance = eprof_alloc("work");
    return 0;
}

static int begin_told(void **state)
{
    (void)state;
    return use("32 bits", 32);
}

static int begin_untold(void **state)
{
    (void)state;
    return use("32 bits, untold", 0);
}

/* Records `calls` calls of `ticks` ticks, during which the clock wraps again and again. Returns the
 * number of calls that began before a wrap and ended after it. */
static uint64_t record(uint64_t calls, uint64_t ticks)
{
    uint64_t across = 0;
    for (uint64_t i = 0; i < calls; i++) {
        uint64_t before = hand_ticks / RANGE;
        eprof_start(instance);
        EPROF_BLOCK("outer")
        {
            EPROF_BLOCK("inner")
            hand_ticks += ticks;
        }
        eprof_stop(instance);
        across += hand_ticks / RANGE != before;
    }
    return across;
}

/* A longer difference may be a step back. */
TEST_BETWEEN(scope_longer_than_half_the_range_is_rejected_though_its_parts_are_not, begin_told,
             NULL)
{
    for (int i = 0; i < 6; i++) {
        EPROF_SCOPE("outer");
        for (int part = 0; part < 2; part++) {
            EPROF_SCOPE("inner");
            hand_ticks += RANGE / 3;
        }
    }
    assert_int_equal(scope_row("outer;inner").errors, 0);
    assert_int_equal(scope_row("outer;inner").calls, 12);
    assert_int_equal(scope_row("outer").errors, 6);
    assert_int_equal(scope_row("outer").calls, 6);
}

TEST_BETWEEN(wrap_that_is_told_loses_nothing, begin_told, NULL)
{
    uint64_t ticks = RANGE / 3;
    assert_int_equal(record(100, ticks), 33);
    assert_figures(instance_row("work"), 100, 100 * ticks * US);
    assert_figures(scope_row("outer"), 100, 100 * ticks * US);
    assert_figures(scope_row("outer;inner"), 100, 100 * ticks * US);
    assert_reports_are_sane(ticks * US);
    assert_diagnostics("");
}

TEST(wrap_that_is_not_told_rejects_what_went_across)
{
    uint64_t ticks = RANGE / 7;
    uint64_t across = record(100, ticks);
    assert_int_equal(across, 14);
    struct eprof_row row = instance_row("work");
    assert_int_equal(row.calls, 100);
    assert_int_equal(row.errors, across);
    assert_int_equal(row.total_ns, (100 - across) * ticks * US);
    assert_int_equal(scope_row("outer;inner").errors, across);
    assert_reports_are_sane(ticks * US);
    assert_told("clock", 3 * across, WENT_BACK);
}

/* A single call does not show that it took 71 minutes more; the sum of all times does, after a
 * day. */
TEST(wraps_inside_calls_are_told_by_the_whole)
{
    record(100, RANGE + 5);
    assert_figures(instance_row("work"), 100, 500 * US);
    assert_reports_are_sane(5 * US);
}

TEST(span_across_a_wrap_that_is_not_told_is_rejected)
{
    uint64_t began = eprof_now();
    hand_ticks += RANGE / 2 + 7;
    eprof_record(instance, began, eprof_now());
    assert_row("work", "calls 1, timed 0, errors 1, open 0, total 0");
    assert_reports_are_sane(0);
    assert_told("clock", 1, "1 pair " WENT_BACK);
}

TEST_BETWEEN(open_scope_across_a_wrap_is_sane, begin_told, NULL)
{
    eprof_enter("open");
    record(1, 100);
    hand_ticks += RANGE / 2;
    assert_int_equal(scope_row("open;outer").total_ns, 100 * US);
    assert_reports_are_sane(RANGE * US);
    eprof_leave();
    assert_reports_are_sane(RANGE * US);
}
TEST_AGAIN(open_scope_across_a_wrap_is_sane, begin_untold, NULL)

TEST_EACH(begin_untold, NULL)
