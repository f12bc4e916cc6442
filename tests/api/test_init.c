/*
 * eprof_init(): each call releases all instances and resets, and does nothing else.
 */
#include "calls.h"
#include "each_alone.h"
#include "figures.h"
#include "threads.h"

static void assert_stale(int id)
{
    errno = 0;
    assert_int_equal(eprof_release(id), -1);
    assert_int_equal(errno, EINVAL);
}

/* ------------------------------------------------------ releases, resets -- */

TEST_BETWEEN(first_init_releases_what_was_allocated_before, NULL, NULL)
{
    hand_clock_use();
    int id = eprof_alloc("a");
    pair_of(id, 10);
    eprof_init();
    assert_row("a", "no row");
    assert_stale(id);
}

TEST(every_init_releases_all)
{
    int id[100];
    for (int round = 0; round < 3; round++) {
        eprof_init();
        for (int i = 0; i < 100; i++)
            pair_of(id[i] = eprof_alloc("a"), 10);
        eprof_init();
        assert_row("a", "no row");
        for (int i = 0; i < 100; i++)
            assert_stale(id[i]);
        eprof_free("a");
        assert_diagnostics("unknown_labels 1");
    }
}

TEST(handle_from_before_is_bad)
{
    int before = eprof_alloc("before");
    eprof_init();
    int after = eprof_alloc("after");
    pair_of(before, 10);
    pair_of(after, 3);
    assert_row("after", "calls 1, timed 1, errors 0, open 0, total 3");
    assert_diagnostics("bad_handles 2");
}

TEST(slots_are_used_again)
{
    for (int i = 0; i < 3; i++)
        eprof_alloc("before");
    eprof_init();
    pair_of(eprof_alloc("after"), 1);
    assert_in_range(instance_row("after").id, 0, 2);
}

TEST(diagnostic_is_zero_afterwards)
{
    int id = eprof_alloc("a");
    eprof_stop(id);
    eprof_stop(-1);
    eprof_free("b");
    pair_of(id, (uint64_t)-1);
    assert_diagnostics("unbalanced 1, bad_handles 1, unknown_labels 1, clock 1");
    eprof_init();
    assert_diagnostics("");
}

/* ---------------------------------------------------- an open pair across -- */

TEST(pair_open_across_init_is_no_error_nor_is_its_stop)
{
    int id = eprof_alloc("a");
    eprof_start(id);
    eprof_start(id);
    eprof_init();
    eprof_stop(id);
    eprof_stop(id);
    assert_diagnostics("");
    assert_row("a", "no row");
    eprof_stop(id); /* of a third pair, which was never started */
    assert_diagnostics("bad_handles 1");
}

TEST(pair_open_across_two_inits_is_no_error)
{
    int id = eprof_alloc("a");
    eprof_start(id);
    eprof_init();
    eprof_alloc("b");
    eprof_init();
    eprof_stop(id);
    assert_diagnostics("");
}

TEST(pair_open_across_init_on_another_thread_is_no_error)
{
    struct worker worker;
    int id = eprof_alloc("a");
    worker_begin(&worker);
    worker_do(&worker, start, &id);
    eprof_init();
    worker_do(&worker, stop, &id);
    worker_end(&worker);
    assert_diagnostics("");
}

TEST(pair_open_across_a_reset_and_init_is_no_error)
{
    int id = eprof_alloc("a");
    eprof_start(id);
    eprof_start(id);
    eprof_start(id);
    eprof_reset();
    eprof_stop(id);
    eprof_init();
    eprof_stop(id);
    pair_of(eprof_alloc("b"), 3);
    eprof_stop(id);
    assert_row("b", "calls 1, timed 1, errors 0, open 0, total 3");
    assert_diagnostics("");
}

/* A library's thread is inside a region while main calls eprof_init() again. */
TEST(pair_open_across_init_ends_inside_one_of_the_next_user_of_its_slot)
{
    int before = eprof_alloc("before");
    eprof_start(before);
    eprof_init();
    int after = eprof_alloc("after");
    eprof_start(after);
    hand_ticks += 1;
    eprof_stop(before);
    hand_ticks += 10;
    eprof_stop(after);
    assert_int_equal(instance_row("after").id, 0); /* the same slot */
    assert_row("after", "calls 1, timed 1, errors 0, open 0, total 11");
    assert_diagnostics("");
}

TEST(pair_open_across_init_ends_after_one_of_the_next_user_of_its_slot)
{
    int before = eprof_alloc("before");
    eprof_start(before);
    eprof_start(before);
    eprof_init();
    pair_of(eprof_alloc("after"), 3);
    eprof_stop(before);
    eprof_stop(before);
    assert_row("after", "calls 1, timed 1, errors 0, open 0, total 3");
    assert_diagnostics("");
}

/* ------------------------------------------------------------ what stays -- */

TEST(off_stays_off)
{
    eprof_enable(false);
    eprof_init();
    int id = eprof_alloc("a");
    pair_of(id, 10);
    assert_row("a", "no row");
    eprof_enable(true);
    pair_of(id, 3);
    assert_row("a", "calls 1, timed 1, errors 0, open 0, total 3");
}

TEST(thread_that_is_off_stays_off)
{
    eprof_thread_enable(false);
    eprof_init();
    int id = eprof_alloc("a");
    pair_of(id, 10);
    assert_row("a", "no row");
    eprof_thread_enable(true);
    pair_of(id, 3);
    assert_row("a", "calls 1, timed 1, errors 0, open 0, total 3");
}

TEST(source_stays)
{
    eprof_init();
    assert_string_equal(eprof_source_name(), "hand");
    assert_int_equal(eprof_source_use("clock_gettime"), 0);
    eprof_init();
    assert_string_equal(eprof_source_name(), "clock_gettime");
    assert_int_equal(eprof_source_use("hand"), 0); /* sources that were added are still there */
}

TEST(thread_name_stays)
{
    eprof_thread_enter("worker");
    eprof_init();
    pair_of(eprof_alloc("a"), 3);
    assert_int_equal(thread_row("a", "worker").calls, 1);
    eprof_thread_enter(NULL);
}

TEST_RUN()
{
    return tests_run_each_alone("init", hand_clock_begin, NULL);
}
