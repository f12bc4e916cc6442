/*
 * The calls that a thread records in a hold count only if it is kept. A scope belongs to the
 * innermost hold in which it began, and the time of dropped scopes stays in the scope around them.
 */
#include "calls.h"
#include "figures.h"
#include "scope_row.h"
#include "threads.h"
#include "tree_text.h"

/* -------------------------------------------------------------- kept and dropped -- */

TEST(what_is_kept_is_as_if_there_had_been_no_hold)
{
    eprof_enter("a");
    hand_ticks += 1;
    eprof_hold();
    scope_of("b", 10);
    scope_of("b", 30);
    eprof_keep(true);
    eprof_leave();
    assert_tree("a 1/1 41 1\n"
                "a;b 2/2 40 40\n");
    struct eprof_row row = scope_row("a;b");
    assert_ns(row.min_ns, 10);
    assert_ns(row.max_ns, 30);
    assert_ns(row.mean_ns, 20);
    assert_ns(row.stddev_ns, 10);
    assert_ns(row.p50_ns, 10);
    assert_diagnostics("");
}

TEST(what_is_dropped_leaves_its_time_in_the_scope_around_it)
{
    eprof_enter("a");
    hand_ticks += 1;
    scope_of("b", 5);
    eprof_hold();
    eprof_enter("b");
    hand_ticks += 10;
    scope_of("c", 100);
    eprof_leave();
    scope_of("d", 1000);
    eprof_keep(false);
    hand_ticks += 2;
    eprof_leave();
    assert_tree("a 1/1 1118 1113\n"
                "a;b 1/1 5 5\n");
    assert_int_equal(scope_row("a;b").max_ns, 5);
    assert_diagnostics("");
}

TEST(dropped_scopes_of_a_thread_with_none_open_are_gone)
{
    eprof_hold();
    scope_of("a", 10);
    eprof_keep(false);
    assert_tree("");
    eprof_hold();
    scope_of("a", 7);
    eprof_keep(true);
    assert_tree("a 1/1 7 7\n");
    assert_diagnostics("");
}

TEST(a_hold_is_in_no_snapshot_while_it_is_open)
{
    scope_of("a", 5);
    eprof_hold();
    scope_of("a", 10);
    scope_of("b", 10);
    eprof_enter("a");
    assert_tree("a 1/1 5 5\n");
    eprof_leave();
    eprof_keep(true);
    assert_tree("a 3/3 15 15\n"
                "b 1/1 10 10\n");
}

TEST(hold_after_hold_is_decided_each_for_itself)
{
    uint64_t calls = 0, total_ns = 0;
    for (uint64_t i = 0; i < 1000; i++) {
        bool keep = i % 3 == 0;
        eprof_hold();
        scope_of("a", i);
        eprof_keep(keep);
        calls += keep;
        total_ns += keep ? i : 0;
    }
    assert_int_equal(scope_row("a").calls, calls);
    assert_ns(scope_row("a").total_ns, total_ns);
    assert_ns(scope_row("a").max_ns, 999);
    assert_ns(scope_row("a").min_ns, 0);
}

TEST(a_keep_without_a_hold_is_counted)
{
    eprof_keep(true);
    eprof_hold();
    eprof_keep(false);
    eprof_keep(false);
    assert_diagnostics("unmatched_keeps 2");
    eprof_reset();
    assert_diagnostics("");
}

/* ------------------------------------------------------------------------ nested -- */

/* Three nested holds, each with a scope of its own; bit i of `decisions` keeps the i-th hold,
 * counted from the outermost. */
TEST(outer_hold_decides_for_what_the_inner_ones_kept)
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
            scope_of(labels[i], ns[i]);
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
            assert_ns(scope_row(path).total_ns, keeps ? ns[i] : 0);
        }
        assert_ns(scope_row("root").total_ns, 111);
        assert_ns(scope_row("root").self_ns, dropped_ns);
        assert_diagnostics("");
    }
}

TEST(inner_drop_leaves_its_time_in_the_held_scope_around_it)
{
    for (int keep = 0; keep < 2; keep++) {
        hand_clock_begin(state);
        eprof_enter("a");
        eprof_hold();
        eprof_enter("b");
        hand_ticks += 1;
        eprof_hold();
        scope_of("c", 10);
        eprof_keep(false);
        eprof_leave();
        eprof_keep(keep);
        eprof_leave();
        assert_tree(keep ? "a 1/1 11 0\n"
                           "a;b 1/1 11 11\n"
                         : "a 1/1 11 11\n");
    }
}

TEST(seventy_holds_decide_with_the_62nd)
{
    enum { HOLDS = 70, OF_THEIR_OWN = 62 };
    for (int dropped = 1; dropped <= HOLDS; dropped += 3) {
        uint64_t kept = 0;
        hand_clock_begin(state);
        for (int i = 1; i <= HOLDS; i++) {
            eprof_hold();
            scope_of("a", 1);
        }
        for (int i = HOLDS; i >= 1; i--)
            eprof_keep(i != dropped);
        for (int i = 1; i <= HOLDS; i++)
            kept += dropped > OF_THEIR_OWN || i < dropped;
        assert_int_equal(scope_row("a").calls, kept);
        assert_ns(scope_row("a").total_ns, kept);
        assert_diagnostics("");
    }
}

/* ------------------------------------------------------------- across its edges -- */

TEST(scope_that_began_before_counts_in_any_case)
{
    for (int keep = 0; keep < 2; keep++) {
        hand_clock_begin(state);
        eprof_enter("a");
        eprof_enter("b");
        hand_ticks += 1;
        eprof_hold();
        hand_ticks += 10;
        scope_of("c", 100);
        eprof_leave();
        scope_of("d", 1000);
        eprof_leave();
        eprof_keep(keep);
        assert_tree(keep ? "a 1/1 1111 0\n"
                           "a;b 1/1 111 11\n"
                           "a;b;c 1/1 100 100\n"
                           "a;d 1/1 1000 1000\n"
                         : "a 1/1 1111 1000\n"
                           "a;b 1/1 111 111\n");
        assert_diagnostics("");
    }
}

TEST(scope_open_at_the_keep_is_finished)
{
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
    scope_of("c", 5);
    eprof_leave();
    eprof_leave();
    assert_tree("a 1/1 116 0\n"
                "a;b 1/1 116 1\n"
                "a;b;c 2/2 115 115\n");
    assert_diagnostics("");
}

TEST(scope_open_at_the_drop_is_nothing_and_its_end_no_error)
{
    eprof_enter("a");
    eprof_hold();
    eprof_enter("b");
    hand_ticks += 1;
    scope_of("gone", 10);
    eprof_keep(false);
    hand_ticks += 100;
    assert_tree("a 0/0 111 111 open 1\n");
    scope_of("c", 1000);
    eprof_leave();
    scope_of("b", 5);
    eprof_leave();
    assert_tree("a 1/1 1116 111\n"
                "a;b 1/1 5 5\n"
                "a;b;c 1/1 1000 1000\n");
    assert_diagnostics("");
}

TEST(recursion_across_the_edge_has_its_time_once)
{
    for (int keep = 0; keep < 2; keep++) {
        hand_clock_begin(state);
        eprof_enter("a");
        eprof_hold();
        scope_of("a", 10);
        eprof_enter("b");
        scope_of("a", 100);
        eprof_leave();
        eprof_keep(keep);
        scope_of("a", 1000);
        eprof_leave();
        assert_tree(keep ? "a 4/1 1110 1110\n"
                           "a;b 1/1 100 0\n"
                         : "a 2/1 1110 1110\n");
        assert_diagnostics("");
    }
}

TEST(reset_inside_forgets_what_was_held)
{
    for (int keep = 0; keep < 2; keep++) {
        hand_clock_begin(state);
        eprof_hold();
        scope_of("a", 10);
        eprof_enter("b");
        eprof_reset();
        scope_of("c", 100);
        eprof_leave();
        eprof_keep(keep);
        assert_tree(keep ? "b 0/0 100 0\n"
                           "b;c 1/1 100 100\n"
                         : "");
        assert_diagnostics("");
    }
}

TEST(switching_the_thread_inside_leaves_the_hold_in_place)
{
    for (int keep = 0; keep < 2; keep++) {
        hand_clock_begin(state);
        eprof_hold();
        scope_of("a", 1);
        eprof_thread_enable(false);
        scope_of("a", 10);
        eprof_thread_enable(true);
        scope_of("a", 100);
        eprof_keep(keep);
        assert_tree(keep ? "a 2/2 101 101\n" : "");
        assert_diagnostics("");
    }
}

/* ----------------------------------------------------------------------- threads -- */

static void hold_and_pass(void *unused)
{
    (void)unused;
    eprof_hold();
    scope_of("held", 10);
}

static void let_go(void *unused)
{
    (void)unused;
    eprof_keep(false);
}

TEST(a_hold_leaves_other_threads_alone)
{
    struct worker worker;
    worker_begin(&worker);
    worker_do(&worker, hold_and_pass, NULL);
    scope_of("free", 10);
    assert_tree("free 1/1 10 10\n");
    eprof_keep(true);
    assert_diagnostics("unmatched_keeps 1");
    worker_do(&worker, let_go, NULL);
    worker_end(&worker);
    assert_tree("free 1/1 10 10\n");
}

/* The next thread without a name gets the record that the first one has left. */
TEST(a_hold_open_at_the_threads_end_is_dropped)
{
    on_a_thread(hold_and_pass, NULL);
    assert_tree("");
    on_a_thread(let_go, NULL);
    assert_tree("");
    assert_diagnostics("unmatched_keeps 1");
    hold_and_pass(NULL);
    eprof_thread_exit();
    assert_tree("");
    eprof_keep(true);
    assert_diagnostics("unmatched_keeps 2");
}

TEST_EACH(hand_clock_begin, NULL)
