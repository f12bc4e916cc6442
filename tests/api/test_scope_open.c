/*
 * Scopes that are open at a snapshot, and a reset inside of them: the time so far is in
 * total and self, calls are finished ones, and what is from before a reset is nothing.
 */
#include "figures.h"
#include "hand_clock.h"
#include "scope_row.h"
#include "threads.h"
#include "tree_text.h"

static void leave(int times)
{
    while (times-- > 0)
        eprof_leave();
}

/* A scope of so many ns. */
static void pass(const char *label, uint64_t ns)
{
    eprof_enter(label);
    hand_ticks += ns;
    eprof_leave();
}

/* ------------------------------------------------------------------------ open -- */

static void time_so_far_is_in_total_and_self_but_is_no_call(void **state)
{
    (void)state;
    eprof_enter("a");
    hand_ticks += 10;
    assert_tree("a 0/0 10 10 open 1\n");
    hand_ticks += 5;
    assert_tree("a 0/0 15 15 open 1\n");
    assert_int_equal(scope_row("a").max_ns, 0);
    assert_int_equal(scope_row("a").p50_ns, 0);
    eprof_leave();
    assert_tree("a 1/1 15 15\n");
}

static void open_scope_adds_to_what_was_finished_of_it(void **state)
{
    (void)state;
    pass("a", 100);
    eprof_enter("a");
    hand_ticks += 7;
    assert_tree("a 1/1 107 107 open 1\n");
    assert_int_equal(scope_row("a").max_ns, 100);
    assert_int_equal(scope_row("a").mean_ns, 100);
    eprof_leave();
}

static void time_in_an_open_scope_inside_is_not_in_self(void **state)
{
    (void)state;
    eprof_enter("a");
    hand_ticks += 1;
    pass("b", 10);
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
    assert_trouble("");
}

static void open_recursion_has_its_time_once(void **state)
{
    (void)state;
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

static void recursion_through_another_has_its_time_once(void **state)
{
    (void)state;
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

static void scopes_open_on_another_thread_have_their_time_so_far(void **state)
{
    struct worker worker;
    (void)state;
    worker_begin(&worker);
    worker_do(&worker, enter_two, NULL);
    hand_ticks += 500;
    assert_tree("a 0/0 510 10 open 1\n"
                "a;b 0/0 500 500 open 1\n");
    eprof_enter("a");
    hand_ticks += 1;
    assert_tree("a 0/0 512 11 open 2\n"
                "a;b 0/0 501 501 open 1\n");
    eprof_leave();
    worker_do(&worker, leave_two, NULL);
    worker_end(&worker);
    assert_tree("a 2/2 512 11\n"
                "a;b 1/1 501 501\n");
}

/* ----------------------------------------------------------------------- reset -- */

static void reset_here(void *unused)
{
    (void)unused;
    eprof_reset();
}

/* From this thread, or from another. */
static void reset_by(int way)
{
    if (way)
        on_a_thread(reset_here, NULL);
    else
        eprof_reset();
}

static void scope_a_reset_comes_in_is_nothing_and_its_end_no_error(void **state)
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
            assert_trouble("");
            pass("b", 3);
            assert_tree("b 1/1 3 3\n");
            eprof_leave();
            assert_trouble("unbalanced 1");
        }
}

static void scope_from_before_stays_as_the_parent_with_no_calls(void **state)
{
    for (int way = 0; way < 2; way++) {
        hand_clock_begin(state);
        eprof_enter("a");
        hand_ticks += 1000;
        pass("gone", 1000);
        eprof_enter("b");
        reset_by(way);
        hand_ticks += 1;
        pass("c", 10);
        eprof_enter("d");
        hand_ticks += 100;
        assert_tree("a 0/0 110 0\n"
                    "a;b 0/0 110 0\n"
                    "a;b;c 1/1 10 10\n"
                    "a;b;d 0/0 100 100 open 1\n");
        leave(2);
        pass("c", 10);
        eprof_leave();
        assert_tree("a 0/0 120 0\n"
                    "a;b 0/0 110 0\n"
                    "a;b;c 1/1 10 10\n"
                    "a;b;d 1/1 100 100\n"
                    "a;c 1/1 10 10\n");
        assert_trouble("");
    }
}

static void scope_entered_inside_its_own_from_before_counts(void **state)
{
    (void)state;
    eprof_enter("a");
    hand_ticks += 1000;
    eprof_reset();
    eprof_enter("a");
    hand_ticks += 10;
    eprof_enter("a");
    hand_ticks += 10;
    leave(2);
    assert_tree("a 2/1 20 20\n");
    pass("a", 5);
    assert_tree("a 3/2 25 25\n");
    eprof_leave();
    assert_tree("a 3/2 25 25\n");
    assert_trouble("");
}

static void change_of_source_and_init_forget_open_scopes(void **state)
{
    static const struct eprof_source other = {.size = sizeof other,
                                              .name = "other",
                                              .now = hand_clock_now,
                                              .ticks_per_second = 1000000000};
    (void)state;
    eprof_source_add(&other);
    for (int way = 0; way < 2; way++) {
        eprof_enter("a");
        hand_ticks += 1000;
        if (way)
            eprof_init();
        else
            assert_int_equal(eprof_source_use("other"), 0);
        pass("b", 7);
        eprof_leave();
        assert_tree("a 0/0 7 0\n"
                    "a;b 1/1 7 7\n");
        assert_trouble("");
        eprof_reset();
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, hand_clock_begin)
    const struct CMUnitTest tests[] = {
        TEST(time_so_far_is_in_total_and_self_but_is_no_call),
        TEST(open_scope_adds_to_what_was_finished_of_it),
        TEST(time_in_an_open_scope_inside_is_not_in_self),
        TEST(open_recursion_has_its_time_once),
        TEST(recursion_through_another_has_its_time_once),
        TEST(scopes_open_on_another_thread_have_their_time_so_far),
        TEST(scope_a_reset_comes_in_is_nothing_and_its_end_no_error),
        TEST(scope_from_before_stays_as_the_parent_with_no_calls),
        TEST(scope_entered_inside_its_own_from_before_counts),
        TEST(change_of_source_and_init_forget_open_scopes),
    };
    return cmocka_run_group_tests_name("scope_open", tests, NULL, NULL);
}
