/* A hold that is open at a fork is the parent's. */
#include "child.h"
#include "fork_ways.h"
#include "hand_clock.h"
#include "tree_text.h"

#include <signal.h>

enum { DEPTH = 3 };

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
    snprintf(seen, 256, "%s%s", tree_text(), diagnostic_text());
}

static void end_one_hold_more(void *seen)
{
    record_and_end_holds(seen);
    eprof_keep(keep);
    snprintf(seen, 256, "%s%s", tree_text(), diagnostic_text());
}

static void hold_and_drop(void *seen)
{
    eprof_hold();
    record();
    eprof_keep(false);
    record_and_end_holds(seen);
}

static void hold_and_keep(void *seen)
{
    eprof_hold();
    record();
    eprof_keep(true);
    record_and_end_holds(seen);
}

static child_fork way;

/* fork_inside forks by `way` while a scope or hold is open; NULL: a plain fork by `way`. */
static void assert_children_of(child_fork fork_inside, void (*act)(void *seen), const char *text)
{
    for (int i = 0; i < 2 * FORK_WAYS; i++) {
        char seen[256] = "";
        keep = i % 2;
        way = fork_ways[i / 2];
        child_do(fork_inside ? fork_inside : way, act, seen, sizeof seen);
        assert_tree_text(seen, text);
    }
}

static void assert_children(void (*act)(void *seen), const char *text)
{
    assert_children_of(NULL, act, text);
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
    assert_diagnostics("");
    return 0;
}

TEST(hold_of_the_parent_decides_nothing_in_the_child)
{
    assert_children(record_and_end_holds, "a 3/3 21 21\n");
}

TEST(keep_beyond_the_parents_holds_is_a_stray)
{
    assert_children(end_one_hold_more, "a 3/3 21 21\nunmatched_keeps 1");
}

TEST(hold_of_the_child_decides_in_the_child)
{
    assert_children(hold_and_drop, "a 3/3 21 21\n");
}

TEST(hold_of_the_child_keeps_in_the_child)
{
    assert_children(hold_and_keep, "a 4/4 28 28\n");
}

/* ------------------------------------------- scopes that are open in a hold -- */

static pid_t fork_inside(void)
{
    EPROF_SCOPE("outer");
    eprof_hold();
    eprof_enter("inner");
    pid_t child = way();
    if (child == 0)
        record();
    eprof_leave();
    eprof_keep(false);
    return child;
}

/* The parent's own scopes are dropped, or nothing was recorded. */
static int end_and_forget(void **state)
{
    (void)state;
    for (int i = 0; i < DEPTH; i++)
        eprof_keep(false);
    assert_tree("");
    assert_diagnostics("");
    return 0;
}

/* The parent's scopes were in a hold, so they do not count; but they keep their places in the
 * tree. */
TEST_BETWEEN(scopes_open_in_the_parents_hold_are_parents_of_no_calls, begin, end_and_forget)
{
    assert_children_of(fork_inside, record_and_end_holds,
                       "a 3/3 21 21\n"
                       "outer 0/0 7 0\nouter;inner 0/0 7 0\nouter;inner;a 1/1 7 7\n");
}

static pid_t fork_in_recursion(void)
{
    eprof_enter("r");
    pid_t child = way();
    if (child == 0) {
        eprof_hold();
        eprof_enter("r");
        hand_ticks += 7;
        eprof_leave();
        eprof_keep(true);
    }
    eprof_leave();
    return child;
}

TEST_BETWEEN(recursion_in_a_scope_of_the_parents_hold_is_outermost, begin, end_and_forget)
{
    assert_children_of(fork_in_recursion, record_and_end_holds, "a 3/3 21 21\nr 1/1 7 7\n");
}

static pid_t fork_inside_slow(void)
{
    EPROF_SLOW("slow", UINT64_MAX);
    pid_t child = way();
    if (child == 0) {
        eprof_hold();
        record();
    }
    return child;
}

static void decide_and_look(void *seen)
{
    eprof_keep(true);
    for (int i = 0; i < DEPTH; i++)
        eprof_keep(keep);
    snprintf(seen, 256, "%s%s", tree_text(), diagnostic_text());
}

/* In the child, a slow scope of the parent decides about no hold either. */
TEST_BETWEEN(slow_scope_of_the_parent_decides_nothing_in_the_child, begin, end_and_forget)
{
    assert_children_of(fork_inside_slow, decide_and_look, "slow 0/0 7 0\nslow;a 1/1 7 7\n");
}

TEST_EACH(begin, end)
