/* EPROF_SLOW: a scope that counts, with everything recorded in it, only if it was slow. */
#include "figures.h"
#include "hand_clock.h"
#include "report_line.h"
#include "scope_row.h"
#include "tree_text.h"

#include <pthread.h>
#include <setjmp.h>
#include <time.h>

enum { LEAST_NS = 100 };

static int id;

static int begin(void **state)
{
    hand_clock_begin(state);
    id = eprof_alloc("pair");
    return 0;
}

static void inner(uint64_t ns)
{
    EPROF_SCOPE("inner");
    eprof_start(id);
    hand_ticks += ns;
    eprof_stop(id);
}

static void slow(uint64_t ns)
{
    EPROF_SLOW("slow", LEAST_NS);
    hand_ticks += ns / 2;
    inner(ns - ns / 2);
}

TEST(it_counts_from_its_least_time_on)
{
    for (uint64_t ns = LEAST_NS - 2; ns <= LEAST_NS + 2; ns++) {
        bool counts = ns >= LEAST_NS;
        begin(state);
        slow(ns);
        assert_int_equal(scope_row("slow").calls, counts);
        assert_ns(scope_row("slow").total_ns, counts ? ns : 0);
        assert_int_equal(scope_row("slow;inner").calls, counts);
        struct eprof_row row;
        take_rows(eprof_snapshot_take, "instance", "pair", "*", &row);
        assert_int_equal(row.calls, counts);
        assert_diagnostics("");
    }
}

TEST(fast_ones_leave_their_time_in_the_scope_around)
{
    {
        EPROF_SCOPE("around");
        hand_ticks += 1;
        for (uint64_t ns = 10; ns <= 200; ns += 10)
            slow(ns);
    }
    assert_tree("around 1/1 2101 451\n"
                "around;slow 11/11 1650 825\n"
                "around;slow;inner 11/11 825 825\n");
    assert_int_equal(scope_row("around;slow").min_ns, LEAST_NS);
}

TEST(it_is_in_no_snapshot_before_its_end)
{
    {
        EPROF_SLOW("slow", LEAST_NS);
        hand_ticks += 10 * LEAST_NS;
        assert_tree("");
    }
    assert_tree("slow 1/1 1000 1000\n");
}

static void nest(uint64_t own_ns, uint64_t inner_ns)
{
    EPROF_SLOW("outer", LEAST_NS);
    hand_ticks += own_ns;
    slow(inner_ns);
}

TEST(inside_another_both_must_have_been_slow)
{
    nest(10, 20);
    assert_tree("");
    nest(90, 20);
    assert_tree("outer 1/1 110 110\n");
    eprof_reset();
    nest(10, 100);
    assert_tree("outer 1/1 110 10\n"
                "outer;slow 1/1 100 50\n"
                "outer;slow;inner 1/1 50 50\n");
    assert_diagnostics("");
}

static void recurse(int depth)
{
    EPROF_SLOW("slow", LEAST_NS);
    hand_ticks += 40;
    if (depth)
        recurse(depth - 1);
}

/* The two inner scopes of the four are too fast. */
TEST(recursion_has_its_time_once)
{
    recurse(3);
    assert_tree("slow 2/1 160 160\n");
    assert_diagnostics("");
}

TEST(holds_of_the_program_decide_too)
{
    for (int keep = 0; keep < 2; keep++) {
        begin(state);
        eprof_hold();
        slow(LEAST_NS);
        eprof_keep(keep);
        assert_int_equal(scope_row("slow").calls, keep);
        begin(state);
        {
            EPROF_SLOW("slow", LEAST_NS);
            eprof_hold();
            inner(LEAST_NS);
            eprof_keep(keep);
        }
        assert_tree(keep ? "slow 1/1 100 0\n"
                           "slow;inner 1/1 100 100\n"
                         : "slow 1/1 100 100\n");
        assert_diagnostics("");
    }
}

TEST(a_hold_left_open_in_it_is_dropped_with_its_end)
{
    {
        EPROF_SLOW("slow", LEAST_NS);
        eprof_hold();
        inner(LEAST_NS);
    }
    assert_tree("slow 1/1 100 100\n");
    inner(5);
    assert_tree("inner 1/1 5 5\n"
                "slow 1/1 100 100\n");
    eprof_keep(true);
    assert_diagnostics("unmatched_keeps 1");
}

TEST(reset_inside_makes_it_nothing)
{
    {
        EPROF_SLOW("slow", LEAST_NS);
        inner(LEAST_NS);
        eprof_reset();
    }
    assert_tree("");
    slow(2 * LEAST_NS);
    assert_int_equal(scope_row("slow").calls, 1);
    assert_diagnostics("");
}

TEST(switched_off_it_holds_nothing)
{
    eprof_enable(false);
    {
        EPROF_SLOW("slow", LEAST_NS);
        eprof_enable(true);
        inner(3);
    }
    assert_tree("inner 1/1 3 3\n");
    eprof_thread_enable(false);
    slow(LEAST_NS);
    eprof_thread_enable(true);
    assert_tree("inner 1/1 3 3\n");
    slow(LEAST_NS);
    assert_int_equal(scope_row("slow").calls, 1);
    assert_diagnostics("");
}

TEST(switched_off_inside_it_is_finished)
{
    {
        EPROF_SLOW("slow", LEAST_NS);
        eprof_enable(false);
        hand_ticks += LEAST_NS;
    }
    assert_int_equal(eprof_recording, 0);
    eprof_enable(true);
    assert_tree("slow 1/1 100 100\n");
    assert_diagnostics("");
}

/* ----------------------------------------------------------------------- longjmp -- */

static jmp_buf way_out;

__attribute__((noinline)) static void leave_by_a_jump(uint64_t ns)
{
    EPROF_SLOW("slow", LEAST_NS);
    hand_ticks += ns;
    longjmp(way_out, 1);
}

static void jump(uint64_t ns)
{
    if (setjmp(way_out) == 0)
        leave_by_a_jump(ns);
}

/* It is closed when the next scope is entered, and judged by the time for which it has been open
 * then. */
TEST(left_by_a_jump_its_hold_does_not_outlive_it)
{
    for (int is_slow = 0; is_slow < 2; is_slow++) {
        begin(state);
        {
            EPROF_SCOPE("around");
            jump(is_slow ? LEAST_NS : 10);
            inner(7);
        }
        assert_tree(is_slow ? "around 1/1 107 0\n"
                              "around;inner 1/1 7 7\n"
                              "around;slow 1/1 100 100\n"
                            : "around 1/1 17 10\n"
                              "around;inner 1/1 7 7\n");
        assert_diagnostics("forced_closes 1");
        eprof_keep(true);
        assert_diagnostics("forced_closes 1, unmatched_keeps 1");
    }
}

TEST(left_by_jumps_again_and_again_none_piles_up)
{
    enum { JUMPS = 1000 };
    EPROF_SCOPE("around");
    for (int i = 0; i < JUMPS; i++)
        jump(i % 2 ? LEAST_NS : 10);
    inner(1);
    assert_int_equal(scope_row("around;slow").calls, JUMPS / 2);
    assert_int_equal(scope_row("around;slow").total_ns, JUMPS / 2 * LEAST_NS);
    assert_int_equal(scope_row("around;inner").calls, 1);
    assert_int_equal(diagnostic_count("forced_closes"), JUMPS);
}

TEST(keep_of_the_programs_own_inside_ends_it)
{
    for (int keep = 0; keep < 2; keep++) {
        begin(state);
        {
            EPROF_SLOW("slow", LEAST_NS);
            hand_ticks += 1;
            eprof_keep(keep);
            inner(10);
        }
        assert_int_equal(scope_row("slow").calls, keep);
        assert_diagnostics("");
    }
}

/* The innermost one is short, but its hold is decided already. */
static void recurse_and_keep(int depth, bool keep)
{
    EPROF_SLOW("slow", LEAST_NS);
    if (depth > 0) {
        inner(LEAST_NS);
        recurse_and_keep(depth - 1, keep);
    } else {
        eprof_keep(keep);
        hand_ticks += 1;
    }
}

TEST(keep_inside_a_recursion_ends_the_innermost)
{
    for (int keep = 0; keep < 2; keep++) {
        begin(state);
        recurse_and_keep(2, keep);
        struct eprof_row row = scope_row("slow");
        assert_int_equal(row.calls, 2 + keep);
        assert_ns(row.total_ns, 2 * LEAST_NS + 1);
        assert_int_equal(scope_row("slow;inner").calls, 2);
        assert_diagnostics("");
    }
}

/* With a clock that wraps, two moments do not show the rate: it is measured while the scope
 * ends. */
static uint64_t now_32_bits(void *context)
{
    struct timespec now;
    (void)context;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint32_t)(now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec);
}

static void wait_ns(uint64_t ns)
{
    for (uint64_t begin = now_32_bits(NULL); (uint32_t)(now_32_bits(NULL) - begin) < ns;)
        continue;
}

TEST(it_is_measured_by_a_clock_of_unknown_rate_that_wraps)
{
    const struct eprof_source wrapping = {
        .size = sizeof wrapping, .name = "wrapping", .now = now_32_bits, .bits = 32};
    assert_int_equal(eprof_source_add(&wrapping), 0);
    assert_int_equal(eprof_source_use("wrapping"), 0);
    for (int i = 0; i < 2; i++) {
        EPROF_SLOW("longer than that", 1000000);
        wait_ns(2000000);
    }
    for (int i = 0; i < 2; i++) {
        EPROF_SLOW("shorter than that", UINT64_C(3600) * 1000000000);
        wait_ns(1000);
    }
    assert_int_equal(scope_row("longer than that").calls, 2);
    assert_int_equal(scope_row("shorter than that").calls, 0);
}

TEST(pair_by_a_clock_of_each_thread_of_unknown_rate_has_its_time)
{
    const struct eprof_source of_thread = {.size = sizeof of_thread,
                                           .name = "of each thread",
                                           .now = now_32_bits,
                                           .flags = EPROF_SOURCE_PER_THREAD};
    assert_int_equal(eprof_source_add(&of_thread), 0);
    assert_int_equal(eprof_source_use("of each thread"), 0);
    eprof_start(id);
    wait_ns(2000000);
    eprof_stop(id);
    assert_in_range(instance_row("pair").total_ns, 1500000, UINT64_C(60) * 1000000000);
}

/* ------------------------------------------------------------- how many were kept -- */

TEST(report_says_how_many_were_kept_and_of_how_many)
{
    assert_string_equal(report_line("table", "holds:"), "no line");
    for (uint64_t ns = 10; ns <= 200; ns += 10)
        slow(ns);
    assert_string_equal(report_line("table", "holds:"), "holds: 11 of 20 kept");
    assert_string_equal(report_line("tree", "holds:"), "holds: 11 of 20 kept");
    eprof_reset();
    slow(1);
    assert_string_equal(report_line("table", "holds:"), "holds: 0 of 1 kept");
    eprof_reset();
    assert_string_equal(report_line("table", "holds:"), "no line");
}

/* Scopes that the outer hold drops are not counted as kept. */
TEST(one_that_is_kept_inside_one_that_is_dropped_is_none)
{
    for (int keep = 0; keep < 2; keep++) {
        begin(state);
        eprof_hold();
        slow(LEAST_NS);
        slow(1);
        assert_string_equal(report_line("table", "holds:"), "no line");
        eprof_keep(keep);
        assert_string_equal(report_line("table", "holds:"),
                            keep ? "holds: 2 of 3 kept" : "holds: 0 of 3 kept");
    }
}

/* They are treated like pairs that began before a reset. */
TEST(one_that_began_before_a_reset_is_none)
{
    eprof_hold();
    slow(LEAST_NS);
    eprof_reset();
    slow(LEAST_NS);
    eprof_keep(true);
    assert_tree("slow 1/1 100 50\n"
                "slow;inner 1/1 50 50\n");
    assert_string_equal(report_line("table", "holds:"), "holds: 1 of 1 kept");
}

/* The thread's end drops it. */
static void *leave_a_hold_open(void *unused)
{
    eprof_hold();
    slow(LEAST_NS);
    return unused;
}

TEST(those_of_all_threads_count)
{
    pthread_t thread;
    slow(LEAST_NS);
    assert_int_equal(pthread_create(&thread, NULL, leave_a_hold_open, NULL), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_string_equal(report_line("table", "holds:"), "holds: 1 of 3 kept");
}

TEST(while_recording_is_off_none_counts)
{
    eprof_enable(false);
    slow(LEAST_NS);
    eprof_hold();
    eprof_keep(true);
    eprof_enable(true);
    eprof_thread_enable(false);
    slow(LEAST_NS);
    eprof_hold();
    eprof_keep(true);
    eprof_thread_enable(true);
    assert_string_equal(report_line("table", "holds:"), "no line");
}

TEST_EACH(begin, NULL)
