/*
 * Scopes that are left without a leave: by longjmp().
 *
 * The library cannot see the jump. At the next enter or leave it sees that a frame no longer
 * exists, closes the scopes that were in it, and counts them.
 */
#include "jump.h"
#include "report_line.h"

static NOINLINE void jump_3(void)
{
    EPROF_SCOPE("3");
    pass(1);
    {
        EPROF_SCOPE("4");
        pass(1);
        EPROF_SCOPE("5");
        pass(1);
        longjmp(back, 1);
    }
}

static NOINLINE void jump_2(void)
{
    EPROF_SCOPE("2");
    pass(1);
    jump_3();
    stay();
}

static NOINLINE void jump_over_5(void)
{
    EPROF_SCOPE("1");
    pass(1);
    jump_2();
    stay();
}

/* ------------------------------------------------------------ into a caller -- */

TEST(what_is_jumped_over_ends_where_the_next_scope_begins)
{
    if (setjmp(back) == 0)
        jump_over_1();
    pass(10);
    later();
    assert_tree("jump_over_1 1/1 11 11\nlater 1/1 1000 1000\n");
    assert_diagnostics("forced_closes 1");
}

TEST(five_scopes_that_are_jumped_over_end_together)
{
    if (setjmp(back) == 0)
        jump_over_5();
    pass(10);
    later();
    assert_tree("1 1/1 15 1\n1;2 1/1 14 1\n1;2;3 1/1 13 1\n1;2;3;4 1/1 12 1\n"
                "1;2;3;4;5 1/1 11 11\nlater 1/1 1000 1000\n");
    assert_diagnostics("forced_closes 5");
}

TEST(they_end_with_the_scope_around_them_at_the_latest)
{
    EPROF_BLOCK("around")
    {
        if (setjmp(back) == 0)
            jump_over_5();
        pass(10);
    }
    assert_tree("around 1/1 15 0\naround;1 1/1 15 1\naround;1;2 1/1 14 1\naround;1;2;3 1/1 13 1\n"
                "around;1;2;3;4 1/1 12 1\naround;1;2;3;4;5 1/1 11 11\n");
    assert_diagnostics("forced_closes 5");
    later();
    assert_diagnostics("forced_closes 5");
}

TEST(scope_around_the_target_stays_open)
{
    EPROF_BLOCK("around")
    {
        pass(100);
        for (volatile int i = 0; i < 10; i++) {
            if (setjmp(back) == 0)
                jump_over_1();
            later();
        }
    }
    assert_tree("around 1/1 10110 100\naround;jump_over_1 10/10 10 10\n"
                "around;later 10/10 10000 10000\n");
    assert_diagnostics("forced_closes 10");
}

static NOINLINE void recurse(int depth)
{
    EPROF_FUNC;
    pass(1);
    if (depth > 0)
        recurse(depth - 1);
    else if (hand_ticks) /* always true, but not known to the compiler */
        longjmp(back, 1);
    stay();
}

TEST(jump_out_of_recursion_ends_all_its_calls)
{
    for (volatile int i = 0; i < 3; i++) {
        if (setjmp(back) == 0)
            recurse(9);
        later();
    }
    assert_tree("later 3/3 3000 3000\nrecurse 30/3 30 30\n");
    assert_diagnostics("forced_closes 30");
}

/* --------------------------------------------------------- in one function -- */

static NOINLINE void jump_within(int rounds)
{
    EPROF_FUNC;
    for (volatile int i = 0; i < rounds; i++) {
        if (setjmp(back) != 0)
            continue;
        EPROF_SCOPE("round");
        pass(1);
        longjmp(back, 1);
    }
    pass(100);
}

/* The token is the same each time: it cannot be in the stack twice. */
TEST(jump_within_the_frame_that_holds_the_scope_does_not_pile_up)
{
    jump_within(1000);
    assert_tree("jump_within 1/1 1100 0\njump_within;round 1000/1000 1100 1100\n");
    assert_diagnostics("forced_closes 1000");
}

static NOINLINE void jump_within_deep(int rounds)
{
    for (volatile int i = 0; i < rounds; i++) {
        if (setjmp(back) != 0)
            continue;
        EPROF_SCOPE("a");
        EPROF_SCOPE("b");
        EPROF_BLOCK("c")
        {
            pass(1);
            jump_over_5();
        }
    }
}

TEST(jump_over_more_into_the_frame_that_holds_them_does_not_either)
{
    jump_within_deep(1000);
    later();
    assert_tree("a 1000/1000 6000 0\na;b 1000/1000 6000 0\na;b;c 1000/1000 6000 1000\n"
                "a;b;c;1 1000/1000 5000 1000\na;b;c;1;2 1000/1000 4000 1000\n"
                "a;b;c;1;2;3 1000/1000 3000 1000\na;b;c;1;2;3;4 1000/1000 2000 1000\n"
                "a;b;c;1;2;3;4;5 1000/1000 1000 1000\nlater 1/1 1000 1000\n");
    assert_diagnostics("forced_closes 8000");
}

/* ------------------------------------------------------ with the other calls -- */

static NOINLINE void jump_over_manual(void)
{
    eprof_enter("manual");
    pass(1);
    eprof_enter("inner");
    longjmp(back, 1);
}

TEST(manual_scopes_that_are_jumped_over_end_too)
{
    EPROF_BLOCK("around")
    {
        if (setjmp(back) == 0)
            jump_over_manual();
    }
    assert_tree("around 1/1 1 0\naround;manual 1/1 1 1\naround;manual;inner 1/1 0 0\n");
    assert_diagnostics("forced_closes 2");
}

static NOINLINE void jump_over_scope_and_manual(void)
{
    EPROF_FUNC;
    eprof_enter("manual");
    pass(1);
    longjmp(back, 1);
}

TEST(leave_by_hand_after_a_jump_leaves_what_was_entered_by_hand_before_it)
{
    eprof_enter("around");
    if (setjmp(back) == 0)
        jump_over_scope_and_manual();
    pass(10);
    later();
    eprof_leave();
    assert_tree("around 1/1 1011 0\naround;jump_over_scope_and_manual 1/1 11 0\n"
                "around;jump_over_scope_and_manual;manual 1/1 11 11\naround;later 1/1 1000 1000\n");
    assert_diagnostics("forced_closes 2");
}

static NOINLINE void jump_over_slow(void)
{
    EPROF_SLOW("slow", 10);
    EPROF_SCOPE("inside");
    pass(1);
    longjmp(back, 1);
}

TEST(slow_scope_that_is_jumped_over_is_decided_where_it_ends)
{
    for (volatile int i = 0; i < 4; i++) {
        if (setjmp(back) == 0)
            jump_over_slow();
        pass(i % 2 ? 100 : 1);
        later();
    }
    assert_tree("later 4/4 4000 4000\nslow 2/2 202 0\nslow;inside 2/2 202 202\n");
}

TEST(snapshot_before_the_next_scope_shows_them_open)
{
    if (setjmp(back) == 0)
        jump_over_1();
    pass(10);
    assert_tree("jump_over_1 0/0 11 11 open 1\n");
    later();
    assert_tree("jump_over_1 1/1 11 11\nlater 1/1 1000 1000\n");
}

/* The innermost is closed first. */
TEST(report_names_the_first_three_that_never_ended)
{
    if (setjmp(back) == 0)
        jump_over_5();
    later();
    if (setjmp(back) == 0)
        jump_over_1();
    later();
    assert_string_equal(report_line("table", "(forced_closes)"),
                        "6 regions whose end never came (forced_closes): 5 (test_scope_jump.c:17), "
                        "4 (test_scope_jump.c:15), 3 (test_scope_jump.c:12) and others; look for a "
                        "longjmp() out of it, or a missing eprof_leave()");
    assert_string_equal(report_line("tree", "(forced_closes)"),
                        report_line("table", "(forced_closes)"));
    eprof_reset();
    for (volatile int i = 0; i < 2; i++) {
        if (setjmp(back) == 0)
            jump_over_1();
        later();
    }
    assert_string_equal(report_line("table", "(forced_closes)"),
                        "2 regions whose end never came (forced_closes): jump_over_1 (jump.h:32); "
                        "look for a longjmp() out of it, or a missing eprof_leave()");
}

/* eprof_enter() has no location in the source. */
TEST(report_names_scopes_by_hand_without_a_place)
{
    {
        EPROF_SCOPE("around");
        eprof_enter("by hand");
        pass(1);
    }
    later();
    assert_string_equal(report_line("table", "(forced_closes)"),
                        "1 region whose end never came (forced_closes): by hand; look for a "
                        "longjmp() out of it, or a missing eprof_leave()");
}

TEST_EACH(hand_clock_begin, end)
