/*
 * Switching recording on and off while other threads are inside pairs.
 */
#include "calls.h"
#include "figures.h"
#include "threads.h"

/* ------------------------------------------------------ whom it concerns -- */

TEST(switch_concerns_all_threads_and_finishes_their_open_pairs)
{
    struct worker one, other;
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
    assert_diagnostics("");
}

TEST(any_thread_may_switch)
{
    int id = eprof_alloc("a");
    eprof_start(id);
    on_a_thread(switch_all_off, NULL);
    pair_of(eprof_alloc("b"), 10);
    eprof_stop(id);
    assert_row("a", "calls 1, timed 1, errors 0, open 0, total 10");
    assert_row("b", "no row");
}

TEST(thread_switch_concerns_that_thread_only)
{
    struct worker worker;
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
    assert_diagnostics("unbalanced 1");
    worker_do(&worker, switch_thread_on, NULL);
    worker_do(&worker, start, &id);
    hand_ticks += 4;
    worker_do(&worker, stop, &id);
    worker_end(&worker);
    assert_row("a", "calls 2, timed 2, errors 0, open 0, total 7");
}

TEST(thread_records_where_both_switches_are_on)
{
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
    assert_diagnostics("");
}

TEST(open_pair_is_finished_through_both_switches)
{
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
    assert_diagnostics("");
}

/* ------------------------------------------------------------- at no cost -- */

/* When all open pairs are finished, the hot calls need only their test. */
TEST(stops_are_skipped_as_soon_as_nothing_is_open)
{
    struct worker worker;
    int a = eprof_alloc("a"), b = eprof_alloc("b");
    assert_int_equal(eprof_recording & 3, 3);
    worker_begin(&worker);
    worker_do(&worker, start, &a);
    worker_do(&worker, start, &a);
    eprof_start(a);
    eprof_start(b);
    eprof_enable(false);
    assert_int_equal(eprof_recording & 3, 1);
    eprof_stop(a);
    eprof_stop(b);
    worker_do(&worker, stop, &a);
    assert_int_equal(eprof_recording & 3, 1);
    worker_do(&worker, stop, &a);
    assert_int_equal(eprof_recording & 3, 0);
    worker_end(&worker);
    eprof_enable(true);
    assert_int_equal(eprof_recording & 3, 3);
    eprof_enable(false);
    assert_int_equal(eprof_recording & 3, 0);
}

/* Pairs that are open at a reset are forgotten, and pairs that an ended thread left open never
 * finish. */
TEST(stops_are_skipped_even_if_open_pairs_are_never_finished)
{
    int id = eprof_alloc("a");
    eprof_start(id);
    eprof_enable(false);
    eprof_reset();
    eprof_stop(id);
    assert_int_equal(eprof_recording & 3, 0);

    eprof_enable(true);
    on_a_thread(start, &id);
    eprof_enable(false);
    assert_int_equal(eprof_recording & 3, 0);
}

static int begin(void **state)
{
    eprof_thread_enable(true);
    return hand_clock_begin(state);
}

TEST_EACH(begin, NULL)
