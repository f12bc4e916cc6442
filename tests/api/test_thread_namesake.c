/* One row for a thread that ended and a living thread of the same name. */
#include "rows.h"
#include "work.h"

static void record_then_be_named(void *ns)
{
    record_ns(ns);
    eprof_thread_enter("worker");
}

static void assert_statistics_of_both(uint64_t first_ns, uint64_t second_ns)
{
    for (int i = 0; i < 10; i++)
        on_a_thread(record_named, &first_ns);
    for (int i = 0; i < 10; i++)
        on_a_thread(record_then_be_named, &second_ns);
    struct eprof_row row = thread_row("work", "worker");
    assert_figures(row, 20, 40000);
    assert_int_equal(row.mean_ns, 2000);
    assert_int_equal(row.stddev_ns, 1000);
    assert_int_equal(row.min_ns, 1000);
    assert_int_equal(row.max_ns, 3000);
    assert_in_range(row.p50_ns, 1000, 1062);
    assert_in_range(row.p90_ns, 2813, 3000);
}

TEST(row_that_two_threads_share_has_the_statistics_of_both)
{
    assert_statistics_of_both(1000, 3000);
    eprof_reset();
    assert_statistics_of_both(3000, 1000);
}

TEST(row_that_two_threads_share_has_the_open_pairs_of_both)
{
    struct worker worker;
    char name[] = "worker";
    uint64_t ns = 40;
    int once = 1, twice = 2;
    worker_begin(&worker);
    worker_do(&worker, record_named, &ns);
    worker_do(&worker, start_times, &twice);
    worker_end(&worker);
    worker_begin(&worker);
    worker_do(&worker, start_times, &once);
    hand_ticks += 500;
    worker_do(&worker, name_this_thread, name);
    assert_int_equal(thread_row("work", "worker").open, 3);
    worker_do(&worker, stop_times, &once);
    struct eprof_row row = thread_row("work", "worker");
    assert_int_equal(row.open, 2);
    assert_int_equal(row.calls, 2);
    assert_int_equal(row.total_ns, 540);
    assert_int_equal(diagnostic_count("unbalanced"), 0);
    worker_end(&worker);
}

TEST(row_that_two_threads_share_has_the_errors_of_both)
{
    hand_ticks += 1000;
    for (int i = 0; i < 2; i++) {
        struct worker worker;
        uint64_t ns = 7, back_ns = (uint64_t)-5;
        worker_begin(&worker);
        worker_do(&worker, record_ns, &ns);
        worker_do(&worker, record_ns, &back_ns);
        worker_do(&worker, record_then_be_named, &ns);
        worker_end(&worker);
    }
    struct eprof_row row = thread_row("work", "worker");
    assert_int_equal(row.calls, 6);
    assert_int_equal(row.errors, 2);
    assert_int_equal(row.timed, 4);
    assert_int_equal(row.total_ns, 28);
    assert_int_equal(diagnostic_count("clock"), 2);
}

TEST(row_that_two_threads_share_has_the_recursion_of_both)
{
    for (int i = 0; i < 2; i++) {
        struct worker worker;
        int twice = 2;
        uint64_t ns = 1;
        worker_begin(&worker);
        worker_do(&worker, start_times, &twice);
        hand_ticks += 10;
        worker_do(&worker, stop_times, &twice);
        worker_do(&worker, record_then_be_named, &ns);
        worker_end(&worker);
    }
    struct eprof_row row = thread_row("work", "worker");
    assert_int_equal(row.calls, 6);
    assert_int_equal(row.timed, 4);
    assert_int_equal(row.total_ns, 22);
}

/* Records of the ended thread for an instance that was released are no error. */
TEST(name_of_a_thread_that_knew_a_freed_instance_is_no_diagnostics)
{
    uint64_t ns = 4;
    on_a_thread(record_named, &ns);
    assert_return_code(eprof_release(instance), errno);
    instance = eprof_alloc("work");
    on_a_thread(record_then_be_named, &ns);
    assert_figures(thread_row("work", "worker"), 1, 4);
    assert_int_equal(diagnostic_count("bad_handles"), 0);
    assert_int_equal(diagnostic_count("lost"), 0);
}

TEST(what_ended_before_a_reset_is_not_in_the_shared_row)
{
    uint64_t before_ns = 4, after_ns = 50;
    on_a_thread(record_named, &before_ns);
    eprof_reset();
    on_a_thread(record_then_be_named, &after_ns);
    assert_figures(thread_row("work", "worker"), 1, 50);
}

TEST_EACH(begin_test, NULL)
