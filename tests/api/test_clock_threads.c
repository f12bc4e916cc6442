/* A clock that differs between threads although its source says nothing of this: by a second and by
 * ten years. Times on one thread are exact. A span from one thread to another is rejected and
 * reported if the clock went back. */
#include "clock_report.h"
#include "figures.h"
#include "hand_clock.h"
#include "scope_row.h"
#include "threads.h"
#include "tree_text.h"

#define SECOND UINT64_C(1000000000)
#define TEN_YEARS (UINT64_C(3653) * 24 * 3600 * SECOND)
#define WENT_BACK "with an impossible length (clock): the clock went back or jumped"

static _Thread_local uint64_t offset_ticks; /* two's complement */
static uint64_t offset_of_worker;
static int instance;

static const uint64_t offsets[] = {SECOND, -SECOND, TEN_YEARS, -TEN_YEARS};

enum { OFFSETS = sizeof offsets / sizeof offsets[0] };

static uint64_t offset_now(void *context)
{
    return hand_clock_now(context) + offset_ticks;
}

static void begin(uint64_t offset)
{
    hand_ticks = 2 * TEN_YEARS;
    offset_of_worker = offset;
    eprof_source_use("clock_gettime"); /* times that the clock showed in earlier tests are
                                        * forgotten */
    clock_take("offset", offset_now, SECOND);
    eprof_init();
    instance = eprof_alloc("work");
}

static void record(void *ticks)
{
    for (int i = 0; i < 10; i++) {
        EPROF_SCOPE("outer");
        eprof_start(instance);
        hand_ticks += *(const uint64_t *)ticks;
        EPROF_BLOCK("inner")
        hand_ticks += *(const uint64_t *)ticks;
        eprof_stop(instance);
    }
}

static void record_elsewhere(void *ticks)
{
    offset_ticks = offset_of_worker;
    record(ticks);
}

TEST(regions_of_each_thread_are_exact)
{
    uint64_t here = 100, there = 300;
    for (int i = 0; i < OFFSETS; i++) {
        begin(offsets[i]);
        record(&here);
        on_a_thread(record_elsewhere, &there);
        record(&here);
        assert_row("work", "calls 30, timed 30, errors 0, open 0, total 10000");
        assert_tree("outer 30/30 10000 5000\n"
                    "outer;inner 30/30 5000 5000\n");
        assert_reports_are_sane(600);
        assert_diagnostics("");
    }
}

TEST(scope_that_is_open_elsewhere_is_sane)
{
    uint64_t ticks = 100;
    struct worker worker;
    for (int i = 0; i < OFFSETS; i++) {
        begin(offsets[i]);
        worker_begin(&worker);
        worker_do(&worker, record_elsewhere, &ticks);
        eprof_enter("open");
        record(&ticks);
        assert_reports_are_sane(TEN_YEARS + 10000);
        eprof_leave();
        worker_end(&worker);
        assert_reports_are_sane(10000);
    }
}

static void take_now(void *now)
{
    offset_ticks = offset_of_worker;
    *(uint64_t *)now = eprof_now();
}

TEST(span_that_goes_back_between_threads_is_rejected_and_told)
{
    for (int i = 0; i < OFFSETS; i++) {
        begin(offsets[i]);
        uint64_t here = eprof_now(), there;
        hand_ticks += 1000;
        on_a_thread(take_now, &there);
        bool goes_back = (int64_t)offsets[i] < 0;
        eprof_record(instance, goes_back ? here : there, goes_back ? there : here);
        assert_row("work", "calls 1, timed 0, errors 1, open 0, total 0");
        assert_reports_are_sane(0);
        assert_told("clock", 1, "1 pair " WENT_BACK);
    }
}

TEST(span_longer_than_the_clock_has_run_is_rejected_and_told)
{
    begin(TEN_YEARS);
    uint64_t here = eprof_now(), there;
    hand_ticks += 1000;
    on_a_thread(take_now, &there);
    eprof_record(instance, here, there);
    assert_row("work", "calls 1, timed 0, errors 1, open 0, total 0");
    assert_told("clock", 1, "1 pair " WENT_BACK);
}

static void stop_elsewhere(void *unused)
{
    (void)unused;
    offset_ticks = offset_of_worker;
    eprof_stop(instance);
}

/* A pair belongs to its thread: no clock gives it a length from two threads. */
TEST(stop_on_another_thread_is_unbalanced)
{
    for (int i = 0; i < OFFSETS; i++) {
        begin(offsets[i]);
        eprof_start(instance);
        hand_ticks += 10;
        on_a_thread(stop_elsewhere, NULL);
        eprof_stop(instance);
        assert_row("work", "calls 1, timed 1, errors 0, open 0, total 10");
        assert_told("unbalanced", 1, "1 stop without a start on its thread");
    }
}
