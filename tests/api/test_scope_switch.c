/*
 * Switching recording on and off: a scope belongs to the state in which it began. The rules for the
 * process also hold for one thread.
 */
#include "calls.h"
#include "figures.h"
#include "scope_row.h"
#include "threads.h"
#include "tree_text.h"

/* eprof_enable() or eprof_thread_enable(): every test runs with both. */
static void (*set_recording)(bool on);

TEST(scope_open_when_switched_off_is_finished)
{
    {
        EPROF_SCOPE("a");
        hand_ticks += 1;
        {
            EPROF_SCOPE("b");
            set_recording(false);
            hand_ticks += 10;
            assert_tree("a 0/0 11 1 open 1\n"
                        "a;b 0/0 10 10 open 1\n");
        }
        hand_ticks += 100;
    }
    assert_tree("a 1/1 111 101\n"
                "a;b 1/1 10 10\n");
    set_recording(true);
    assert_diagnostics("");
}

TEST(scope_begun_while_off_is_nothing_in_either_state_of_its_end)
{
    for (int ends_on = 0; ends_on < 2; ends_on++) {
        set_recording(false);
        {
            EPROF_SCOPE("a");
            EPROF_SCOPE("b");
            hand_ticks += 10;
            set_recording(ends_on);
        }
        EPROF_BLOCK("c")
        {
            hand_ticks += 1;
        }
        set_recording(true);
        assert_int_equal(scope_row("a").open + scope_row("a;b").open, 0);
    }
    assert_tree("c 1/1 1 1\n");
    assert_diagnostics("");
}

TEST(scope_begun_while_off_is_not_there_for_what_begins_in_it)
{
    {
        EPROF_SCOPE("a");
        set_recording(false);
        {
            EPROF_SCOPE("b");
            hand_ticks += 10;
            set_recording(true);
            EPROF_SCOPE("c");
            hand_ticks += 100;
        }
        hand_ticks += 1;
    }
    assert_tree("a 1/1 111 11\n"
                "a;c 1/1 100 100\n");
    assert_diagnostics("");
}

TEST(recursion_has_what_began_while_on)
{
    for (int i = 0; i < 4; i++) { /* on, off, on, off */
        set_recording(i % 2 == 0);
        eprof_enter("a");
        hand_ticks += 10;
    }
    set_recording(true);
    for (int i = 0; i < 4; i++)
        eprof_leave();
    assert_tree("a 2/1 40 40\n");
    assert_diagnostics("");
    eprof_leave();
    assert_diagnostics("unbalanced 1");
}

/* Each of up to 8 steps is an enter of one more scope, a leave, or a switch, in all orders. A scope
 * counts if and only if it began while recording was on. */
TEST(all_orders_of_enters_leaves_and_switches_count_what_began_while_on)
{
    enum { STEPS = 8, ORDERS = 6561 /* 3^8 */ };
    for (int order = 0; order < ORDERS; order++) {
        bool began_on[STEPS], is_on = true;
        int open = 0;
        uint64_t calls = 0;
        hand_clock_begin(state);
        eprof_thread_enable(true);
        for (int step = 0, rest = order; step < STEPS || open || !is_on; step++, rest /= 3) {
            int act = step < STEPS ? rest % 3 : open ? 1 : 2;
            if (act == 0) {
                began_on[open] = is_on;
                eprof_enter((const char[]){(char)('a' + open++), '\0'});
            } else if (act == 1 && open) {
                calls += began_on[--open];
                eprof_leave();
            } else if (act == 2) {
                is_on = !is_on;
                set_recording(is_on);
            }
        }
        uint64_t seen = 0;
        eprof_snapshot *snapshot = eprof_snapshot_take();
        for (size_t i = 0; i < eprof_snapshot_rows(snapshot); i++) {
            struct eprof_row row = {.size = sizeof row};
            eprof_snapshot_row(snapshot, i, &row);
            if (strcmp(row.kind, "scope") != 0 || row.open)
                fail_msg("order %d: a row of kind %s, open %d", order, row.kind, (int)row.open);
            seen += row.calls;
        }
        eprof_snapshot_free(snapshot);
        if (seen != calls)
            fail_msg("order %d: %d calls and not %d", order, (int)seen, (int)calls);
    }
}

/* ---------------------------------------------------------------------- draining -- */

static void open_one(void *unused)
{
    (void)unused;
    eprof_enter("worker");
}

static void close_one(void *unused)
{
    (void)unused;
    eprof_leave();
}

TEST(last_leave_switches_all_off)
{
    {
        EPROF_SCOPE("a");
        {
            EPROF_SCOPE("b");
            eprof_enable(false);
            assert_int_not_equal(eprof_recording, 0);
        }
        assert_int_not_equal(eprof_recording, 0);
        EPROF_SCOPE("not begun");
        hand_ticks += 1;
    }
    assert_int_equal(eprof_recording, 0);
    eprof_enable(true);
    assert_tree("a 1/1 1 1\n"
                "a;b 1/1 0 0\n");
}

TEST(leave_on_another_thread_may_be_the_last)
{
    struct worker worker;
    worker_begin(&worker);
    worker_do(&worker, open_one, NULL);
    {
        EPROF_SCOPE("a");
        eprof_enable(false);
    }
    assert_int_not_equal(eprof_recording, 0);
    hand_ticks += 5;
    worker_do(&worker, close_one, NULL);
    assert_int_equal(eprof_recording, 0);
    worker_end(&worker);
    eprof_enable(true);
    assert_tree("a 1/1 0 0\n"
                "worker 1/1 5 5\n");
}

TEST(thread_that_ends_inside_a_scope_is_not_waited_for)
{
    struct worker worker;
    worker_begin(&worker);
    worker_do(&worker, open_one, NULL);
    eprof_enable(false);
    worker_end(&worker);
    eprof_enable(true);
    eprof_enable(false);
    assert_int_equal(eprof_recording, 0);
    eprof_enable(true);
    assert_diagnostics("forced_closes 1");
}

/* The leave of a scope that a hold dropped has still to come. */
TEST(dropped_scope_is_waited_for)
{
    eprof_hold();
    {
        EPROF_SCOPE("a");
        eprof_enable(false);
        eprof_keep(false);
        scope_of("off", 1);
        assert_int_not_equal(eprof_recording, 0);
    }
    assert_int_equal(eprof_recording, 0);
    eprof_enable(true);
    scope_of("b", 2);
    assert_tree("b 1/1 2 2\n");
    assert_diagnostics("");
}

TEST(scope_from_before_a_reset_is_waited_for)
{
    {
        EPROF_SCOPE("a");
        eprof_reset();
        eprof_enable(false);
        scope_of("off", 1);
        assert_int_not_equal(eprof_recording, 0);
    }
    assert_int_equal(eprof_recording, 0);
    eprof_enable(true);
    scope_of("b", 2);
    assert_tree("b 1/1 2 2\n");
    assert_diagnostics("");
}

/* A clock at whose next reading another thread switches recording off. */
static _Thread_local struct worker *switching;

static void switch_off(void *unused)
{
    (void)unused;
    eprof_enable(false);
}

static uint64_t switching_now(void *unused)
{
    struct worker *worker = switching;
    (void)unused;
    switching = NULL;
    if (worker)
        worker_do(worker, switch_off, NULL);
    return hand_ticks;
}

/* Under a budget some calls are timed by their edge. */
static void call_edged(void)
{
    EPROF_SCOPE("edged");
    hand_ticks += 1;
}

TEST(scope_that_begins_while_another_thread_switches_off_is_left)
{
    enum { TIMES = 200, CALLS = 20 };
    struct worker worker;
    worker_begin(&worker);
    clock_take("switching", switching_now, 1000000000);
    for (int i = 0; i < TIMES; i++) {
        for (int call = 0; call < CALLS; call++)
            call_edged();
        switching = &worker;
        call_edged();
        switching = NULL;
        eprof_enable(true);
        assert_int_equal(scope_row("edged").open, 0);
    }
    worker_end(&worker);
    assert_diagnostics("");
}

TEST(switch_of_a_thread_leaves_others_alone)
{
    struct worker worker;
    worker_begin(&worker);
    eprof_thread_enable(false);
    scope_of("a", 1);
    worker_do(&worker, open_one, NULL);
    hand_ticks += 10;
    worker_do(&worker, close_one, NULL);
    eprof_thread_enable(true);
    assert_tree("worker 1/1 10 10\n");
    worker_end(&worker);
}

TEST_RUN()
{
    set_recording = eprof_enable;
    int failed = tests_run("scopes and the switch", hand_clock_begin, NULL);
    set_recording = eprof_thread_enable;
    return failed + tests_run("scopes and a thread's switch", hand_clock_begin, NULL);
}
