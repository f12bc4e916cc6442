/*
 * Another thread acts while an enter or a leave reads its clock: the result is as if one of the
 * calls came before the other.
 */
#include "calls.h"
#include "threads.h"
#include "tree_text.h"

static struct worker worker;
static thread_act act_between; /* done by the worker within the next read of the clock */

/* The library holds nothing that another thread needs while it reads the clock. */
static uint64_t interrupted_now(void *unused)
{
    thread_act act = act_between;
    act_between = NULL;
    uint64_t now = hand_clock_now(unused);
    if (act)
        worker_do(&worker, act, NULL);
    return now;
}

static int begin(void **state)
{
    hand_clock_begin(state);
    clock_take("interrupted", interrupted_now, 1000000000);
    worker_begin(&worker);
    return 0;
}

static int end(void **state)
{
    (void)state;
    worker_end(&worker);
    eprof_enable(true);
    return 0;
}

/* A scope of 10 ns; `in_enter` is run while its enter reads the clock, `in_leave` while its leave
 * does. */
static void scope_with(thread_act in_enter, thread_act in_leave)
{
    act_between = in_enter;
    {
        EPROF_SCOPE("a");
        assert_null(act_between);
        hand_ticks += 10;
        act_between = in_leave;
    }
    act_between = NULL; /* a leave may be skipped */
}

static void manual_with(thread_act in_enter, thread_act in_leave)
{
    act_between = in_enter;
    eprof_enter("a");
    assert_null(act_between);
    hand_ticks += 10;
    act_between = in_leave;
    eprof_leave();
    act_between = NULL;
}

static void (*const scopes[])(thread_act in_enter, thread_act in_leave) = {scope_with, manual_with};
enum { KINDS = sizeof scopes / sizeof *scopes, VISITS = 3 };

static const char counted[] = "a 1/1 10 10\n";

/* ------------------------------------------------------------------ what -- */

static void use_another_source(void *unused)
{
    (void)unused;
    eprof_source_use("hand");
}

static char seen[256];

static void look(void *unused)
{
    (void)unused;
    snprintf(seen, sizeof seen, "%s", tree_text());
}

/* ------------------------------------------------------------------ when -- */

/* `act` comes during the enter, or during the leave, of a scope's first visit and of later ones:
 * the tree is one of the two texts; then it is as usual. */
static void assert_either(thread_act act, bool is_in_leave, const char *one, const char *other)
{
    for (int kind = 0; kind < KINDS; kind++) {
        for (int visit = 0; visit < VISITS; visit++) {
            scopes[kind](is_in_leave ? NULL : act, is_in_leave ? act : NULL);
            const char *text = tree_text();
            if (strcmp(text, one) != 0 && strcmp(text, other) != 0)
                fail_msg("kind %d, visit %d: \"%s\", neither \"%s\" nor \"%s\"", kind, visit, text,
                         one, other);
            assert_diagnostics("");
            eprof_enable(true);
            assert_int_equal(eprof_source_use("interrupted"), 0);
            eprof_reset();
            scopes[kind](NULL, NULL);
            assert_tree(counted);
            eprof_reset();
        }
    }
}

TEST(reset_while_an_enter_reads_comes_before_or_after_it)
{
    assert_either(reset_here, false, counted, "");
}

TEST(reset_while_a_leave_reads_makes_its_call_nothing)
{
    assert_either(reset_here, true, "", "");
}

TEST(switching_off_while_an_enter_reads_leaves_it_to_be_finished)
{
    assert_either(switch_all_off, false, counted, "");
}

TEST(switching_off_while_a_leave_reads_finishes_it)
{
    assert_either(switch_all_off, true, counted, counted);
}

TEST(switching_off_and_on_while_an_enter_or_a_leave_reads_loses_nothing)
{
    assert_either(switch_off_and_on, false, counted, counted);
    assert_either(switch_off_and_on, true, counted, counted);
}

TEST(change_of_source_while_an_enter_reads_makes_its_call_nothing)
{
    assert_either(use_another_source, false, "", counted);
    assert_either(use_another_source, true, "", "");
}

TEST(picture_while_an_enter_or_a_leave_reads_has_it_open_or_not_at_all)
{
    scope_with(look, NULL);
    assert_string_equal(seen, "");
    eprof_reset();
    scope_with(NULL, look);
    assert_string_equal(seen, "a 0/0 10 10 open 1\n");
    assert_tree(counted);
}

/* ----------------------------------------------- before an enter's own -- */

static jmp_buf back;

static __attribute__((noinline)) void jump_out_of_a_scope(void)
{
    EPROF_SCOPE("jumps");
    longjmp(back, 1);
}

/* Its frame is lower than that of any scope that comes next, so it is not taken for a frame around
 * it. */
static __attribute__((noinline)) void jump_from_further_down(void)
{
    char room[4096];
    __asm__ volatile("" : : "r"(room) : "memory"); /* the whole array must exist */
    jump_out_of_a_scope();
    __asm__ volatile("" : : "r"(room) : "memory");
}

/* The next enter closes what is stale, and reads the clock for that before its own. */
TEST(enter_after_a_jump_while_another_thread_resets_is_counted)
{
    static const thread_act acts[] = {reset_here, switch_off_and_on};
    for (volatile int i = 0; i < 2 * KINDS; i++) {
        if (setjmp(back) == 0)
            jump_from_further_down();
        scopes[i % KINDS](acts[i / KINDS], NULL);
        struct eprof_row row;
        take_rows(eprof_snapshot_take, "scope", "a", NULL, &row);
        assert_figures(row, 1, 10);
        eprof_reset();
    }
}

TEST_EACH(begin, end)
