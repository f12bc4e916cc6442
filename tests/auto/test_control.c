/* Recording is switched, reset, held and forked inside functions. */
#include "hooks_test.h"

#include "child.h"

TEST(function_entered_before_the_switch_off_is_finished)
{
    switches_off();
    leaf();
    eprof_enable(true);
    assert_tree("switches_off 1\nswitches_off;mixed_work 1\n");
    assert_diagnostics("");
}

/* A function that is open only in a call that does not count remains as the parent, with 0
 * calls. */
TEST(function_entered_before_the_switch_on_is_nothing)
{
    eprof_enable(false);
    switches_on();
    leaf();
    assert_tree("leaf 1\nmixed_work 1\n");
    assert_diagnostics("");
}

TEST(switch_of_one_thread_is_as_that_of_all)
{
    switches_thread_off();
    assert_tree("switches_thread_off 1\nswitches_thread_off;mixed_work 2\n");
    assert_diagnostics("");
}

TEST(function_entered_before_a_reset_is_nothing)
{
    calls_leaf_thrice();
    resets();
    leaf();
    assert_tree("leaf 1\nresets 0\nresets;mixed_work 1\n");
    assert_diagnostics("");
}

/* ---- holds ---- */

TEST(kept_hold_inside_a_function_counts)
{
    holds(1);
    assert_tree("holds 1\n"
                "holds;mixed_inside 1\n"
                "holds;mixed_inside;inner 1\n"
                "holds;mixed_inside;inner;mixed_work 1\n"
                "holds;mixed_work 3\n");
    assert_diagnostics("");
}

TEST(dropped_hold_inside_a_function_does_not)
{
    holds(0);
    assert_tree("holds 1\nholds;mixed_work 2\n");
    assert_diagnostics("");
}

/* begins_hold() began before the hold, ends_hold() inside it. */
TEST(function_belongs_to_the_hold_in_which_it_began)
{
    begins_hold();
    leaf();
    ends_hold(1);
    assert_tree("begins_hold 1\nbegins_hold;mixed_work 1\nends_hold 1\nends_hold;mixed_work 1\n"
                "leaf 1\n");
    begins_hold();
    leaf();
    ends_hold(0);
    assert_tree("begins_hold 2\nbegins_hold;mixed_work 1\nends_hold 1\nends_hold;mixed_work 1\n"
                "leaf 1\n");
    assert_diagnostics("");
}

TEST(slow_scope_decides_for_the_functions_in_it)
{
    is_slow(0);
    is_slow(UINT64_C(1) << 60);
    assert_tree("is_slow 2\n"
                "is_slow;mixed_work 4\n"
                "is_slow;slow 1\n"
                "is_slow;slow;mixed_inside 1\n"
                "is_slow;slow;mixed_inside;inner 1\n"
                "is_slow;slow;mixed_inside;inner;mixed_work 1\n");
    assert_diagnostics("");
}

/* ---- inside ---- */

static void look(void *seen)
{
    snprintf(seen, 256, "%s", function_text());
}

TEST(function_open_in_a_snapshot_is_shown_so)
{
    char seen[256];
    calls_back(look, seen);
    assert_string_equal(seen, function_text_has_entries
                                  ? "calls_back 1\ncalls_back;mixed_work 1\n"
                                  : "calls_back 0 open 1\ncalls_back;mixed_work 1\n");
    assert_tree("calls_back 1\ncalls_back;mixed_work 2\n");
    assert_diagnostics("");
}

static void look_and_call(void *seen)
{
    calls_leaf_thrice();
    look(seen);
}

static void fork_and_look(void *seen)
{
    child_do(fork, look_and_call, seen, 256);
    leaf();
}

/* The calls that were open at the fork belong to the parent process. */
TEST(forked_child_counts_its_own_calls)
{
    char seen[256] = "";
    calls_back(fork_and_look, seen);
    assert_string_equal(seen, "calls_back 0\ncalls_back;calls_leaf_thrice 1\n"
                              "calls_back;calls_leaf_thrice;leaf 3\n");
    assert_tree("calls_back 1\ncalls_back;leaf 1\ncalls_back;mixed_work 2\n");
    assert_diagnostics("");
}

static pid_t is_child;

static void fork_here(void *unused)
{
    (void)unused;
    is_child = fork();
}

static pid_t fork_inside(void)
{
    calls_back(fork_here, NULL); /* it returns in the child, too */
    return is_child;
}

TEST(function_left_in_a_forked_child_is_nothing)
{
    char seen[256] = "";
    child_do(fork_inside, look_and_call, seen, sizeof seen);
    assert_string_equal(seen, "calls_back 0\ncalls_back;mixed_work 1\ncalls_leaf_thrice 1\n"
                              "calls_leaf_thrice;leaf 3\n");
    assert_tree("calls_back 1\ncalls_back;mixed_work 2\n");
    assert_diagnostics("");
}

int test_control(void)
{
    return tests_run("control", hooks_begin, hooks_end);
}
