/* A child of fork() has the same instances, and nothing recorded yet. */
#include "child.h"
#include "fork_ways.h"
#include "hand_clock.h"
#include "refused_call.h"
#include "report_line.h"
#include "rows.h"

#include <signal.h>
#include <stdio.h>

static int instance;

static void record(uint64_t ticks)
{
    eprof_start(instance);
    hand_ticks += ticks;
    eprof_stop(instance);
}

/* A stop without a start is accepted until the first pair after recording was switched. Some of the
 * tests switch it, so one pair is recorded here. */
static int begin_test(void **state)
{
    (void)state;
    hand_clock_use();
    eprof_init();
    instance = eprof_alloc("work");
    record(1);
    eprof_reset();
    return 0;
}

/* The part of its own profile that a process sees. */
struct sight {
    size_t rows, diagnostic_rows, thread_rows;
    struct eprof_row work;
    char thread[32]; /* the thread of the row; if there are several, one of them */
};

static void look_around(struct sight *sight)
{
    struct eprof_row row;
    eprof_snapshot *snapshot = eprof_snapshot_take();
    sight->rows = find_rows(snapshot, NULL, NULL, NULL, &row);
    sight->diagnostic_rows = find_rows(snapshot, "diagnostic", NULL, NULL, &row);
    find_rows(snapshot, "instance", "work", NULL, &sight->work);
    eprof_snapshot_free(snapshot);
    snapshot = eprof_snapshot_take_threads();
    sight->thread_rows = find_rows(snapshot, "instance", "work", NULL, &row);
    snprintf(sight->thread, sizeof sight->thread, "%s", row.thread ? row.thread : "");
    eprof_snapshot_free(snapshot);
}

static struct sight in_child(child_fork fork_by, void (*act)(void *sight))
{
    struct sight sight = {.rows = 0};
    child_do(fork_by, act, &sight, sizeof sight);
    return sight;
}

/* ---------------------------------------------------------- what is there -- */

static void only_look(void *sight)
{
    look_around(sight);
}

static void record_seven(void *sight)
{
    record(7);
    look_around(sight);
}

TEST(child_begins_with_nothing_recorded)
{
    record(100);
    eprof_stop(instance); /* diagnostics are the parent's own, too */
    eprof_start(-1);
    for (int i = 0; i < FORK_WAYS; i++)
        assert_int_equal(in_child(fork_ways[i], only_look).rows, 0);
    assert_int_equal(instance_row("work").total_ns, 100);
    assert_int_equal(diagnostic_count("unbalanced"), 1);
    assert_int_equal(diagnostic_count("bad_handles"), 1);
}

TEST(child_records_on_the_same_handles)
{
    record(100);
    for (int i = 0; i < FORK_WAYS; i++) {
        struct sight sight = in_child(fork_ways[i], record_seven);
        assert_figures(sight.work, 1, 7);
        assert_int_equal(sight.rows, 1);
        assert_string_equal(sight.thread, "main");
    }
    assert_figures(instance_row("work"), 1, 100);
}

static void change_instances(void *seen)
{
    struct sight *sight = seen;
    int added = eprof_alloc("added");
    eprof_free("work");
    sight->thread_rows = added >= 0 && eprof_release(instance) == -1;
    eprof_start(added);
    hand_ticks += 3;
    eprof_stop(added);
    take_rows(eprof_snapshot_take, "instance", "added", "*", &sight->work);
}

TEST(instances_of_parent_and_child_are_each_ones_own)
{
    record(100);
    for (int i = 0; i < FORK_WAYS; i++) {
        struct sight sight = in_child(fork_ways[i], change_instances);
        assert_int_equal(sight.thread_rows, 1);
        assert_figures(sight.work, 1, 3);
    }
    record(1);
    assert_figures(instance_row("work"), 2, 101);
    assert_int_equal(count_rows(NULL), 1);
}

/* ------------------------------------------------- open across the fork -- */

static void stop_what_the_parent_began(void *seen)
{
    struct sight *sight = seen;
    hand_ticks += 5;
    eprof_stop(instance);
    eprof_stop(instance);
    look_around(sight);
}

TEST(pair_open_across_the_fork_is_nothing_in_the_child)
{
    eprof_start(instance);
    eprof_start(instance);
    for (int i = 0; i < FORK_WAYS; i++)
        assert_int_equal(in_child(fork_ways[i], stop_what_the_parent_began).rows, 0);
    hand_ticks += 30;
    eprof_stop(instance);
    eprof_stop(instance);
    assert_int_equal(instance_row("work").calls, 2);
    assert_int_equal(instance_row("work").total_ns, 30);
    assert_int_equal(count_rows("diagnostic"), 0);
}

static void stop_once_more_than_the_parent_began(void *sight)
{
    eprof_stop(instance);
    eprof_stop(instance);
    look_around(sight);
}

TEST(stop_beyond_what_the_parent_began_is_unbalanced)
{
    eprof_start(instance);
    for (int i = 0; i < FORK_WAYS; i++)
        assert_int_equal(
            in_child(fork_ways[i], stop_once_more_than_the_parent_began).diagnostic_rows, 1);
    eprof_stop(instance);
    assert_int_equal(count_rows("diagnostic"), 0);
}

static void record_inside_what_the_parent_began(void *sight)
{
    record(7);
    eprof_stop(instance);
    look_around(sight);
}

TEST(pair_of_the_child_inside_one_of_the_parent_is_outermost)
{
    eprof_start(instance);
    for (int i = 0; i < FORK_WAYS; i++) {
        struct sight sight = in_child(fork_ways[i], record_inside_what_the_parent_began);
        assert_figures(sight.work, 1, 7);
        assert_int_equal(sight.diagnostic_rows, 0);
    }
    eprof_stop(instance);
}

static uint64_t began;

static void record_span_of_the_parent(void *sight)
{
    hand_ticks += 5;
    eprof_record(instance, began, eprof_now());
    look_around(sight);
}

TEST(span_that_began_before_the_fork_is_nothing_in_the_child)
{
    began = eprof_now();
    hand_ticks += 10;
    for (int i = 0; i < FORK_WAYS; i++)
        assert_int_equal(in_child(fork_ways[i], record_span_of_the_parent).rows, 0);
    eprof_record(instance, began, eprof_now());
    assert_figures(instance_row("work"), 1, 10);
}

static void record_span(void *sight)
{
    uint64_t start = eprof_now();
    hand_ticks += 5;
    eprof_record(instance, start, eprof_now());
    look_around(sight);
}

TEST(span_that_begins_in_the_child_counts)
{
    for (int i = 0; i < FORK_WAYS; i++)
        assert_figures(in_child(fork_ways[i], record_span).work, 1, 5);
}

/* --------------------------------------------------------- a child's child -- */

static void let_a_child_do(void *seen, void (*act)(void *sight))
{
    int ends[2];
    if (pipe(ends) != 0)
        return;
    pid_t child = fork();
    if (child == 0) {
        alarm(CHILD_SECONDS);
        act(seen);
        _exit(write(ends[1], seen, sizeof(struct sight)) < 0);
    }
    close(ends[1]);
    if (read(ends[0], seen, sizeof(struct sight)) < 0)
        memset(seen, 0, sizeof(struct sight));
    close(ends[0]);
    waitpid(child, NULL, 0);
}

static void record_and_let_a_child_record(void *seen)
{
    record(100);
    let_a_child_do(seen, record_seven);
}

TEST(childs_child_begins_with_nothing_recorded)
{
    record(1000);
    for (int i = 0; i < FORK_WAYS; i++) {
        struct sight sight = in_child(fork_ways[i], record_and_let_a_child_record);
        assert_figures(sight.work, 1, 7);
        assert_int_equal(sight.rows, 1);
    }
    assert_figures(instance_row("work"), 1, 1000);
}

/* The process in the middle creates an instance, and so makes its copy of the image its own, but
 * records nothing. */
static void alloc_and_let_a_child_stop(void *seen)
{
    eprof_alloc("between");
    let_a_child_do(seen, stop_what_the_parent_began);
}

static void alloc_and_let_a_child_record(void *seen)
{
    eprof_alloc("between");
    let_a_child_do(seen, record_seven);
}

TEST(name_goes_on_in_a_childs_child)
{
    eprof_thread_enter("captain");
    record(1);
    for (int i = 0; i < FORK_WAYS; i++) {
        assert_string_equal(in_child(fork_ways[i], record_seven).thread, "captain");
        assert_string_equal(in_child(fork_ways[i], record_and_let_a_child_record).thread,
                            "captain");
        assert_string_equal(in_child(fork_ways[i], alloc_and_let_a_child_record).thread, "captain");
    }
    eprof_thread_enter(NULL);
}

TEST(pair_open_across_two_forks_is_nothing_in_the_childs_child)
{
    eprof_start(instance);
    eprof_start(instance);
    for (int i = 0; i < FORK_WAYS; i++)
        assert_int_equal(in_child(fork_ways[i], alloc_and_let_a_child_stop).rows, 0);
    eprof_stop(instance);
    eprof_stop(instance);
}

/* --------------------------------------------------------- how many there were -- */

static void look_for_children(void *seen)
{
    int *is_reported = seen;
    record(7);
    *is_reported = strcmp(report_line("table", " forked"), "no line") != 0;
}

/* Only children of a fork() that tells the library are counted. */
TEST(report_says_how_many_children_were_forked)
{
    int before = 0, is_reported = 0;
    record(1);
    sscanf(report_line("table", " forked"), "%d child", &before);
    for (int i = 0; i < 3; i++)
        child_do(fork, look_for_children, &is_reported, sizeof is_reported);
    assert_int_equal(is_reported, 0);
    char expected[200];
    snprintf(expected, sizeof expected,
             "%d child processes were forked and are not in this report; image=PATH in EPROF gives "
             "each that records a profile",
             before + 3);
    assert_string_equal(report_line("table", " forked"), expected);
    eprof_reset(); /* they are still counted as forked */
    assert_string_equal(report_line("tree", " forked"), expected);
}

#if CALLS_CAN_BE_REFUSED
struct failed_forks {
    int error; /* the error that each fork() fails with */
    int refused;
    pid_t result;
    int error_seen;
    int children; /* as the report counts the children */
};

/* After one fork() that succeeds. */
static void fail_to_fork(void *seen)
{
    struct failed_forks *forks = seen;
    record(7);
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    waitpid(child, NULL, 0);
    forks->refused = refuse_call(SYS_clone, (unsigned)forks->error);
    for (int i = 0; i < 3; i++) {
        errno = 0;
        forks->result = fork();
        forks->error_seen = errno;
    }
    record(7);
    sscanf(report_line("table", " forked"), "%d child", &forks->children);
}

TEST(fork_that_fails_is_not_counted)
{
    static const int errors[] = {EAGAIN, ENOMEM, ENOSYS, EPERM};
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
        struct failed_forks forks = {.error = errors[i]};
        child_do(fork, fail_to_fork, &forks, sizeof forks);
        assert_int_equal(forks.refused, 0);
        assert_int_equal(forks.result, -1);
        assert_int_equal(forks.error_seen, errors[i]);
        if (forks.children != 1)
            fail_msg("%s: %d children", strerror(errors[i]), forks.children);
    }
}
#endif

TEST(source_and_switch_are_the_parents)
{
    eprof_enable(false);
    for (int i = 0; i < FORK_WAYS; i++)
        assert_int_equal(in_child(fork_ways[i], record_seven).rows, 0);
    eprof_enable(true);
    assert_figures(in_child(fork, record_seven).work, 1, 7);
}

static void stop_while_off(void *sight)
{
    eprof_stop(instance);
    eprof_enable(true);
    record(7);
    look_around(sight);
}

TEST(pair_open_while_recording_is_switched_off_is_nothing_in_the_child)
{
    eprof_start(instance);
    eprof_enable(false);
    for (int i = 0; i < FORK_WAYS; i++) {
        struct sight sight = in_child(fork_ways[i], stop_while_off);
        assert_figures(sight.work, 1, 7);
        assert_int_equal(sight.diagnostic_rows, 0);
    }
    hand_ticks += 4;
    eprof_stop(instance);
    eprof_enable(true);
    assert_figures(instance_row("work"), 1, 4);
}

/* ------------------------------------------------- the thread's own switch -- */

TEST(thread_that_switched_itself_off_is_off_in_the_child)
{
    eprof_thread_enable(false);
    struct sight sight = in_child(fork, record_seven);
    eprof_thread_enable(true);
    assert_int_equal(sight.rows, 0);
}

TEST(thread_that_once_switched_itself_is_pardoned_no_stop_in_the_child)
{
    eprof_thread_enable(false);
    eprof_thread_enable(true);
    record(1);
    eprof_start(instance);
    for (int i = 0; i < FORK_WAYS; i++)
        assert_int_equal(
            in_child(fork_ways[i], stop_once_more_than_the_parent_began).diagnostic_rows, 1);
    eprof_stop(instance);
    assert_int_equal(count_rows("diagnostic"), 0);
}

TEST_EACH(begin_test, NULL)
