/*
 * What a thread records in a hold counts only if it is kept; a scope belongs to the
 * innermost hold in which it began, and the time of what was dropped stays in the scope
 * around it.
 */
#include "figures.h"
#include "hand_clock.h"
#include "scope_row.h"
#include "threads.h"
#include "tree_text.h"

static void pass(const char *label, uint64_t ns)
{
    eprof_enter(label);
    hand_ticks += ns;
    eprof_leave();
}

/* -------------------------------------------------------------- kept and dropped -- */

static void what_is_kept_is_as_if_there_had_been_no_hold(void **state)
{
    (void)state;
    eprof_enter("a");
    hand_ticks += 1;
    eprof_hold();
    pass("b", 10);
    pass("b", 30);
    eprof_keep(true);
    eprof_leave();
    assert_tree("a 1/1 41 1\n"
                "a;b 2/2 40 40\n");
    struct eprof_row row = scope_row("a;b");
    assert_int_equal(row.min_ns, 10);
    assert_int_equal(row.max_ns, 30);
    assert_int_equal(row.mean_ns, 20);
    assert_int_equal(row.stddev_ns, 10);
    assert_int_equal(row.p50_ns, 10);
    assert_trouble("");
}

static void what_is_dropped_leaves_its_time_in_the_scope_around_it(void **state)
{
    (void)state;
    eprof_enter("a");
    hand_ticks += 1;
    pass("b", 5);
    eprof_hold();
    eprof_enter("b");
    hand_ticks += 10;
    pass("c", 100);
    eprof_leave();
    pass("d", 1000);
    eprof_keep(false);
    hand_ticks += 2;
    eprof_leave();
    assert_tree("a 1/1 1118 1113\n"
                "a;b 1/1 5 5\n");
    assert_int_equal(scope_row("a;b").max_ns, 5);
    assert_trouble("");
}

static void dropped_scopes_of_a_thread_with_none_open_are_gone(void **state)
{
    (void)state;
    eprof_hold();
    pass("a", 10);
    eprof_keep(false);
    assert_tree("");
    eprof_hold();
    pass("a", 7);
    eprof_keep(true);
    assert_tree("a 1/1 7 7\n");
    assert_trouble("");
}

static void a_hold_is_in_no_snapshot_while_it_is_open(void **state)
{
    (void)state;
    pass("a", 5);
    eprof_hold();
    pass("a", 10);
    pass("b", 10);
    eprof_enter("a");
    assert_tree("a 1/1 5 5\n");
    eprof_leave();
    eprof_keep(true);
    assert_tree("a 3/3 15 15\n"
                "b 1/1 10 10\n");
}

static void hold_after_hold_is_decided_each_for_itself(void **state)
{
    uint64_t calls = 0, total_ns = 0;
    (void)state;
    for (uint64_t i = 0; i < 1000; i++) {
        bool keep = i % 3 == 0;
        eprof_hold();
        pass("a", i);
        eprof_keep(keep);
        calls += keep;
        total_ns += keep ? i : 0;
    }
    assert_int_equal(scope_row("a").calls, calls);
    assert_int_equal(scope_row("a").total_ns, total_ns);
    assert_int_equal(scope_row("a").max_ns, 999);
    assert_int_equal(scope_row("a").min_ns, 0);
}

static void a_keep_without_a_hold_is_counted(void **state)
{
    (void)state;
    eprof_keep(true);
    eprof_hold();
    eprof_keep(false);
    eprof_keep(false);
    assert_trouble("stray_keeps 2");
    eprof_reset();
    assert_trouble("");
}

/* ------------------------------------------------------------------------ nested -- */

/* Three holds in each other, each with a scope of its own; bit i of `decisions` keeps the
 * i-th from outside. */
static void outer_hold_decides_for_what_the_inner_ones_kept(void **state)
{
    static const char *const labels[] = {"a", "b", "c"};
    static const uint64_t ns[] = {1, 10, 100};
    for (unsigned decisions = 0; decisions < 8; decisions++) {
        uint64_t dropped_ns = 0;
        bool keeps = true;
        hand_clock_begin(state);
        eprof_enter("root");
        for (int i = 0; i < 3; i++) {
            eprof_hold();
            pass(labels[i], ns[i]);
        }
        for (int i = 2; i >= 0; i--)
            eprof_keep(decisions >> i & 1);
        eprof_leave();
        for (int i = 0; i < 3; i++) {
            char path[16];
            keeps = keeps && decisions >> i & 1;
            dropped_ns += keeps ? 0 : ns[i];
            snprintf(path, sizeof path, "root;%s", labels[i]);
            assert_int_equal(scope_row(path).calls, keeps);
            assert_int_equal(scope_row(path).total_ns, keeps ? ns[i] : 0);
        }
        assert_int_equal(scope_row("root").total_ns, 111);
        assert_int_equal(scope_row("root").self_ns, dropped_ns);
        assert_trouble("");
    }
}

static void inner_drop_leaves_its_time_in_the_held_scope_around_it(void **state)
{
    for (int keep = 0; keep < 2; keep++) {
        hand_clock_begin(state);
        eprof_enter("a");
        eprof_hold();
        eprof_enter("b");
        hand_ticks += 1;
        eprof_hold();
        pass("c", 10);
        eprof_keep(false);
        eprof_leave();
        eprof_keep(keep);
        eprof_leave();
        assert_tree(keep ? "a 1/1 11 0\n"
                           "a;b 1/1 11 11\n"
                         : "a 1/1 11 11\n");
    }
}

static void seventy_holds_decide_with_the_62nd(void **state)
{
    enum { HOLDS = 70, OF_THEIR_OWN = 62 };
    for (int dropped = 1; dropped <= HOLDS; dropped += 3) {
        uint64_t kept = 0;
        hand_clock_begin(state);
        for (int i = 1; i <= HOLDS; i++) {
            eprof_hold();
            pass("a", 1);
        }
        for (int i = HOLDS; i >= 1; i--)
            eprof_keep(i != dropped);
        for (int i = 1; i <= HOLDS; i++)
            kept += dropped > OF_THEIR_OWN || i < dropped;
        assert_int_equal(scope_row("a").calls, kept);
        assert_int_equal(scope_row("a").total_ns, kept);
        assert_trouble("");
    }
}

/* ------------------------------------------------------------- across its edges -- */

static void scope_that_began_before_counts_in_any_case(void **state)
{
    for (int keep = 0; keep < 2; keep++) {
        hand_clock_begin(state);
        eprof_enter("a");
        eprof_enter("b");
        hand_ticks += 1;
        eprof_hold();
        hand_ticks += 10;
        pass("c", 100);
        eprof_leave();
        pass("d", 1000);
        eprof_leave();
        eprof_keep(keep);
        assert_tree(keep ? "a 1/1 1111 0\n"
                           "a;b 1/1 111 11\n"
                           "a;b;c 1/1 100 100\n"
                           "a;d 1/1 1000 1000\n"
                         : "a 1/1 1111 1000\n"
                           "a;b 1/1 111 111\n");
        assert_trouble("");
    }
}

static void scope_open_at_the_keep_is_finished(void **state)
{
    (void)state;
    eprof_enter("a");
    eprof_hold();
    eprof_enter("b");
    hand_ticks += 1;
    eprof_enter("c");
    hand_ticks += 10;
    eprof_keep(true);
    hand_ticks += 100;
    assert_tree("a 0/0 111 0 open 1\n"
                "a;b 0/0 111 1 open 1\n"
                "a;b;c 0/0 110 110 open 1\n");
    eprof_leave();
    pass("c", 5);
    eprof_leave();
    eprof_leave();
    assert_tree("a 1/1 116 0\n"
                "a;b 1/1 116 1\n"
                "a;b;c 2/2 115 115\n");
    assert_trouble("");
}

static void scope_open_at_the_drop_is_nothing_and_its_end_no_error(void **state)
{
    (void)state;
    eprof_enter("a");
    eprof_hold();
    eprof_enter("b");
    hand_ticks += 1;
    pass("gone", 10);
    eprof_keep(false);
    hand_ticks += 100;
    assert_tree("a 0/0 111 111 open 1\n");
    pass("c", 1000);
    eprof_leave();
    pass("b", 5);
    eprof_leave();
    assert_tree("a 1/1 1116 111\n"
                "a;b 1/1 5 5\n"
                "a;b;c 1/1 1000 1000\n");
    assert_trouble("");
}

static void recursion_across_the_edge_has_its_time_once(void **state)
{
    for (int keep = 0; keep < 2; keep++) {
        hand_clock_begin(state);
        eprof_enter("a");
        eprof_hold();
        pass("a", 10);
        eprof_enter("b");
        pass("a", 100);
        eprof_leave();
        eprof_keep(keep);
        pass("a", 1000);
        eprof_leave();
        assert_tree(keep ? "a 4/1 1110 1110\n"
                           "a;b 1/1 100 0\n"
                         : "a 2/1 1110 1110\n");
        assert_trouble("");
    }
}

static void reset_inside_forgets_what_was_held(void **state)
{
    for (int keep = 0; keep < 2; keep++) {
        hand_clock_begin(state);
        eprof_hold();
        pass("a", 10);
        eprof_enter("b");
        eprof_reset();
        pass("c", 100);
        eprof_leave();
        eprof_keep(keep);
        assert_tree(keep ? "b 0/0 100 0\n"
                           "b;c 1/1 100 100\n"
                         : "");
        assert_trouble("");
    }
}

static void switching_the_thread_inside_leaves_the_hold_in_place(void **state)
{
    for (int keep = 0; keep < 2; keep++) {
        hand_clock_begin(state);
        eprof_hold();
        pass("a", 1);
        eprof_thread_enable(false);
        pass("a", 10);
        eprof_thread_enable(true);
        pass("a", 100);
        eprof_keep(keep);
        assert_tree(keep ? "a 2/2 101 101\n" : "");
        assert_trouble("");
    }
}

/* ----------------------------------------------------------------------- threads -- */

static void hold_and_pass(void *unused)
{
    (void)unused;
    eprof_hold();
    pass("held", 10);
}

static void let_go(void *unused)
{
    (void)unused;
    eprof_keep(false);
}

static void a_hold_leaves_other_threads_alone(void **state)
{
    struct worker worker;
    (void)state;
    worker_begin(&worker);
    worker_do(&worker, hold_and_pass, NULL);
    pass("free", 10);
    assert_tree("free 1/1 10 10\n");
    eprof_keep(true);
    assert_trouble("stray_keeps 1");
    worker_do(&worker, let_go, NULL);
    worker_end(&worker);
    assert_tree("free 1/1 10 10\n");
}

/* The next thread of no name takes over what the first has left. */
static void a_hold_open_at_the_threads_end_is_dropped(void **state)
{
    (void)state;
    on_a_thread(hold_and_pass, NULL);
    assert_tree("");
    on_a_thread(let_go, NULL);
    assert_tree("");
    assert_trouble("stray_keeps 1");
    hold_and_pass(NULL);
    eprof_thread_exit();
    assert_tree("");
    eprof_keep(true);
    assert_trouble("stray_keeps 2");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, hand_clock_begin)
    const struct CMUnitTest tests[] = {
        TEST(what_is_kept_is_as_if_there_had_been_no_hold),
        TEST(what_is_dropped_leaves_its_time_in_the_scope_around_it),
        TEST(dropped_scopes_of_a_thread_with_none_open_are_gone),
        TEST(a_hold_is_in_no_snapshot_while_it_is_open),
        TEST(hold_after_hold_is_decided_each_for_itself),
        TEST(a_keep_without_a_hold_is_counted),
        TEST(outer_hold_decides_for_what_the_inner_ones_kept),
        TEST(inner_drop_leaves_its_time_in_the_held_scope_around_it),
        TEST(seventy_holds_decide_with_the_62nd),
        TEST(scope_that_began_before_counts_in_any_case),
        TEST(scope_open_at_the_keep_is_finished),
        TEST(scope_open_at_the_drop_is_nothing_and_its_end_no_error),
        TEST(recursion_across_the_edge_has_its_time_once),
        TEST(reset_inside_forgets_what_was_held),
        TEST(switching_the_thread_inside_leaves_the_hold_in_place),
        TEST(a_hold_leaves_other_threads_alone),
        TEST(a_hold_open_at_the_threads_end_is_dropped),
    };
    return cmocka_run_group_tests_name("hold", tests, NULL, NULL);
}
