/* A child of fork() has the same instances, and nothing recorded yet. */
#include "child.h"
#include "fork_ways.h"
#include "hand_clock.h"
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

/* A stop is pardoned until the first pair after recording was switched, which some of the
 * tests do: so there is one. */
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

/* What a process sees of its own profile. */
struct sight {
    size_t rows, trouble_rows, thread_rows;
    struct eprof_row work;
    char thread[32]; /* whose row it is; of several, one's */
};

static void look_around(struct sight *sight)
{
    struct eprof_row row;
    eprof_snapshot *snapshot = eprof_snapshot_take();
    sight->rows = find_rows(snapshot, NULL, NULL, NULL, &row);
    sight->trouble_rows = find_rows(snapshot, "trouble", NULL, NULL, &row);
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

static void child_begins_with_nothing_recorded(void **state)
{
    (void)state;
    record(100);
    eprof_stop(instance); /* trouble is the parent's own, too */
    eprof_start(-1);
    for (int i = 0; i < FORK_WAYS; i++)
        assert_int_equal(in_child(fork_ways[i], only_look).rows, 0);
    assert_int_equal(instance_row("work").total_ns, 100);
    assert_int_equal(trouble("unbalanced"), 1);
    assert_int_equal(trouble("bad_handles"), 1);
}

static void child_records_on_the_same_handles(void **state)
{
    (void)state;
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

static void instances_of_parent_and_child_are_each_ones_own(void **state)
{
    (void)state;
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

static void source_and_switch_are_the_parents(void **state)
{
    (void)state;
    eprof_enable(false);
    for (int i = 0; i < FORK_WAYS; i++)
        assert_int_equal(in_child(fork_ways[i], record_seven).rows, 0);
    eprof_enable(true);
    assert_figures(in_child(fork, record_seven).work, 1, 7);
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

static void pair_open_across_the_fork_is_nothing_in_the_child(void **state)
{
    (void)state;
    eprof_start(instance);
    eprof_start(instance);
    for (int i = 0; i < FORK_WAYS; i++)
        assert_int_equal(in_child(fork_ways[i], stop_what_the_parent_began).rows, 0);
    hand_ticks += 30;
    eprof_stop(instance);
    eprof_stop(instance);
    assert_int_equal(instance_row("work").calls, 2);
    assert_int_equal(instance_row("work").total_ns, 30);
    assert_int_equal(count_rows("trouble"), 0);
}

static void stop_once_more_than_the_parent_began(void *sight)
{
    eprof_stop(instance);
    eprof_stop(instance);
    look_around(sight);
}

static void stop_beyond_what_the_parent_began_is_unbalanced(void **state)
{
    (void)state;
    eprof_start(instance);
    for (int i = 0; i < FORK_WAYS; i++)
        assert_int_equal(in_child(fork_ways[i], stop_once_more_than_the_parent_began).trouble_rows,
                         1);
    eprof_stop(instance);
    assert_int_equal(count_rows("trouble"), 0);
}

static void record_inside_what_the_parent_began(void *sight)
{
    record(7);
    eprof_stop(instance);
    look_around(sight);
}

static void pair_of_the_child_inside_one_of_the_parent_is_outermost(void **state)
{
    (void)state;
    eprof_start(instance);
    for (int i = 0; i < FORK_WAYS; i++) {
        struct sight sight = in_child(fork_ways[i], record_inside_what_the_parent_began);
        assert_figures(sight.work, 1, 7);
        assert_int_equal(sight.trouble_rows, 0);
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

static void span_that_began_before_the_fork_is_nothing_in_the_child(void **state)
{
    (void)state;
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

static void span_that_begins_in_the_child_counts(void **state)
{
    (void)state;
    for (int i = 0; i < FORK_WAYS; i++)
        assert_figures(in_child(fork_ways[i], record_span).work, 1, 5);
}

static void stop_while_off(void *sight)
{
    eprof_stop(instance);
    eprof_enable(true);
    record(7);
    look_around(sight);
}

static void pair_open_while_recording_is_switched_off_is_nothing_in_the_child(void **state)
{
    (void)state;
    eprof_start(instance);
    eprof_enable(false);
    for (int i = 0; i < FORK_WAYS; i++) {
        struct sight sight = in_child(fork_ways[i], stop_while_off);
        assert_figures(sight.work, 1, 7);
        assert_int_equal(sight.trouble_rows, 0);
    }
    hand_ticks += 4;
    eprof_stop(instance);
    eprof_enable(true);
    assert_figures(instance_row("work"), 1, 4);
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

static void childs_child_begins_with_nothing_recorded(void **state)
{
    (void)state;
    record(1000);
    for (int i = 0; i < FORK_WAYS; i++) {
        struct sight sight = in_child(fork_ways[i], record_and_let_a_child_record);
        assert_figures(sight.work, 1, 7);
        assert_int_equal(sight.rows, 1);
    }
    assert_figures(instance_row("work"), 1, 1000);
}

/* The child between makes an instance, and so makes its copy of the image its own,
 * but records nothing. */
static void alloc_and_let_a_child_stop(void *seen)
{
    eprof_alloc("between");
    let_a_child_do(seen, stop_what_the_parent_began);
}

static void pair_open_across_two_forks_is_nothing_in_the_childs_child(void **state)
{
    (void)state;
    eprof_start(instance);
    eprof_start(instance);
    for (int i = 0; i < FORK_WAYS; i++)
        assert_int_equal(in_child(fork_ways[i], alloc_and_let_a_child_stop).rows, 0);
    eprof_stop(instance);
    eprof_stop(instance);
}

static void alloc_and_let_a_child_record(void *seen)
{
    eprof_alloc("between");
    let_a_child_do(seen, record_seven);
}

static void name_goes_on_in_a_childs_child(void **state)
{
    (void)state;
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

/* ------------------------------------------------- the thread's own switch -- */

static void thread_that_switched_itself_off_is_off_in_the_child(void **state)
{
    (void)state;
    eprof_thread_enable(false);
    struct sight sight = in_child(fork, record_seven);
    eprof_thread_enable(true);
    assert_int_equal(sight.rows, 0);
}

static void thread_that_once_switched_itself_is_pardoned_no_stop_in_the_child(void **state)
{
    (void)state;
    eprof_thread_enable(false);
    eprof_thread_enable(true);
    record(1);
    eprof_start(instance);
    for (int i = 0; i < FORK_WAYS; i++)
        assert_int_equal(in_child(fork_ways[i], stop_once_more_than_the_parent_began).trouble_rows,
                         1);
    eprof_stop(instance);
    assert_int_equal(count_rows("trouble"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(child_begins_with_nothing_recorded, begin_test),
        cmocka_unit_test_setup(child_records_on_the_same_handles, begin_test),
        cmocka_unit_test_setup(instances_of_parent_and_child_are_each_ones_own, begin_test),
        cmocka_unit_test_setup(pair_open_across_the_fork_is_nothing_in_the_child, begin_test),
        cmocka_unit_test_setup(stop_beyond_what_the_parent_began_is_unbalanced, begin_test),
        cmocka_unit_test_setup(pair_of_the_child_inside_one_of_the_parent_is_outermost, begin_test),
        cmocka_unit_test_setup(span_that_began_before_the_fork_is_nothing_in_the_child, begin_test),
        cmocka_unit_test_setup(span_that_begins_in_the_child_counts, begin_test),
        cmocka_unit_test_setup(pair_open_across_two_forks_is_nothing_in_the_childs_child,
                               begin_test),
        cmocka_unit_test_setup(childs_child_begins_with_nothing_recorded, begin_test),
        cmocka_unit_test_setup(name_goes_on_in_a_childs_child, begin_test),
        /* from here on recording, and then the thread, has been switched */
        cmocka_unit_test_setup(source_and_switch_are_the_parents, begin_test),
        cmocka_unit_test_setup(pair_open_while_recording_is_switched_off_is_nothing_in_the_child,
                               begin_test),
        cmocka_unit_test_setup(thread_that_switched_itself_off_is_off_in_the_child, begin_test),
        cmocka_unit_test_setup(thread_that_once_switched_itself_is_pardoned_no_stop_in_the_child,
                               begin_test),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
