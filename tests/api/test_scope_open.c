/*
 * Scopes that are open at a snapshot, and a reset inside them: the time so far is in total and
 * self, the calls are the finished ones, and time from before a reset does not count.
 */
#include "calls.h"
#include "figures.h"
#include "scope_row.h"
#include "threads.h"
#include "tree_text.h"

static void leave(int times)
{
    while (times-- > 0)
        eprof_leave();
}

/* ------------------------------------------------------------------------ open -- */

TEST(time_so_far_is_in_total_and_self_but_is_no_call)
{
    eprof_enter("a");
    hand_ticks += 10;
    assert_tree("a 0/0 10 10 open 1\n");
    hand_ticks += 5;
    assert_tree("a 0/0 15 15 open 1\n");
    assert_ns(scope_row("a").max_ns, 0);
    assert_ns(scope_row("a").p50_ns, 0);
    eprof_leave();
    assert_tree("a 1/1 15 15\n");
}

TEST(open_scope_adds_to_what_was_finished_of_it)
{
    scope_of("a", 100);
    eprof_enter("a");
    hand_ticks += 7;
    assert_tree("a 1/1 107 107 open 1\n");
    assert_ns(scope_row("a").max_ns, 100);
    assert_ns(scope_row("a").mean_ns, 100);
    eprof_leave();
}

TEST(time_in_an_open_scope_inside_is_not_in_self)
{
    eprof_enter("a");
    hand_ticks += 1;
    scope_of("b", 10);
    hand_ticks += 2;
    eprof_enter("b");
    hand_ticks += 20;
    eprof_enter("c");
    hand_ticks += 300;
    assert_tree("a 0/0 333 3 open 1\n"
                "a;b 1/1 330 30 open 1\n"
                "a;b;c 0/0 300 300 open 1\n");
    leave(2);
    assert_tree("a 0/0 333 3 open 1\n"
                "a;b 2/2 330 30\n"
                "a;b;c 1/1 300 300\n");
    eprof_leave();
    assert_diagnostics("");
}

TEST(open_recursion_has_its_time_once)
{
    for (int i = 0; i < 3; i++) {
        eprof_enter("a");
        hand_ticks += 10;
    }
    assert_tree("a 0/0 30 30 open 3\n");
    eprof_leave();
    hand_ticks += 5;
    assert_tree("a 1/0 35 35 open 2\n");
    leave(2);
    assert_tree("a 3/1 35 35\n");
}

TEST(recursion_through_another_has_its_time_once)
{
    eprof_enter("a");
    hand_ticks += 1;
    eprof_enter("b");
    hand_ticks += 10;
    eprof_enter("a");
    hand_ticks += 100;
    assert_tree("a 0/0 111 101 open 2\n"
                "a;b 0/0 110 10 open 1\n");
    leave(3);
    assert_tree("a 2/1 111 101\n"
                "a;b 1/1 110 10\n");
}

static void enter_two(void *unused)
{
    (void)unused;
    eprof_enter("a");
    hand_ticks += 10;
    eprof_enter("b");
}

static void leave_two(void *unused)
{
    (void)unused;
    leave(2);
}

TEST(scopes_open_on_another_thread_have_their_time_so_far)
{
    struct worker worker;
    worker_begin(&worker);
    worker_do(&worker, enter_two, NULL);
    hand_ticks += 500;
    assert_tree("a 0/0 510 10 open 1\n"
                "a;b 0/0 500 500 open 1\n");
    eprof_enter("a");
    hand_ticks += 1;
    if (counts_open_calls()) /* both calls of a are outermost */
        assert_string_equal(tree_text(), "a 2/2 open 2\na;b 1/1 open 1\n");
    else
        assert_tree("a 0/0 512 11 open 2\n"
                    "a;b 0/0 501 501 open 1\n");
    eprof_leave();
    worker_do(&worker, leave_two, NULL);
    worker_end(&worker);
    assert_tree("a 2/2 512 11\n"
                "a;b 1/1 501 501\n");
}

/* ----------------------------------------------------------------------- reset -- */

/* The reset comes from this thread or from another. */
static void reset_by(int way)
{
    if (way)
        on_a_thread(reset_here, NULL);
    else
        eprof_reset();
}

TEST(scope_a_reset_comes_in_is_nothing_and_its_end_no_error)
{
    for (int way = 0; way < 2; way++)
        for (int depth = 1; depth <= 5; depth++) {
            hand_clock_begin(state);
            for (int i = 0; i < depth; i++)
                eprof_enter((const char[]){(char)('a' + i / 2), '\0'}); /* recursion too */
            hand_ticks += 10;
            reset_by(way);
            assert_tree("");
            hand_ticks += 10;
            leave(depth);
            assert_tree("");
            assert_diagnostics("");
            scope_of("b", 3);
            assert_tree("b 1/1 3 3\n");
            eprof_leave();
            assert_diagnostics("unbalanced 1");
        }
}

TEST(scope_from_before_stays_as_the_parent_with_no_calls)
{
    for (int way = 0; way < 2; way++) {
        hand_clock_begin(state);
        eprof_enter("a");
        hand_ticks += 1000;
        scope_of("gone", 1000);
        eprof_enter("b");
        reset_by(way);
        hand_ticks += 1;
        scope_of("c", 10);
        eprof_enter("d");
        hand_ticks += 100;
        assert_tree("a 0/0 110 0\n"
                    "a;b 0/0 110 0\n"
                    "a;b;c 1/1 10 10\n"
                    "a;b;d 0/0 100 100 open 1\n");
        leave(2);
        scope_of("c", 10);
        eprof_leave();
        assert_tree("a 0/0 120 0\n"
                    "a;b 0/0 110 0\n"
                    "a;b;c 1/1 10 10\n"
                    "a;b;d 1/1 100 100\n"
                    "a;c 1/1 10 10\n");
        assert_diagnostics("");
    }
}

TEST(scope_entered_inside_its_own_from_before_counts)
{
    eprof_enter("a");
    hand_ticks += 1000;
    eprof_reset();
    eprof_enter("a");
    hand_ticks += 10;
    eprof_enter("a");
    hand_ticks += 10;
    leave(2);
    assert_tree("a 2/1 20 20\n");
    scope_of("a", 5);
    assert_tree("a 3/2 25 25\n");
    eprof_leave();
    assert_tree("a 3/2 25 25\n");
    assert_diagnostics("");
}

TEST(change_of_source_and_init_forget_open_scopes)
{
    static const struct eprof_source other = {.size = sizeof other,
                                              .name = "other",
                                              .now = hand_clock_now,
                                              .ticks_per_second = 1000000000};
    eprof_source_add(&other);
    for (int way = 0; way < 2; way++) {
        eprof_enter("a");
        hand_ticks += 1000;
        if (way)
            eprof_init();
        else
            assert_int_equal(eprof_source_use("other"), 0);
        scope_of("b", 7);
        eprof_leave();
        assert_tree("a 0/0 7 0\n"
                    "a;b 1/1 7 7\n");
        assert_diagnostics("");
        eprof_reset();
    }
}

TEST_EACH(hand_clock_begin, NULL)
