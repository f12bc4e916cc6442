/*
 * Pairs of start and stop: which calls count, to which row their time is added, and which are
 * rejected.
 */
#include "calls.h"
#include "figures.h"
#include "threads.h"

/* ------------------------------------------------------- what is counted -- */

TEST(pairs_count_and_their_time_adds_up)
{
    int id = eprof_alloc("a");
    pair_of(id, 30);
    hand_ticks += 1000; /* between the pairs */
    pair_of(id, 50);
    assert_row("a", "calls 2, timed 2, errors 0, open 0, total 80");
    assert_diagnostics("");
}

TEST(pair_of_no_time_counts)
{
    int id = eprof_alloc("a");
    pair_of(id, 0);
    pair_of(id, 0);
    assert_row("a", "calls 2, timed 2, errors 0, open 0, total 0");
}

TEST(pairs_of_two_instances_may_overlap)
{
    int a = eprof_alloc("a"), b = eprof_alloc("b");
    eprof_start(a);
    hand_ticks += 1;
    eprof_start(b);
    hand_ticks += 10;
    eprof_stop(a);
    hand_ticks += 100;
    eprof_stop(b);
    assert_row("a", "calls 1, timed 1, errors 0, open 0, total 11");
    assert_row("b", "calls 1, timed 1, errors 0, open 0, total 110");
}

TEST(instance_for_a_label_is_its_lowest_one)
{
    int first = eprof_instance_for("a"), second = eprof_alloc("a");
    assert_int_equal(eprof_instance_for("a"), first);
    assert_int_not_equal(second, first);
    assert_int_equal(eprof_release(first), 0);
    assert_int_equal(eprof_instance_for("a"), second);
    assert_int_equal(eprof_release(second), 0);
    pair_of(eprof_instance_for("a"), 10);
    assert_row("a", "calls 1, timed 1, errors 0, open 0, total 10");
    errno = 0;
    assert_int_equal(eprof_instance_for(NULL), -1);
    assert_int_equal(errno, EINVAL);
    assert_diagnostics("");
}

TEST(instance_without_calls_is_not_shown)
{
    eprof_alloc("a");
    assert_row("a", "no row");
}

TEST(open_pair_is_shown_as_open)
{
    int id = eprof_alloc("a");
    eprof_start(id);
    hand_ticks += 5;
    assert_row("a", "calls 0, timed 0, errors 0, open 1, total 0");
    eprof_start(id);
    assert_row("a", "calls 0, timed 0, errors 0, open 2, total 0");
    eprof_stop(id);
    eprof_stop(id);
    assert_row("a", "calls 2, timed 1, errors 0, open 0, total 5");
}

/* ------------------------------------------------------------- recursion -- */

TEST(start_twice_needs_two_stops_and_times_the_outermost)
{
    int id = eprof_alloc("a");
    eprof_start(id);
    hand_ticks += 1;
    eprof_start(id);
    hand_ticks += 10;
    eprof_stop(id);
    hand_ticks += 100;
    assert_row("a", "calls 1, timed 0, errors 0, open 1, total 0");
    eprof_stop(id);
    assert_row("a", "calls 2, timed 1, errors 0, open 0, total 111");
    assert_diagnostics("");

    struct eprof_row row = instance_row("a");
    assert_int_equal(row.outermost, 1);
    assert_int_equal(row.mean_ns, 111); /* total / timed, not / calls */
    assert_int_equal(row.min_ns, 111);
    assert_int_equal(row.p50_ns, 111);
    assert_int_equal(row.max_ns, 111);
}

TEST(recursion_counts_each_call_and_time_once)
{
    enum { DEPTH = 1000 };
    int id = eprof_alloc("a");
    for (int i = 0; i < DEPTH; i++) {
        eprof_start(id);
        hand_ticks += 2;
    }
    for (int i = 0; i < DEPTH; i++)
        eprof_stop(id);
    pair_of(id, 7);
    assert_row("a", "calls 1001, timed 2, errors 0, open 0, total 2007");
}

TEST(recursion_is_of_one_thread)
{
    struct worker worker;
    int id = eprof_alloc("a");
    worker_begin(&worker);
    eprof_start(id);
    hand_ticks += 1;
    worker_do(&worker, start, &id);
    hand_ticks += 10;
    eprof_stop(id);
    hand_ticks += 100;
    worker_do(&worker, stop, &id);
    worker_end(&worker);
    assert_row("a", "calls 2, timed 2, errors 0, open 0, total 121");
}

/* ------------------------------------------------------------ unbalanced -- */

TEST(stop_without_start_is_counted_and_changes_nothing)
{
    int id = eprof_alloc("a");
    eprof_stop(id);
    assert_row("a", "no row");
    assert_diagnostics("unbalanced 1");
    pair_of(id, 3);
    eprof_stop(id);
    assert_row("a", "calls 1, timed 1, errors 0, open 0, total 3");
    assert_diagnostics("unbalanced 2");
}

TEST(stop_on_another_thread_is_unbalanced_and_leaves_the_pair_open)
{
    struct worker worker;
    int id = eprof_alloc("a");
    worker_begin(&worker);
    eprof_start(id);
    hand_ticks += 1;
    worker_do(&worker, stop, &id);
    assert_row("a", "calls 0, timed 0, errors 0, open 1, total 0");
    assert_diagnostics("unbalanced 1");
    hand_ticks += 10;
    eprof_stop(id);
    worker_end(&worker);
    assert_row("a", "calls 1, timed 1, errors 0, open 0, total 11");
    assert_diagnostics("unbalanced 1");
}

/* -------------------------------------------------- rejected differences -- */

static void assert_no_time(struct eprof_row row)
{
    assert_int_equal(row.timed, 0);
    assert_int_equal(row.total_ns, 0);
    assert_int_equal(row.self_ns, 0);
    assert_int_equal(row.mean_ns, 0);
    assert_int_equal(row.stddev_ns, 0);
    assert_int_equal(row.min_ns, 0);
    assert_int_equal(row.p50_ns, 0);
    assert_int_equal(row.p90_ns, 0);
    assert_int_equal(row.p99_ns, 0);
    assert_int_equal(row.p999_ns, 0);
    assert_int_equal(row.max_ns, 0);
}

TEST(pair_whose_clock_went_back_counts_in_calls_and_errors_only)
{
    int id = eprof_alloc("a");
    hand_ticks += 1000;
    pair_of(id, (uint64_t)-1);
    assert_row("a", "calls 1, timed 0, errors 1, open 0, total 0");
    assert_no_time(instance_row("a"));
    assert_diagnostics("clock 1");
}

TEST(rejected_pair_leaves_the_others_as_they_are)
{
    int id = eprof_alloc("a");
    pair_of(id, 2000);
    pair_of(id, (uint64_t)-500);
    pair_of(id, 4000);
    assert_row("a", "calls 3, timed 2, errors 1, open 0, total 6000");
    struct eprof_row row = instance_row("a");
    assert_int_equal(row.mean_ns, 3000);
    assert_int_equal(row.stddev_ns, 1000);
    assert_int_equal(row.min_ns, 2000);
    assert_int_equal(row.max_ns, 4000);
}

TEST(calls_inside_a_rejected_pair_count_all_the_same)
{
    int id = eprof_alloc("a");
    hand_ticks += 1000;
    eprof_start(id);
    pair_of(id, 10);
    hand_ticks -= 500;
    eprof_stop(id);
    assert_row("a", "calls 2, timed 0, errors 1, open 0, total 0");
}

TEST(clock_may_go_back_and_forth_inside_a_pair)
{
    int id = eprof_alloc("a");
    hand_ticks += 1000;
    eprof_start(id);
    pair_of(id, (uint64_t)-500); /* nested: its time is not used */
    hand_ticks += 520;
    eprof_stop(id);
    assert_row("a", "calls 2, timed 1, errors 0, open 0, total 20");
    assert_diagnostics("");
}

TEST(diagnostic_clock_is_the_sum_over_all_instances)
{
    int a = eprof_alloc("a"), b = eprof_alloc("b");
    hand_ticks += 1000;
    pair_of(a, (uint64_t)-1);
    pair_of(b, (uint64_t)-1);
    pair_of(b, (uint64_t)-1);
    assert_diagnostics("clock 3");
}

/* Adds this to the clock for one read, as the counter of another processor may do. */
static uint64_t jump_ticks;

static uint64_t jumping_now(void *unused)
{
    uint64_t now = hand_clock_now(unused) + jump_ticks;
    jump_ticks = 0;
    return now;
}

static void use_source(const struct eprof_source *source)
{
    if (eprof_source_add(source) != 0)
        assert_int_equal(errno, EEXIST);
    assert_int_equal(eprof_source_use(source->name), 0);
}

TEST(pair_longer_than_the_process_has_run_is_rejected)
{
    const struct eprof_source jumping = {
        .size = sizeof jumping,
        .name = "jumping",
        .now = jumping_now,
        .ticks_per_second = 1000000000,
    };
    use_source(&jumping);
    int id = eprof_alloc("a");
    hand_ticks += 1000;
    pair_of(id, 10);
    eprof_start(id);
    hand_ticks += 10;
    jump_ticks = UINT64_C(1000000000000000);
    eprof_stop(id);
    pair_of(id, 20);
    assert_row("a", "calls 3, timed 2, errors 1, open 0, total 30");
}

TEST(source_of_32_bits_goes_on_over_its_wrap)
{
    const struct eprof_source narrow = {
        .size = sizeof narrow,
        .name = "narrow",
        .now = hand_clock_now,
        .ticks_per_second = 1000000000,
        .bits = 32,
    };
    uint64_t before = hand_ticks;
    hand_ticks = UINT32_MAX - 9;
    use_source(&narrow);
    int id = eprof_alloc("a");
    eprof_start(id);
    hand_ticks = 20; /* the next one after UINT32_MAX is 0 */
    eprof_stop(id);
    assert_row("a", "calls 1, timed 1, errors 0, open 0, total 30");
    pair_of(id, (uint64_t)-1);
    assert_row("a", "calls 2, timed 1, errors 1, open 0, total 30");
    hand_ticks = before;
}

/* ----------------------------------------------------------------- errno -- */

static void hot_calls(void *handle)
{
    int id = *(int *)handle;
    eprof_start(id);
    eprof_start(id);
    eprof_stop(id);
    eprof_stop(id);
    eprof_stop(id);
    uint64_t now = eprof_now();
    eprof_record(id, now, now);
    eprof_record(id, now, now - 1);
}

struct errno_check {
    int id;
    int errno_after;
};

static void check_errno(void *argument)
{
    struct errno_check *check = argument;
    errno = ENOTTY;
    hot_calls(&check->id);
    check->errno_after = errno;
}

/* The first check runs on a new thread, so it includes the set-up of the thread. */
static void assert_errno_is_kept(int id)
{
    struct errno_check check = {id, 0};
    on_a_thread(check_errno, &check);
    assert_int_equal(check.errno_after, ENOTTY);
    check_errno(&check);
    assert_int_equal(check.errno_after, ENOTTY);
}

TEST(hot_calls_keep_errno)
{
    int id = eprof_alloc("a"), freed = eprof_alloc("b");
    eprof_free("b");
    assert_errno_is_kept(id);
    assert_errno_is_kept(freed);
    assert_errno_is_kept(-1);
    assert_errno_is_kept(1 << 19); /* a slot so high was never used */
    eprof_enable(false);
    assert_errno_is_kept(id);
}

TEST_EACH(hand_clock_begin, NULL)
