/* eprof_enter() and eprof_leave(), and the result if one of the two is missing. */
#include "calls.h"
#include "threads.h"
#include "tree_text.h"

/* ------------------------------------------------------------------ pairs -- */

TEST(they_nest_with_each_other_and_with_the_macros)
{
    eprof_enter("a");
    pass(1);
    EPROF_BLOCK("b")
    {
        pass(10);
        eprof_enter("c");
        pass(100);
        EPROF_BLOCK("d") scope_of("e", 1000);
        eprof_leave();
    }
    scope_of("f", 10000);
    eprof_leave();
    assert_tree("a 1/1 11111 1\na;b 1/1 1110 10\na;b;c 1/1 1100 100\na;b;c;d 1/1 1000 0\n"
                "a;b;c;d;e 1/1 1000 1000\na;f 1/1 10000 10000\n");
    assert_diagnostics("");
}

static __attribute__((noinline)) void enter(const char *label)
{
    eprof_enter(label);
    pass(1);
}

static __attribute__((noinline)) void leave(void)
{
    pass(10);
    eprof_leave();
}

/* A language's own run-time library would call them in this way. */
TEST(they_may_be_called_in_functions_of_their_own)
{
    enter("a");
    enter("b");
    leave();
    enter("c");
    leave();
    leave();
    assert_tree("a 1/1 33 11\na;b 1/1 11 11\na;c 1/1 11 11\n");
    assert_diagnostics("");
}

TEST(they_keep_errno)
{
    errno = 1234;
    eprof_enter("label that is new");
    assert_int_equal(errno, 1234);
    eprof_leave();
    eprof_leave();
    assert_int_equal(errno, 1234);
}

/* -------------------------------------------------------- left too often -- */

TEST(leave_without_enter_is_counted_and_nothing_else)
{
    eprof_leave();
    assert_diagnostics("unbalanced 1");
    assert_tree("");
    scope_of("a", 1);
    eprof_leave();
    eprof_leave();
    scope_of("a", 10);
    assert_tree("a 2/2 11 11\n");
    assert_diagnostics("unbalanced 3");
}

TEST(leave_too_many_does_not_leave_what_a_macro_entered)
{
    EPROF_BLOCK("a")
    {
        eprof_leave();
        pass(1);
        scope_of("b", 10);
        eprof_leave();
        EPROF_BLOCK("c")
        {
            eprof_leave();
            pass(100);
        }
    }
    assert_tree("a 1/1 111 1\na;b 1/1 10 10\na;c 1/1 100 100\n");
    assert_diagnostics("unbalanced 3");
}

/* ------------------------------------------------------------ never left -- */

TEST(scope_around_closes_what_was_not_left)
{
    EPROF_BLOCK("a")
    {
        pass(1);
        eprof_enter("b");
        pass(10);
        eprof_enter("c");
        pass(100);
    }
    scope_of("d", 1000);
    assert_tree("a 1/1 111 1\na;b 1/1 110 10\na;b;c 1/1 100 100\nd 1/1 1000 1000\n");
    assert_diagnostics("forced_closes 2");
}

static __attribute__((noinline)) void enter_and_return(int times)
{
    for (int i = 0; i < times; i++) {
        EPROF_SCOPE("macro");
        eprof_enter("never left");
        pass(1);
    }
}

TEST(they_do_not_pile_up)
{
    enter_and_return(1000);
    assert_tree("macro 1000/1000 1000 0\nmacro;never left 1000/1000 1000 1000\n");
    assert_diagnostics("forced_closes 1000");
}

/* Without a macro around it the library cannot see that the scope has ended: later scopes are shown
 * inside it, and if it is entered again, that is recursion. */
TEST(what_is_not_left_is_open)
{
    for (int i = 0; i < 3; i++) {
        eprof_enter("a");
        pass(1);
    }
    scope_of("b", 10);
    assert_tree("a 0/0 13 3 open 3\na;b 1/1 10 10\n");
    for (int i = 0; i < 3; i++)
        eprof_leave();
    assert_tree("a 3/1 13 3\na;b 1/1 10 10\n");
    assert_diagnostics("");
}

static void enter_three_and_end(void *unused)
{
    (void)unused;
    eprof_enter("a");
    pass(1);
    eprof_enter("b");
    pass(10);
    eprof_enter("a");
    pass(100);
}

TEST(end_of_the_thread_closes_what_was_not_left)
{
    on_a_thread(enter_three_and_end, NULL);
    pass(1000);
    assert_tree("a 2/1 111 101\na;b 1/1 110 10\n");
    assert_diagnostics("forced_closes 3");
    on_a_thread(enter_three_and_end, NULL); /* the next one begins at its root */
    assert_tree("a 4/2 222 202\na;b 2/2 220 20\n");
    assert_diagnostics("forced_closes 6");
}

TEST(exit_of_the_thread_by_call_closes_them_too)
{
    eprof_enter("a");
    pass(1);
    eprof_thread_exit();
    pass(10);
    scope_of("b", 100);
    assert_tree("a 1/1 1 1\nb 1/1 100 100\n");
    assert_diagnostics("forced_closes 1");
    eprof_leave();
    assert_diagnostics("unbalanced 1, forced_closes 1");
}

TEST(reset_forgets_what_was_not_left)
{
    EPROF_BLOCK("a")
    {
        eprof_enter("b");
        eprof_reset();
        pass(1);
    }
    assert_tree("");
    assert_diagnostics("");
}

TEST_EACH(hand_clock_begin, NULL)
