/* One row of a thread that ended and of one of its name that lives. */
#include "hand_clock.h"
#include "rows.h"
#include "threads.h"

static int instance;

static int begin_test(void **state)
{
    (void)state;
    hand_clock_use();
    eprof_init();
    instance = eprof_alloc("work");
    return 0;
}

static void start(void *times)
{
    for (int i = 0; i < *(const int *)times; i++)
        eprof_start(instance);
}

static void stop(void *times)
{
    for (int i = 0; i < *(const int *)times; i++)
        eprof_stop(instance);
}

static void record(void *ns)
{
    eprof_start(instance);
    hand_ticks += *(const uint64_t *)ns;
    eprof_stop(instance);
}

static void record_named(void *ns)
{
    eprof_thread_enter("worker");
    record(ns);
}

static void record_then_be_named(void *ns)
{
    record(ns);
    eprof_thread_enter("worker");
}

static void name_this_thread(void *name)
{
    eprof_thread_enter(name);
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

static void row_that_two_threads_share_has_the_statistics_of_both(void **state)
{
    (void)state;
    assert_statistics_of_both(1000, 3000);
    eprof_reset();
    assert_statistics_of_both(3000, 1000);
}

static void row_that_two_threads_share_has_the_open_pairs_of_both(void **state)
{
    struct worker worker;
    char name[] = "worker";
    uint64_t ns = 40;
    int once = 1, twice = 2;
    (void)state;
    worker_begin(&worker);
    worker_do(&worker, record_named, &ns);
    worker_do(&worker, start, &twice);
    worker_end(&worker);
    worker_begin(&worker);
    worker_do(&worker, start, &once);
    hand_ticks += 500;
    worker_do(&worker, name_this_thread, name);
    assert_int_equal(thread_row("work", "worker").open, 3);
    worker_do(&worker, stop, &once);
    struct eprof_row row = thread_row("work", "worker");
    assert_int_equal(row.open, 2);
    assert_int_equal(row.calls, 2);
    assert_int_equal(row.total_ns, 540);
    assert_int_equal(trouble("unbalanced"), 0);
    worker_end(&worker);
}

static void row_that_two_threads_share_has_the_errors_of_both(void **state)
{
    (void)state;
    hand_ticks += 1000;
    for (int i = 0; i < 2; i++) {
        struct worker worker;
        uint64_t ns = 7, back_ns = (uint64_t)-5;
        worker_begin(&worker);
        worker_do(&worker, record, &ns);
        worker_do(&worker, record, &back_ns);
        worker_do(&worker, record_then_be_named, &ns);
        worker_end(&worker);
    }
    struct eprof_row row = thread_row("work", "worker");
    assert_int_equal(row.calls, 6);
    assert_int_equal(row.errors, 2);
    assert_int_equal(row.timed, 4);
    assert_int_equal(row.total_ns, 28);
    assert_int_equal(trouble("clock"), 2);
}

static void row_that_two_threads_share_has_the_recursion_of_both(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct worker worker;
        int twice = 2;
        uint64_t ns = 1;
        worker_begin(&worker);
        worker_do(&worker, start, &twice);
        hand_ticks += 10;
        worker_do(&worker, stop, &twice);
        worker_do(&worker, record_then_be_named, &ns);
        worker_end(&worker);
    }
    struct eprof_row row = thread_row("work", "worker");
    assert_int_equal(row.calls, 6);
    assert_int_equal(row.timed, 4);
    assert_int_equal(row.total_ns, 22);
}

/* What the ended thread had recorded of an instance that is gone is nobody's error. */
static void name_of_a_thread_that_knew_a_freed_instance_is_no_trouble(void **state)
{
    uint64_t ns = 4;
    (void)state;
    on_a_thread(record_named, &ns);
    assert_return_code(eprof_release(instance), errno);
    instance = eprof_alloc("work");
    on_a_thread(record_then_be_named, &ns);
    assert_figures(thread_row("work", "worker"), 1, 4);
    assert_int_equal(trouble("bad_handles"), 0);
    assert_int_equal(trouble("lost"), 0);
}

static void what_ended_before_a_reset_is_not_in_the_shared_row(void **state)
{
    uint64_t before_ns = 4, after_ns = 50;
    (void)state;
    on_a_thread(record_named, &before_ns);
    eprof_reset();
    on_a_thread(record_then_be_named, &after_ns);
    assert_figures(thread_row("work", "worker"), 1, 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(row_that_two_threads_share_has_the_statistics_of_both, begin_test),
        cmocka_unit_test_setup(row_that_two_threads_share_has_the_open_pairs_of_both, begin_test),
        cmocka_unit_test_setup(row_that_two_threads_share_has_the_errors_of_both, begin_test),
        cmocka_unit_test_setup(row_that_two_threads_share_has_the_recursion_of_both, begin_test),
        cmocka_unit_test_setup(name_of_a_thread_that_knew_a_freed_instance_is_no_trouble,
                               begin_test),
        cmocka_unit_test_setup(what_ended_before_a_reset_is_not_in_the_shared_row, begin_test),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
