/*
 * Switching recording on and off while other threads are inside of pairs.
 */
#include "figures.h"
#include "hand_clock.h"
#include "threads.h"

static void pair_of(int id, uint64_t ticks)
{
    eprof_start(id);
    hand_ticks += ticks;
    eprof_stop(id);
}

static void start(void *id)
{
    eprof_start(*(int *)id);
}

static void stop(void *id)
{
    eprof_stop(*(int *)id);
}

static void switch_thread_off(void *unused)
{
    (void)unused;
    eprof_thread_enable(false);
}

static void switch_thread_on(void *unused)
{
    (void)unused;
    eprof_thread_enable(true);
}

static void switch_all_off(void *unused)
{
    (void)unused;
    eprof_enable(false);
}

/* ------------------------------------------------------ whom it concerns -- */

static void switch_concerns_all_threads_and_finishes_their_open_pairs(void **state)
{
    struct worker one, other;
    (void)state;
    int id = eprof_alloc("a");
    worker_begin(&one);
    worker_begin(&other);
    worker_do(&one, start, &id);
    worker_do(&one, start, &id);
    hand_ticks += 1;
    worker_do(&other, start, &id);
    hand_ticks += 10;
    eprof_enable(false);
    worker_do(&one, stop, &id);
    hand_ticks += 100;
    worker_do(&one, stop, &id);
    worker_do(&one, start, &id);
    eprof_enable(true);
    worker_do(&other, stop, &id);
    worker_do(&one, stop, &id);
    worker_end(&one);
    worker_end(&other);
    assert_row("a", "calls 3, timed 2, errors 0, open 0, total 221");
    assert_trouble("");
}

static void any_thread_may_switch(void **state)
{
    (void)state;
    int id = eprof_alloc("a");
    eprof_start(id);
    on_a_thread(switch_all_off, NULL);
    pair_of(eprof_alloc("b"), 10);
    eprof_stop(id);
    assert_row("a", "calls 1, timed 1, errors 0, open 0, total 10");
    assert_row("b", "no row");
}

static void thread_switch_concerns_that_thread_only(void **state)
{
    struct worker worker;
    (void)state;
    int id = eprof_alloc("a");
    worker_begin(&worker);
    worker_do(&worker, switch_thread_off, NULL);
    worker_do(&worker, start, &id);
    hand_ticks += 10;
    worker_do(&worker, stop, &id);
    assert_row("a", "no row");
    pair_of(id, 3);
    eprof_stop(id);
    assert_row("a", "calls 1, timed 1, errors 0, open 0, total 3");
    assert_trouble("unbalanced 1");
    worker_do(&worker, switch_thread_on, NULL);
    worker_do(&worker, start, &id);
    hand_ticks += 4;
    worker_do(&worker, stop, &id);
    worker_end(&worker);
    assert_row("a", "calls 2, timed 2, errors 0, open 0, total 7");
}

static void thread_records_where_both_switches_are_on(void **state)
{
    (void)state;
    int id = eprof_alloc("a");
    eprof_thread_enable(false);
    eprof_enable(false);
    pair_of(id, 1);
    eprof_enable(true);
    pair_of(id, 10);
    eprof_enable(false);
    eprof_thread_enable(true);
    pair_of(id, 100);
    assert_row("a", "no row");
    eprof_enable(true);
    pair_of(id, 1000);
    assert_row("a", "calls 1, timed 1, errors 0, open 0, total 1000");
    assert_trouble("");
}

static void open_pair_is_finished_through_both_switches(void **state)
{
    (void)state;
    int id = eprof_alloc("a");
    eprof_start(id);
    eprof_thread_enable(false);
    eprof_enable(false);
    hand_ticks += 1;
    eprof_thread_enable(true);
    eprof_thread_enable(false);
    eprof_enable(true);
    hand_ticks += 10;
    eprof_stop(id);
    assert_row("a", "calls 1, timed 1, errors 0, open 0, total 11");
    eprof_thread_enable(true);
    assert_trouble("");
}

/* ------------------------------------------------------------- at no cost -- */

/* When all open pairs are finished, the hot calls need no more than their test. */
static void stops_are_skipped_as_soon_as_nothing_is_open(void **state)
{
    struct worker worker;
    (void)state;
    int a = eprof_alloc("a"), b = eprof_alloc("b");
    assert_int_equal(eprof_recording, 3);
    worker_begin(&worker);
    worker_do(&worker, start, &a);
    worker_do(&worker, start, &a);
    eprof_start(a);
    eprof_start(b);
    eprof_enable(false);
    assert_int_equal(eprof_recording, 1);
    eprof_stop(a);
    eprof_stop(b);
    worker_do(&worker, stop, &a);
    assert_int_equal(eprof_recording, 1);
    worker_do(&worker, stop, &a);
    assert_int_equal(eprof_recording, 0);
    worker_end(&worker);
    eprof_enable(true);
    assert_int_equal(eprof_recording, 3);
    eprof_enable(false);
    assert_int_equal(eprof_recording, 0);
}

/* What is open at a reset is forgotten, and what a dead thread left is never finished. */
static void stops_are_skipped_even_if_open_pairs_are_never_finished(void **state)
{
    (void)state;
    int id = eprof_alloc("a");
    eprof_start(id);
    eprof_enable(false);
    eprof_reset();
    eprof_stop(id);
    assert_int_equal(eprof_recording, 0);

    eprof_enable(true);
    on_a_thread(start, &id);
    eprof_enable(false);
    assert_int_equal(eprof_recording, 0);
}

static int begin(void **state)
{
    eprof_thread_enable(true);
    return hand_clock_begin(state);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, begin)
    const struct CMUnitTest tests[] = {
        TEST(switch_concerns_all_threads_and_finishes_their_open_pairs),
        TEST(any_thread_may_switch),
        TEST(thread_switch_concerns_that_thread_only),
        TEST(thread_records_where_both_switches_are_on),
        TEST(open_pair_is_finished_through_both_switches),
        TEST(stops_are_skipped_as_soon_as_nothing_is_open),
        TEST(stops_are_skipped_even_if_open_pairs_are_never_finished),
    };
    return cmocka_run_group_tests_name("control_threads", tests, NULL, NULL);
}
