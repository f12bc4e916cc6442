/* A hold that is open at a fork is the parent's. */
#include "child.h"
#include "hand_clock.h"
#include "tree_text.h"

#include <signal.h>
#include <sys/syscall.h>

enum { DEPTH = 3 };

static pid_t clone_alone(void)
{
    return (pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
}

static const child_fork ways[] = {fork, _Fork, clone_alone};
enum { WAYS = sizeof ways / sizeof *ways };

static void record(void)
{
    EPROF_SCOPE("a");
    hand_ticks += 7;
}

static bool keep;

/* Ends the parent's holds, and records in each. */
static void record_and_end_holds(void *seen)
{
    for (int i = 0; i < DEPTH; i++) {
        record();
        eprof_keep(keep);
    }
    snprintf(seen, 256, "%s%s", tree_text(), trouble_text());
}

static void end_one_hold_more(void *seen)
{
    record_and_end_holds(seen);
    eprof_keep(keep);
    snprintf(seen, 256, "%s%s", tree_text(), trouble_text());
}

static void hold_and_drop(void *seen)
{
    eprof_hold();
    record();
    eprof_keep(false);
    record_and_end_holds(seen);
}

static void assert_children(void (*act)(void *seen), const char *text)
{
    for (int i = 0; i < 2 * WAYS; i++) {
        char seen[256] = "";
        keep = i % 2;
        child_do(ways[i / 2], act, seen, sizeof seen);
        assert_string_equal(seen, text);
    }
}

static int begin(void **state)
{
    hand_clock_begin(state);
    for (int i = 0; i < DEPTH; i++) {
        eprof_hold();
        record();
    }
    return 0;
}

static int end(void **state)
{
    (void)state;
    for (int i = 0; i < DEPTH; i++)
        eprof_keep(true);
    assert_tree("a 3/3 21 21\n");
    assert_trouble("");
    return 0;
}

static void hold_of_the_parent_decides_nothing_in_the_child(void **state)
{
    (void)state;
    assert_children(record_and_end_holds, "a 3/3 21 21\n");
}

static void keep_beyond_the_parents_holds_is_a_stray(void **state)
{
    (void)state;
    assert_children(end_one_hold_more, "a 3/3 21 21\nstray_keeps 1");
}

static void hold_of_the_child_decides_in_the_child(void **state)
{
    (void)state;
    assert_children(hold_and_drop, "a 3/3 21 21\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(hold_of_the_parent_decides_nothing_in_the_child, begin,
                                        end),
        cmocka_unit_test_setup_teardown(keep_beyond_the_parents_holds_is_a_stray, begin, end),
        cmocka_unit_test_setup_teardown(hold_of_the_child_decides_in_the_child, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
