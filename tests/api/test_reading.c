/* What the figures of the reports for people say, and where they say that nothing is known. */
#include "calls.h"
#include "report_line.h"

/* ------------------------------------------------------------------- recursion -- */

static uint64_t fib(int n)
{
    EPROF_FUNC;
    pass(1);
    return n < 2 ? (uint64_t)n : fib(n - 1) + fib(n - 2);
}

/* 21,891 ticks each. */
TEST(recursive_row_adds_up)
{
    fib(20);
    fib(20);
    assert_contains(report_line("tree", "calls"), " calls  outermost ");
    assert_contains(report_line("tree", "fib "), " 43782          2 ");
    assert_contains(report_line("tree", "fib "), " 43.8 us ");
    assert_contains(report_line("tree", "fib "), " 2 x 21.9 us ");
    assert_contains(report_line("table", "fib "), " 43782 ");
    assert_contains(report_line("table", "usec/call"), " timed");
}

TEST(outermost_calls_are_no_column_without_recursion)
{
    fib(1);
    scope_of("once", 100);
    assert_string_equal(report_line("tree", "outermost"), "no line");
    assert_string_equal(report_line("table", "outermost"), "no line");
    assert_string_equal(report_line("tree", " x "), "no line");
}

TEST(row_without_recursion_has_no_outermost_calls_beside_one_that_has)
{
    fib(2);
    scope_of("once", 100);
    assert_contains(report_line("tree", "once "), " 1             100 ns ");
}

/* The total has the time of the open call, too: it is no product. */
TEST(open_recursion_has_a_plain_mean)
{
    for (int i = 0; i < 2; i++) {
        eprof_enter("again");
        pass(10);
        eprof_enter("again");
        eprof_leave();
    }
    const char *line = report_line("tree", "again ");
    assert_contains(line, " 20 ns ");
    assert_null(strstr(line, " x "));
    eprof_leave();
    eprof_leave();
    assert_contains(report_line("tree", "again "), " 1 x 20 ns ");
}

TEST_EACH(hand_clock_begin, NULL)
