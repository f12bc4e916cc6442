/* A scope ends with its block, regardless of how the block is left. */
#include "calls.h"
#include "rerun.h"
#include "scratch.h"
#include "tree_text.h"

/* ---------------------------------------------------------------- return -- */

static int leave_by_any_return(int way)
{
    EPROF_FUNC;
    if (way == 0)
        return 0;
    EPROF_SCOPE("rest");
    pass(1);
    if (way == 1)
        return 1;
    {
        EPROF_SCOPE("block");
        pass(10);
        if (way == 2)
            return 2;
    }
    pass(100);
    return 3;
}

TEST(return_leaves_all_scopes_of_the_function)
{
    for (int way = 0; way < 4; way++)
        assert_int_equal(leave_by_any_return(way), way);
    assert_tree("leave_by_any_return 4/4 123 0\n"
                "leave_by_any_return;rest 3/3 123 103\n"
                "leave_by_any_return;rest;block 2/2 20 20\n");
    assert_diagnostics("");
}

TEST(function_without_return_value_ends_at_its_brace)
{
    {
        EPROF_FUNC;
        pass(1);
    }
    assert_tree("function_without_return_value_ends_at_its_brace 1/1 1 1\n");
}

/* The value is computed while the scope is open. */
static uint64_t value_made_in_scope(void)
{
    EPROF_SCOPE("value");
    return pass(5), hand_ticks;
}

TEST(value_of_return_is_made_inside)
{
    uint64_t value = value_made_in_scope();
    assert_int_equal(value, hand_ticks);
    assert_tree("value 1/1 5 5\n");
}

/* ------------------------------------------------------------------ goto -- */

TEST(goto_out_leaves_as_many_as_it_crosses)
{
    {
        EPROF_SCOPE("outer");
        pass(1);
        {
            EPROF_SCOPE("middle");
            {
                EPROF_SCOPE("inner");
                pass(10);
                goto out;
            }
        }
    out:
        pass(100);
    }
    assert_tree("outer 1/1 111 101\nouter;middle 1/1 10 0\nouter;middle;inner 1/1 10 10\n");
    assert_diagnostics("");
}

TEST(goto_back_before_a_scope_leaves_it_and_enters_it_anew)
{
    int rounds = 0;
    {
        EPROF_SCOPE("outer");
    again:
        pass(1);
        EPROF_SCOPE("round");
        pass(10);
        if (++rounds < 5)
            goto again;
        pass(100);
    }
    assert_tree("outer 1/1 155 5\nouter;round 5/5 150 150\n");
    assert_diagnostics("");
}

TEST(goto_within_a_scope_stays_in_it)
{
    int rounds = 0;
    {
        EPROF_SCOPE("scope");
    again:
        pass(10);
        if (++rounds < 3)
            goto again;
    }
    assert_tree("scope 1/1 30 30\n");
}

/* --------------------------------------------------------- break, continue -- */

TEST(break_and_continue_of_a_loop_leave_the_scopes_in_it)
{
    {
        EPROF_SCOPE("loop");
        for (int i = 0; i < 10; i++) {
            EPROF_SCOPE("round");
            pass(1);
            if (i % 2)
                continue;
            EPROF_SCOPE("even");
            pass(10);
            if (i == 6)
                break;
        }
    }
    assert_tree("loop 1/1 47 0\nloop;round 7/7 47 7\nloop;round;even 4/4 40 40\n");
    assert_diagnostics("");
}

TEST(break_of_a_switch_leaves_the_scope_of_a_case)
{
    for (int i = 0; i < 6; i++) {
        EPROF_SCOPE("switch");
        switch (i % 3) {
        case 0: {
            EPROF_SCOPE("zero");
            pass(1);
            break;
        }
        case 1: {
            EPROF_SCOPE("one");
            pass(10);
            break;
        }
        default:
            pass(100);
        }
    }
    assert_tree("switch 6/6 222 200\nswitch;one 2/2 20 20\nswitch;zero 2/2 2 2\n");
    assert_diagnostics("");
}

/* A case may be in the block of a scope that it jumps over; the end of the scope still comes. clang
 * and C++ refuse to compile that. */
#ifndef __clang__
static void switch_in_braces(int which)
{
    switch (which) {
    case 0:;
        EPROF_SCOPE("in case 0");
        pass(1);
        break;
    case 1:
        pass(10);
        break;
    default:
        break;
    }
}

TEST(scope_that_is_jumped_over_is_nothing_and_harms_nothing)
{
    {
        EPROF_SCOPE("outer");
        for (int i = 0; i < 30; i++)
            switch_in_braces(i % 3);
        pass(1000);
    }
    assert_tree("outer 1/1 1110 1100\nouter;in case 0 10/10 10 10\n");
    assert_diagnostics("");
}
#endif

/* ----------------------------------------------------------- EPROF_BLOCK -- */

TEST(block_runs_once_and_ends_at_its_brace)
{
    int runs = 0;
    EPROF_BLOCK("block")
    {
        runs++;
        pass(1);
    }
    pass(10);
    assert_int_equal(runs, 1);
    assert_tree("block 1/1 1 1\n");
    assert_diagnostics("");
}

TEST(break_and_continue_in_a_block_leave_it_and_not_the_loop_around)
{
    int behind = 0;
    for (int i = 0; i < 9; i++) {
        EPROF_BLOCK("block")
        {
            pass(1);
            if (i % 3 == 0)
                break;
            pass(10);
            if (i % 3 == 1)
                continue;
            pass(100);
        }
        behind++;
    }
    assert_int_equal(behind, 9);
    assert_tree("block 9/9 369 369\n");
    assert_diagnostics("");
}

static int leave_a_block(int way)
{
    EPROF_BLOCK("outer")
    {
        EPROF_BLOCK("inner")
        {
            pass(1);
            if (way == 0)
                return 0;
            if (way == 1)
                goto out;
            if (way == 2)
                break;
        }
        pass(10);
    }
    pass(1000);
    return way;
out:
    pass(10000);
    return way;
}

TEST(return_and_goto_leave_all_blocks)
{
    for (int way = 0; way < 4; way++)
        assert_int_equal(leave_a_block(way), way);
    assert_tree("outer 4/4 24 20\nouter;inner 4/4 4 4\n");
    assert_diagnostics("");
}

/* As the only statement of an if that is followed by an else, and two on one line. */
TEST(block_is_one_statement)
{
    for (int i = 0; i < 4; i++) {
        if (i % 2)
            EPROF_BLOCK("odd") pass(1);
        else
            EPROF_BLOCK("even") EPROF_BLOCK("in even") pass(10);
    }
    assert_tree("even 2/2 20 0\neven;in even 2/2 20 20\nodd 2/2 2 2\n");
}

/* -------------------------------------------------------------- EPROF_SLOW -- */

TEST(slow_scope_ends_with_its_block_too)
{
    for (int i = 0; i < 6; i++) {
        EPROF_SLOW("slow", 50);
        EPROF_SCOPE("inside");
        pass(49);
        if (i % 2)
            continue;
        pass(1);
        if (i == 4)
            break;
    }
    assert_tree("slow 3/3 150 0\nslow;inside 3/3 150 150\n");
    assert_diagnostics("");
}

/* ------------------------------------------------------------------ exit -- */

static void run_that_exits(void)
{
    EPROF_SCOPE("outer");
    pass(1);
    EPROF_BLOCK("ended") pass(10);
    EPROF_SCOPE("inner");
    pass(100);
    exit(7);
}

static const char *scope_line(const char *csv, const char *path)
{
    static char line[1024];
    for (const char *at = csv; at; at = strchr(at, '\n'), at += at != NULL) {
        snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
        if (strncmp(line, "scope,", 6) == 0 && strstr(line, path))
            return line;
    }
    fail_msg("no scope %s in: %s", path, csv);
    return NULL;
}

/* Checks calls,timed,errors,open,total_ns,self_ns, which are consecutive fields of the row. */
static void assert_figures_of(const char *csv, const char *path, const char *figures)
{
    const char *line = scope_line(csv, path);
    if (!strstr(line, figures))
        fail_msg("%s is not in: %s", figures, line);
}

TEST_BETWEEN(exit_inside_shows_the_scopes_as_open, scratch_enter, scratch_leave)
{
    static struct rerun run;
    static const char *const steps[] = {"exits", NULL};
    rerun(&run, "csv=figures", steps);
    assert_int_equal(run.status, 7);
    const char *csv = scratch_read("figures");
    assert_figures_of(csv, ",outer,", ",0,0,0,1,111,1,");
    assert_figures_of(csv, ",outer;inner,", ",0,0,0,1,100,100,");
    assert_figures_of(csv, ",outer;ended,", ",1,1,0,0,10,10,");
}

TEST_BETWEEN(exit_inside_prints_the_tree_with_them, scratch_enter, scratch_leave)
{
    static struct rerun run;
    static const char *const steps[] = {"exits", NULL};
    rerun(&run, NULL, steps);
    assert_int_equal(run.status, 7);
    assert_string_equal(run.out, "");
    assert_non_null(strstr(run.err, "outer"));
    assert_non_null(strstr(run.err, "inner"));
    assert_non_null(strstr(run.err, "ended"));
}

int main(int count, char **arguments)
{
    if (count > 1) {
        hand_clock_use();
        run_that_exits();
    }
    (void)arguments;
    return tests_run("scope_exits", hand_clock_begin, NULL);
}
