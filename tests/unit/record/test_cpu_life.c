/*
 * Processor time and waiting of calls over resets, holds, threads that end, and forks
 */
#include "child.h"
#include "hand_cpu.h"
#include "threads.h"

/* ---- resets, holds, threads, children ---- */

TEST_BETWEEN(cpu_begins_anew_at_a_reset, hand_cpu_begin, NULL)
{
    int id = eprof_alloc("instance");
    work("scope", 10, 20);
    work_between(id, 10, 20);
    eprof_reset();
    work("scope", 1, 2);
    work_between(id, 3, 4);
    assert_cpu("scope", 1, 2);
    assert_cpu("instance", 3, 4);
}

TEST_BETWEEN(cpu_of_a_hold_counts_if_it_is_kept, hand_cpu_begin, NULL)
{
    int id = eprof_alloc("instance");
    work("scope", 10, 20);
    work_between(id, 10, 20);
    for (int keep = 0; keep < 2; keep++) {
        eprof_hold();
        work("scope", 1, 2);
        work_between(id, 3, 4);
        eprof_keep(keep);
    }
    assert_cpu("scope", 11, 22);
    assert_cpu("instance", 13, 24);
}

TEST_BETWEEN(cpu_of_holds_in_holds, hand_cpu_begin, NULL)
{
    eprof_hold();
    work("scope", 1, 2);
    eprof_hold();
    work("scope", 3, 4);
    eprof_keep(true);
    eprof_hold();
    work("scope", 30, 40);
    eprof_keep(false);
    eprof_keep(true);
    assert_cpu("scope", 4, 6);
}

TEST_BETWEEN(cpu_of_a_scope_that_outlasts_its_hold, hand_cpu_begin, NULL)
{
    int id = eprof_alloc("instance");
    eprof_hold();
    eprof_enter("scope");
    eprof_start(id);
    compute(1);
    pass(2);
    eprof_keep(true);
    compute(3);
    pass(4);
    eprof_stop(id);
    eprof_leave();
    assert_cpu("scope", 4, 6);
    assert_cpu("instance", 4, 6);
}

static void slow(uint64_t cpu_ns, uint64_t wait_ns)
{
    EPROF_SLOW("slow", 100);
    work("inside", cpu_ns, wait_ns);
}

TEST_BETWEEN(cpu_of_slow_calls, hand_cpu_begin, NULL)
{
    slow(10, 20);
    slow(50, 70);
    assert_cpu("slow", 50, 70);
    assert_cpu("inside", 50, 70);
}

static void work_on_a_thread(void *id)
{
    cpu_ticks = 1000;
    eprof_thread_enter("worker");
    work("scope", 1, 2);
    work_between(*(int *)id, 3, 4);
}

TEST_BETWEEN(cpu_of_threads_that_end_one_after_another, hand_cpu_begin, NULL)
{
    int id = eprof_alloc("instance");
    for (int i = 0; i < 5; i++)
        on_a_thread(work_on_a_thread, &id);
    assert_cpu("scope", 5, 10);
    assert_cpu("instance", 15, 20);
}

static pthread_barrier_t is_open, was_seen;

static void *stay_in_a_scope(void *unused)
{
    cpu_ticks = 1000;
    work("ended", 1, 2);
    eprof_enter("open");
    compute(3);
    pass(4);
    pthread_barrier_wait(&is_open);
    pthread_barrier_wait(&was_seen);
    eprof_leave();
    return unused;
}

/* A thread cannot read the processor time of another one: all time so far would be waiting. */
TEST_BETWEEN(cpu_of_a_scope_that_is_open_on_another_thread_is_unknown, hand_cpu_begin, NULL)
{
    pthread_t thread;
    pthread_barrier_init(&is_open, NULL, 2);
    pthread_barrier_init(&was_seen, NULL, 2);
    assert_int_equal(pthread_create(&thread, NULL, stay_in_a_scope, NULL), 0);
    pthread_barrier_wait(&is_open);
    assert_int_equal(row_of("open").total_ns, 7);
    assert_unknown("open");
    assert_cpu("ended", 1, 2);
    pthread_barrier_wait(&was_seen);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_cpu("open", 3, 4);
}

static void rename_and_work(void *id)
{
    work("scope", 10, 20);
    work_between(*(int *)id, 10, 20);
    eprof_thread_enter("worker"); /* joins the record of the ended one */
    work("scope", 1, 2);
}

TEST_BETWEEN(cpu_of_records_that_join, hand_cpu_begin, NULL)
{
    int id = eprof_alloc("instance");
    on_a_thread(work_on_a_thread, &id);
    on_a_thread(rename_and_work, &id);
    assert_cpu("scope", 12, 24);
    assert_cpu("instance", 13, 24);
}

TEST_BETWEEN(cpu_of_a_call_from_before_a_reset_does_not_count, hand_cpu_begin, NULL)
{
    eprof_enter("discarded");
    compute(3);
    eprof_reset();
    work("inside", 2, 3);
    eprof_leave();
    assert_cpu("inside", 2, 3);
}

static void work_in_a_child(void *seen)
{
    struct eprof_row row = {.calls = 0};
    cpu_ticks = 0; /* a child's processor time begins at 0 */
    work("scope", 1, 2);
    take_rows(eprof_snapshot_take, NULL, "scope", "*", &row);
    *(uint64_t *)seen = row.cpu_ns;
}

TEST_BETWEEN(cpu_of_a_forked_child_is_its_own, hand_cpu_begin, NULL)
{
    uint64_t seen = 0;
    cpu_ticks = 1000;
    work("scope", 10, 20);
    eprof_enter("scope");
    child_do(fork, work_in_a_child, &seen, sizeof seen);
    eprof_leave();
    assert_int_equal(seen, 1);
    assert_cpu("scope", 10, 20);
}
