/*
 * Spans: eprof_now() at any two points, on any two threads, and eprof_record().
 */
#include "calls.h"
#include "figures.h"
#include "threads.h"

/* A span; any thread may take its start, take its stop, or record it. */
struct span {
    int id;
    uint64_t start, stop;
};

static void take_start(void *span)
{
    ((struct span *)span)->start = eprof_now();
}

static void take_stop_and_record(void *argument)
{
    struct span *span = argument;
    span->stop = eprof_now();
    eprof_record(span->id, span->start, span->stop);
}

/* Moves the clock and returns its time. */
static uint64_t move(uint64_t ticks)
{
    hand_ticks += ticks;
    return hand_ticks;
}

static int begin(void **state)
{
    hand_clock_begin(state);
    move(10); /* a pair that begins now begins after the reset */
    return 0;
}

/* --------------------------------------------------------- any two points -- */

TEST(now_is_in_ticks_of_the_source_and_ns_converts_them)
{
    hand_ticks = 12345678;
    assert_int_equal(eprof_now(), 12345678);
    assert_int_equal(eprof_ns(12345), 12345);
    clock_take("slow", hand_clock_now, 1000000);
    assert_int_equal(eprof_now(), 12345678);
    assert_int_equal(eprof_ns(12345), 12345000);
}

TEST(span_counts_as_a_pair_does)
{
    int id = eprof_alloc("a");
    uint64_t start = eprof_now();
    eprof_record(id, start, move(30));
    eprof_record(id, start, move(20));
    eprof_record(id, start, start);
    assert_row("a", "calls 3, timed 3, errors 0, open 0, total 80");
    struct eprof_row row = instance_row("a");
    assert_int_equal(row.min_ns, 0);
    assert_int_equal(row.max_ns, 50);
    assert_diagnostics("");
}

TEST(span_may_begin_on_one_thread_and_end_on_another)
{
    struct worker one, other;
    struct span span = {.id = eprof_alloc("a")};
    worker_begin(&one);
    worker_begin(&other);
    worker_do(&one, take_start, &span);
    move(30);
    worker_do(&other, take_stop_and_record, &span);
    take_start(&span);
    worker_end(&one);
    move(4);
    worker_do(&other, take_stop_and_record, &span);
    worker_end(&other);
    assert_row("a", "calls 2, timed 2, errors 0, open 0, total 34");
    assert_diagnostics("");
}

TEST(spans_of_one_instance_may_overlap)
{
    int id = eprof_alloc("a");
    uint64_t first = eprof_now();
    uint64_t second = move(1);
    eprof_record(id, first, move(10));
    eprof_record(id, second, move(100));
    assert_row("a", "calls 2, timed 2, errors 0, open 0, total 121");
}

/* A span is not a start: a pair that is open on that instance continues, and is still the
 * outermost. */
TEST(span_leaves_an_open_pair_of_its_instance_alone)
{
    int id = eprof_alloc("a");
    eprof_start(id);
    uint64_t start = move(1);
    eprof_record(id, start, move(10));
    assert_row("a", "calls 1, timed 1, errors 0, open 1, total 10");
    move(100);
    eprof_stop(id);
    assert_row("a", "calls 2, timed 2, errors 0, open 0, total 121");
    eprof_record(id, start, move(1000));
    eprof_start(id);
    eprof_stop(id);
    assert_row("a", "calls 4, timed 4, errors 0, open 0, total 1231");
    assert_diagnostics("");
}

TEST(span_with_a_bad_handle_is_counted)
{
    int id = eprof_alloc("a"), freed = eprof_alloc("b");
    eprof_free("b");
    uint64_t start = eprof_now();
    eprof_record(id, start, move(1));
    eprof_record(freed, start, move(1));
    eprof_record(-1, start, move(1));
    assert_row("a", "calls 1, timed 1, errors 0, open 0, total 1");
    assert_diagnostics("bad_handles 2");
}

/* -------------------------------------------------------------- rejected -- */

TEST(span_that_goes_back_is_an_error)
{
    int id = eprof_alloc("a");
    uint64_t start = move(1000);
    eprof_record(id, start, start - 1);
    assert_row("a", "calls 1, timed 0, errors 1, open 0, total 0");
    assert_int_equal(instance_row("a").max_ns, 0);
    eprof_record(id, start, start);
    eprof_record(id, start - 500, start);
    eprof_record(id, start, start - 500);
    assert_row("a", "calls 4, timed 2, errors 2, open 0, total 500");
    assert_diagnostics("clock 2");
}

TEST(span_longer_than_the_process_has_run_is_an_error)
{
    int id = eprof_alloc("a");
    /* a clock that is new: for it the process begins now */
    struct eprof_source fresh = {sizeof fresh, "fresh", hand_clock_now, 1000000000, 64, 0, NULL};
    assert_int_equal(eprof_source_add(&fresh), 0);
    assert_int_equal(eprof_source_use("fresh"), 0);
    uint64_t start = eprof_now(), now = move(1000);
    eprof_record(id, start, start + UINT64_C(1000000000));
    assert_row("a", "calls 1, timed 0, errors 1, open 0, total 0");
    eprof_record(id, start, now);
    eprof_record(id, start, now + 1);
    eprof_record(id, start, now);
    assert_row("a", "calls 4, timed 2, errors 2, open 0, total 2000");
    move(1); /* now it can be */
    eprof_record(id, start, now + 1);
    assert_row("a", "calls 5, timed 3, errors 2, open 0, total 3001");
}

TEST(span_goes_on_over_the_wrap_of_a_32_bit_source)
{
    const struct eprof_source narrow = {
        .size = sizeof narrow,
        .name = "narrow",
        .now = hand_clock_now,
        .ticks_per_second = 1000000000,
        .bits = 32,
    };
    uint64_t before = hand_ticks;
    hand_ticks = UINT32_MAX - 99;
    assert_int_equal(eprof_source_add(&narrow), 0);
    assert_int_equal(eprof_source_use("narrow"), 0);
    int id = eprof_alloc("a");
    eprof_record(id, UINT32_MAX - 9, 20);
    assert_row("a", "calls 1, timed 1, errors 0, open 0, total 30");
    eprof_record(id, 20, UINT32_MAX - 9);
    assert_row("a", "calls 2, timed 1, errors 1, open 0, total 30");
    hand_ticks = before;
}

/* ------------------------------------------------------ before a reset -- */

TEST(span_that_began_before_a_reset_is_nothing)
{
    int id = eprof_alloc("a");
    uint64_t start = eprof_now(), stop = move(10);
    move(10);
    eprof_reset();
    eprof_record(id, start, stop);
    eprof_record(id, start, move(10));
    assert_row("a", "no row");
    assert_diagnostics("");
    uint64_t after = eprof_now();
    eprof_record(id, after, move(3));
    eprof_record(id, start, move(10));
    assert_row("a", "calls 1, timed 1, errors 0, open 0, total 3");
    assert_diagnostics("");
}

TEST(span_that_began_before_init_is_nothing)
{
    uint64_t start = eprof_now();
    move(10);
    eprof_init();
    int id = eprof_alloc("a");
    eprof_record(id, start, move(10));
    assert_row("a", "no row");
    assert_diagnostics("");
}

/* ------------------------------------------------------------- while off -- */

TEST(span_that_began_while_off_is_nothing)
{
    int id = eprof_alloc("a");
    eprof_enable(false);
    uint64_t start = move(10);
    eprof_record(id, start, move(10));
    move(10);
    eprof_enable(true);
    eprof_record(id, start, move(10));
    assert_row("a", "no row");
    uint64_t while_on = eprof_now();
    eprof_record(id, while_on, move(3));
    eprof_record(id, start, move(10)); /* though the instance is in use again */
    assert_row("a", "calls 1, timed 1, errors 0, open 0, total 3");
    eprof_enable(false);
    eprof_record(id, while_on, while_on + 4);
    start = move(10);
    eprof_record(id, start, move(10));
    assert_row("a", "calls 2, timed 2, errors 0, open 0, total 7");
    assert_diagnostics("");
}

TEST(span_that_began_while_on_is_counted_whenever_it_ends)
{
    int id = eprof_alloc("a");
    uint64_t start = eprof_now(); /* 0 */
    move(10);
    eprof_enable(false);
    eprof_record(id, start, move(10)); /* 20 */
    assert_row("a", "calls 1, timed 1, errors 0, open 0, total 20");
    move(10);
    eprof_enable(true);
    eprof_record(id, start, move(10)); /* 40 */
    assert_row("a", "calls 2, timed 2, errors 0, open 0, total 60");
    assert_diagnostics("");
}

/* Each state in which a span may have begun counts, not only the last two. */
TEST(span_belongs_to_the_state_in_which_it_began_however_often_it_changed)
{
    enum { TIMES = 5 };
    uint64_t while_on[TIMES], while_off[TIMES];
    int id = eprof_alloc("on"), none = eprof_alloc("off");
    for (int i = 0; i < TIMES; i++) {
        while_on[i] = move(10);
        move(10);
        eprof_enable(false);
        while_off[i] = move(10);
        move(10);
        eprof_enable(true);
    }
    move(10);
    for (int i = 0; i < TIMES; i++) {
        eprof_record(id, while_on[i], while_on[i] + 1);
        eprof_record(none, while_off[i], while_off[i] + 1);
    }
    assert_row("on", "calls 5, timed 5, errors 0, open 0, total 5");
    assert_row("off", "no row");
    eprof_enable(false);
    for (int i = 0; i < TIMES; i++) {
        eprof_record(id, while_on[i], while_on[i] + 1);
        eprof_record(none, while_off[i], while_off[i] + 1);
    }
    assert_row("on", "calls 10, timed 10, errors 0, open 0, total 10");
    assert_row("off", "no row");
}

TEST(span_on_a_thread_that_is_off_is_nothing)
{
    struct worker worker;
    struct span span;
    span.id = eprof_alloc("a");
    worker_begin(&worker);
    worker_do(&worker, switch_thread_off, NULL);
    move(10);
    worker_do(&worker, take_start, &span);
    move(10);
    worker_do(&worker, take_stop_and_record, &span);
    assert_row("a", "no row");
    move(10);
    worker_do(&worker, switch_thread_on, NULL);
    move(10);
    worker_do(&worker, take_stop_and_record, &span); /* it began while off */
    assert_row("a", "no row");
    worker_do(&worker, take_start, &span);
    move(3);
    worker_do(&worker, take_stop_and_record, &span);
    worker_end(&worker);
    assert_row("a", "calls 1, timed 1, errors 0, open 0, total 3");
    assert_diagnostics("");
}

TEST(span_that_began_before_the_thread_was_switched_off_is_counted)
{
    struct worker worker;
    struct span span;
    span.id = eprof_alloc("a");
    worker_begin(&worker);
    worker_do(&worker, take_start, &span);
    move(10);
    worker_do(&worker, switch_thread_off, NULL);
    move(10);
    worker_do(&worker, take_stop_and_record, &span);
    assert_row("a", "calls 1, timed 1, errors 0, open 0, total 20");
    move(10);
    worker_do(&worker, switch_thread_on, NULL);
    move(10);
    worker_do(&worker, take_stop_and_record, &span);
    worker_end(&worker);
    assert_row("a", "calls 2, timed 2, errors 0, open 0, total 60");
}

static void switch_often(void (*set_recording)(bool on), int count)
{
    for (int i = 0; i < count; i++) {
        move(1);
        set_recording(i % 2 != 0);
    }
}

/* For each thread the last 32 switches are kept. Spans that began before them are not dropped
 * silently. */
TEST(span_that_began_before_all_switches_that_are_kept_is_lost_and_counted)
{
    void (*const set_recording[])(bool on) = {eprof_enable, eprof_thread_enable};
    int id = eprof_alloc("a");
    for (uint64_t i = 0; i < 2; i++) {
        uint64_t before_all = eprof_now();
        switch_often(set_recording[i], 2);
        uint64_t start = eprof_now();
        switch_often(set_recording[i], 30);
        eprof_record(id, start, eprof_now());
        assert_int_equal(instance_row("a").total_ns, 30 * (i + 1));
        assert_int_equal(diagnostic_count("lost"), i);
        switch_often(set_recording[i], 2);
        eprof_record(id, before_all, eprof_now());
        assert_int_equal(instance_row("a").total_ns, 30 * (i + 1));
        assert_int_equal(diagnostic_count("lost"), i + 1);
    }
}

TEST_EACH(begin, NULL)
