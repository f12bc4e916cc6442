/*
 * Records are forgotten by a reset or with the source: from any thread and inside any pair, whose
 * end is then no error.
 */
#include "calls.h"
#include "figures.h"
#include "threads.h"

/* eprof_reset(), or a change of the source: every test runs with both. */
static void (*forget)(void);

static void use_other_source(void)
{
    bool is_other = strcmp(eprof_source_name(), "other") == 0;
    clock_take(is_other ? "hand" : "other", hand_clock_now, 1000000000);
}

static void call(void *id)
{
    start(id);
    stop(id);
}

static void forget_here(void *unused)
{
    (void)unused;
    forget();
}

/* ------------------------------------------------------------- all is zero -- */

TEST(all_figures_begin_anew)
{
    int id = eprof_alloc("a");
    eprof_start(id);
    eprof_start(id);
    hand_ticks += 1000;
    eprof_stop(id);
    eprof_stop(id);
    pair_of(id, (uint64_t)-1);
    for (int i = 0; i < 1000; i++)
        pair_of(id, 10);
    pair_of(id, UINT64_C(1) << 50); /* in the farthest cells, and the last of all */
    forget();
    assert_row("a", "no row");
    pair_of(id, 5000);
    pair_of(id, 5000);
    assert_row("a", "calls 2, timed 2, errors 0, open 0, total 10000");
    struct eprof_row row = instance_row("a");
    assert_int_equal(row.mean_ns, 5000);
    assert_int_equal(row.stddev_ns, 0);
    assert_int_equal(row.min_ns, 5000);
    assert_int_equal(row.max_ns, 5000);
    pair_of(id, 8000);
    pair_of(id, 8000);
    pair_of(id, 8000);
    row = instance_row("a");
    assert_in_range(row.p50_ns, 7500, 8000);
    assert_in_range(row.p999_ns, 7500, 8000);
    assert_int_equal(row.stddev_ns, 1470); /* sqrt(2/5 * 3/5) * 3000 */
}

TEST(diagnostic_begins_anew)
{
    int id = eprof_alloc("a");
    eprof_stop(id);
    eprof_stop(-1);
    eprof_free("b");
    hand_ticks += 10;
    pair_of(id, (uint64_t)-1);
    assert_diagnostics("unbalanced 1, bad_handles 1, unknown_labels 1, clock 1");
    forget();
    assert_diagnostics("");
    eprof_stop(id);
    eprof_stop(-1);
    eprof_free("b");
    assert_diagnostics("unbalanced 1, bad_handles 1, unknown_labels 1");
}

TEST(instances_live_on)
{
    int id = eprof_alloc("a"), next = eprof_alloc("b");
    forget();
    pair_of(id, 1);
    pair_of(next, 2);
    assert_row("a", "calls 1, timed 1, errors 0, open 0, total 1");
    assert_row("b", "calls 1, timed 1, errors 0, open 0, total 2");
    assert_int_equal(eprof_release(id), 0);
}

/* ------------------------------------------------------- inside a pair -- */

TEST(pair_it_comes_in_is_nothing_and_its_end_no_error)
{
    for (int depth = 1; depth <= 4; depth++) {
        for (int open = 0; open <= depth; open++) {
            eprof_init();
            int id = eprof_alloc("a");
            for (int i = 0; i < depth; i++)
                eprof_start(id);
            hand_ticks += 10;
            for (int i = depth; i > open; i--)
                eprof_stop(id);
            forget();
            hand_ticks += 10;
            for (int i = 0; i < open; i++)
                eprof_stop(id);
            assert_row("a", "no row");
            assert_diagnostics("");
            pair_of(id, 3);
            assert_row("a", "calls 1, timed 1, errors 0, open 0, total 3");
            assert_diagnostics("");
            eprof_stop(id);
            assert_diagnostics("unbalanced 1");
        }
    }
}

TEST(pair_that_begins_afterwards_inside_one_from_before_counts)
{
    int id = eprof_alloc("a");
    eprof_start(id);
    eprof_start(id);
    forget();
    hand_ticks += 1000;
    pair_of(id, 1);
    eprof_stop(id);
    pair_of(id, 10);
    assert_row("a", "calls 2, timed 2, errors 0, open 0, total 11");
    eprof_stop(id);
    assert_row("a", "calls 2, timed 2, errors 0, open 0, total 11");
    assert_diagnostics("");
    eprof_stop(id);
    assert_diagnostics("unbalanced 1");
}

TEST(pair_open_across_two_is_nothing)
{
    int id = eprof_alloc("a");
    eprof_start(id);
    forget();
    eprof_start(id);
    forget();
    eprof_start(id);
    forget();
    eprof_stop(id);
    eprof_stop(id);
    eprof_stop(id);
    assert_row("a", "no row");
    assert_diagnostics("");
    eprof_stop(id);
    assert_diagnostics("unbalanced 1");
}

TEST(open_pair_from_before_is_not_shown_as_open)
{
    int id = eprof_alloc("a");
    eprof_start(id);
    assert_row("a", "calls 0, timed 0, errors 0, open 1, total 0");
    forget();
    assert_row("a", "no row");
    eprof_start(id);
    assert_row("a", "calls 0, timed 0, errors 0, open 1, total 0");
}

TEST(pairs_of_other_instances_are_forgotten_too)
{
    enum { INSTANCES = 100 };
    int id[INSTANCES];
    for (int i = 0; i < INSTANCES; i++)
        eprof_start(id[i] = eprof_alloc("a"));
    hand_ticks += 1;
    forget();
    for (int i = 0; i < INSTANCES; i++)
        eprof_stop(id[i]);
    assert_row("a", "no row");
    assert_diagnostics("");
}

/* --------------------------------------------------------- other threads -- */

TEST(it_concerns_all_threads_at_any_depth)
{
    struct worker one, other;
    int id = eprof_alloc("a");
    worker_begin(&one);
    worker_begin(&other);
    worker_do(&one, start, &id);
    worker_do(&one, start, &id);
    worker_do(&one, stop, &id);
    worker_do(&other, start, &id);
    eprof_start(id);
    forget();
    hand_ticks += 1000;
    worker_do(&one, stop, &id);
    worker_do(&one, start, &id);
    hand_ticks += 1;
    worker_do(&other, stop, &id);
    eprof_stop(id);
    worker_do(&one, stop, &id);
    worker_end(&one);
    worker_end(&other);
    assert_row("a", "calls 1, timed 1, errors 0, open 0, total 1");
    assert_diagnostics("");
}

TEST(any_thread_may_do_it)
{
    int id = eprof_alloc("a");
    pair_of(id, 1000);
    eprof_start(id);
    on_a_thread(forget_here, NULL);
    eprof_stop(id);
    assert_row("a", "no row");
    assert_diagnostics("");
}

TEST(figures_of_ended_threads_are_forgotten)
{
    int id = eprof_alloc("a");
    on_a_thread(start, &id);
    on_a_thread(stop, &id);
    assert_row("a", "calls 0, timed 0, errors 0, open 1, total 0");
    assert_diagnostics("unbalanced 1");
    forget();
    assert_row("a", "no row");
    on_a_thread(call, &id); /* it continues with the record that they left */
    assert_row("a", "calls 1, timed 1, errors 0, open 0, total 0");
    assert_diagnostics("");
}

/* ------------------------------------------------------- while switched off -- */

TEST(open_pair_may_end_while_off)
{
    int id = eprof_alloc("a");
    eprof_start(id);
    eprof_enable(false);
    forget();
    eprof_stop(id);
    eprof_enable(true);
    assert_row("a", "no row");
    assert_diagnostics("");
    pair_of(id, 3);
    assert_row("a", "calls 1, timed 1, errors 0, open 0, total 3");
}

TEST(open_pair_may_end_when_on_again)
{
    int id = eprof_alloc("a");
    eprof_start(id);
    forget();
    eprof_enable(false);
    hand_ticks += 10;
    eprof_enable(true);
    eprof_stop(id);
    eprof_start(id);
    eprof_enable(false);
    forget();
    eprof_enable(true);
    eprof_stop(id);
    assert_row("a", "no row");
    assert_diagnostics("");
}

/* The stop of the pair has come: the next stop without a start is one too many. */
TEST(stop_of_a_forgotten_pair_while_off_is_not_waited_for_again)
{
    for (int looks = 0; looks < 2; looks++) { /* whether it was used since */
        eprof_init();
        int id = eprof_alloc("a");
        eprof_start(id);
        forget();
        if (looks)
            pair_of(id, 1);
        eprof_enable(false);
        eprof_stop(id);
        eprof_enable(true);
        pair_of(id, 1);
        eprof_stop(id);
        assert_diagnostics("unbalanced 1");
    }
}

TEST(what_is_off_stays_off)
{
    int id = eprof_alloc("a");
    eprof_enable(false);
    forget();
    pair_of(id, 1);
    eprof_enable(true);
    eprof_thread_enable(false);
    forget();
    pair_of(id, 1);
    assert_row("a", "no row");
    eprof_thread_enable(true);
}

TEST_RUN()
{
    forget = eprof_reset;
    int failed = tests_run("reset", hand_clock_begin, NULL);
    forget = use_other_source;
    return failed + tests_run("reset by a change of source", hand_clock_begin, NULL);
}
