/*
 * EPROF_SLOW under a budget, where it was entered before: its hold then begins and ends in a brief
 * way, unless something unusual happens in it (record/slow.h)
 */
#include "figures.h"
#include "hand_clock.h"
#include "report_line.h"
#include "scope_row.h"
#include "tree_text.h"

#include <errno.h>
#include <setjmp.h>

enum { LEAST_NS = 100, BEFORE = 4 };

static int id;

static int begin(void **state)
{
    hand_clock_begin(state);
    id = eprof_alloc("pair");
    return eprof_setup("budget=1/4096");
}

static __attribute__((noinline)) void leaf(void)
{
    EPROF_SCOPE("leaf");
}

static __attribute__((noinline)) void slow_with(uint64_t ns, void (*act)(void))
{
    EPROF_SLOW("slow", LEAST_NS);
    leaf();
    hand_ticks += ns;
    if (act)
        act();
}

static void slow(uint64_t ns)
{
    slow_with(ns, NULL);
}

static void make_known(void)
{
    for (int i = 0; i < BEFORE; i++) {
        slow(LEAST_NS);
        slow(1);
    }
}

static void assert_scope(const char *path, uint64_t calls, uint64_t total_ns, uint64_t self_ns)
{
    struct eprof_row row = scope_row(path);
    if (row.calls != calls || (uint64_t)row.total_ns != total_ns ||
        (uint64_t)row.self_ns != self_ns || row.open)
        fail_msg("%s: %" PRIu64 " calls, total %" PRIu64 ", self %" PRIu64 ", open %" PRIu64, path,
                 (uint64_t)row.calls, (uint64_t)row.total_ns, (uint64_t)row.self_ns,
                 (uint64_t)row.open);
}

TEST(each_is_decided_by_its_own_time)
{
    enum { EACH = 40 };
    {
        EPROF_FRAME("around", 0);
        for (uint64_t ns = LEAST_NS - EACH; ns < LEAST_NS + EACH; ns++)
            slow(ns);
    }
    uint64_t kept_ns = EACH * LEAST_NS + EACH * (EACH - 1) / 2;
    uint64_t dropped_ns = EACH * LEAST_NS - EACH * (EACH + 1) / 2;
    assert_scope("around", 1, kept_ns + dropped_ns, dropped_ns);
    assert_scope("around;slow", EACH, kept_ns, kept_ns);
    assert_int_equal(scope_row("around;slow").timed, EACH);
    assert_int_equal(scope_row("around;slow").min_ns, LEAST_NS);
    assert_int_equal(scope_row("around;slow").max_ns, LEAST_NS + EACH - 1);
    assert_int_equal(scope_row("around;slow;leaf").calls, EACH);
    assert_string_equal(report_line("table", "holds:"), "holds: 40 of 80 kept");
    assert_diagnostics("");
}

static __attribute__((noinline)) void slow_for(uint64_t least_ns, uint64_t ns)
{
    EPROF_SLOW("of any time", least_ns);
    hand_ticks += ns;
}

TEST(least_time_may_differ_from_call_to_call)
{
    static const uint64_t all_ns[] = {0, 1, 50, 1000, 1000000, UINT64_MAX / 16, UINT64_MAX, 7};
    for (int i = 0; i < 3; i++)
        for (size_t least = 0; least < sizeof all_ns / sizeof *all_ns; least++)
            for (uint64_t ns = 1; ns <= 10000; ns *= 10) {
                eprof_reset();
                slow_for(all_ns[least], ns);
                slow_for(all_ns[least], ns);
                assert_int_equal(scope_row("of any time").calls, ns >= all_ns[least] ? 2 : 0);
            }
}

/* ---- something unusual inside, at first and when all is known ---- */

static void start_and_stop(void)
{
    eprof_start(id);
    eprof_stop(id);
}

static void record_a_value(void)
{
    EPROF_VALUE("value", 3);
}

static void record_a_frame(void)
{
    EPROF_FRAME("frame", 1);
    hand_ticks += 2;
}

static void enter_by_hand(void)
{
    eprof_enter("by hand");
    eprof_leave();
}

static void hold_and_keep(void)
{
    eprof_hold();
    leaf();
    eprof_keep(true);
}

static void leave_a_hold_open(void)
{
    eprof_hold();
    leaf();
}

static void be_slow_inside(void)
{
    EPROF_SLOW("slow inside", LEAST_NS);
    hand_ticks += LEAST_NS;
}

static void be_fast_inside(void)
{
    EPROF_SLOW("fast inside", LEAST_NS);
    hand_ticks += 1;
}

static void switch_the_thread(void)
{
    eprof_thread_enable(false);
    eprof_thread_enable(true);
}

static void change_the_budget(void)
{
    static int changes;
    assert_int_equal(eprof_setup(changes++ % 2 ? "budget=1/4096" : "budget=1/64"), 0);
}

static void (*const unusual[])(void) = {start_and_stop,
                                        record_a_value,
                                        record_a_frame,
                                        enter_by_hand,
                                        hold_and_keep,
                                        leave_a_hold_open,
                                        be_slow_inside,
                                        be_fast_inside,
                                        switch_the_thread,
                                        change_the_budget,
                                        NULL};

TEST(after_something_unusual_all_is_as_before)
{
    for (int i = 0; unusual[i]; i++) {
        eprof_reset();
        make_known();
        slow_with(LEAST_NS, unusual[i]);
        slow_with(1, unusual[i]);
        make_known();
        uint64_t inside = unusual[i] == hold_and_keep;
        bool is_longer = unusual[i] == be_slow_inside; /* than that, even if it is short itself */
        uint64_t calls = 2 * BEFORE + 1 + is_longer;
        if (scope_row("slow").calls != calls || scope_row("slow;leaf").calls != calls + inside)
            fail_msg("%d: %" PRIu64 " calls, not %" PRIu64 ", and %" PRIu64 " inside", i,
                     (uint64_t)scope_row("slow").calls, calls,
                     (uint64_t)scope_row("slow;leaf").calls);
        assert_diagnostics("");
    }
    assert_int_equal(scope_row("slow;slow inside").calls, 0); /* a reset came after it */
}

static uint64_t span_start;

static void record_the_span(void)
{
    eprof_record(id, span_start, eprof_now());
}

/* A span belongs to the hold in which it began. */
TEST(span_that_began_before_counts_although_it_is_dropped)
{
    struct eprof_row row;
    hand_ticks += 1000;
    make_known();
    for (int i = 1; i <= 3; i++) {
        span_start = eprof_now();
        hand_ticks += 5;
        slow_with(1, record_the_span);
        take_rows(eprof_snapshot_take, "instance", "pair", "*", &row);
        assert_int_equal(row.calls, i);
    }
    assert_diagnostics("");
}

static void reset(void)
{
    eprof_reset();
}

TEST(reset_inside_forgets_it)
{
    make_known();
    slow_with(LEAST_NS, reset);
    assert_tree("");
    make_known();
    assert_scope("slow", BEFORE, BEFORE * LEAST_NS, BEFORE * LEAST_NS);
    assert_int_equal(scope_row("slow;leaf").calls, BEFORE);
    assert_diagnostics("");
}

static void switch_off(void)
{
    eprof_enable(false);
}

TEST(switched_off_inside_it_is_finished)
{
    make_known();
    slow_with(LEAST_NS, switch_off);
    assert_int_equal(eprof_recording, 0);
    slow(LEAST_NS);
    eprof_enable(true);
    make_known();
    assert_scope("slow", 2 * BEFORE + 1, (2 * BEFORE + 1) * LEAST_NS, (2 * BEFORE + 1) * LEAST_NS);
    assert_diagnostics("");
}

static void keep(void)
{
    eprof_keep(true);
    hand_ticks += 5;
    leaf();
}

static void drop(void)
{
    eprof_keep(false);
    leaf();
}

TEST(keep_of_the_programs_own_inside_decides)
{
    make_known();
    slow_with(1, keep);
    assert_int_equal(scope_row("slow").calls, BEFORE + 1);
    assert_int_equal(scope_row("slow;leaf").calls, BEFORE + 2);
    slow_with(LEAST_NS, drop);
    assert_int_equal(scope_row("slow").calls, BEFORE + 1);
    make_known();
    assert_int_equal(scope_row("slow").calls, 2 * BEFORE + 1);
    assert_diagnostics("");
}

TEST(scope_that_is_new_where_its_hold_is_kept_inside_has_its_figures)
{
    for (int i = 0; i < BEFORE; i++)
        slow(1);
    slow_with(1, keep);
    assert_scope("slow", 1, 6, 6);
    assert_diagnostics("");
}

/* ---- scopes around ---- */

static void nest(uint64_t own_ns, uint64_t inner_ns)
{
    EPROF_SLOW("outer", LEAST_NS);
    hand_ticks += own_ns;
    slow(inner_ns);
}

TEST(inside_another_both_must_have_been_slow)
{
    for (int i = 0; i < BEFORE; i++) {
        nest(10, 20);
        nest(90, 20);
        nest(10, 100);
    }
    assert_scope("outer", 2 * BEFORE, BEFORE * 220, BEFORE * 120);
    assert_scope("outer;slow", BEFORE, BEFORE * 100, BEFORE * 100);
    assert_int_equal(scope_row("outer;slow;leaf").calls, BEFORE);
    assert_string_equal(report_line("table", "holds:"), "holds: 12 of 24 kept");
    assert_diagnostics("");
}

static void recurse(int depth)
{
    EPROF_SLOW("recursive", LEAST_NS);
    hand_ticks += 40;
    if (depth)
        recurse(depth - 1);
}

TEST(recursion_has_its_time_once)
{
    for (int i = 0; i < BEFORE; i++)
        recurse(3);
    assert_scope("recursive", 2 * BEFORE, 160 * BEFORE, 160 * BEFORE);
    assert_diagnostics("");
}

static void two_in_a_function(uint64_t first_ns, uint64_t second_ns)
{
    EPROF_SLOW("first", LEAST_NS);
    hand_ticks += first_ns;
    EPROF_SLOW("second", LEAST_NS);
    hand_ticks += second_ns;
}

TEST(two_of_one_function_are_apart)
{
    for (int i = 0; i < BEFORE; i++) {
        two_in_a_function(LEAST_NS, 1);
        two_in_a_function(1, LEAST_NS);
        two_in_a_function(1, 1);
    }
    assert_scope("first", 2 * BEFORE, BEFORE * 202, BEFORE * 102);
    assert_scope("first;second", BEFORE, BEFORE * LEAST_NS, BEFORE * LEAST_NS);
    assert_diagnostics("");
}

/* More than are known at a time. */
static void below(unsigned path)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    if (!path) {
        slow(LEAST_NS);
        slow(1);
        return;
    }
    eprof_enter(names[__builtin_ctz(path)]);
    below(path & (path - 1));
    eprof_leave();
}

TEST(each_path_of_many_has_its_own)
{
    for (int i = 0; i < BEFORE; i++)
        for (unsigned path = 0; path < 256; path++)
            below(path);
    assert_scope("slow", BEFORE, BEFORE * LEAST_NS, BEFORE * LEAST_NS);
    assert_scope("a;c;slow", BEFORE, BEFORE * LEAST_NS, BEFORE * LEAST_NS);
    assert_int_equal(scope_row("a;b;c;d;e;f;g;h;slow;leaf").calls, BEFORE);
    assert_int_equal(scope_row("b;h;slow").calls, BEFORE);
    assert_diagnostics("");
}

static jmp_buf way_out;

static void jump(void)
{
    longjmp(way_out, 1);
}

/* One that was left by a jump is closed when the next is entered. */
TEST(left_by_jumps_none_piles_up)
{
    enum { JUMPS = 20 };
    make_known();
    for (int i = 0; i < JUMPS; i++) {
        if (setjmp(way_out) == 0)
            slow_with(i % 2 ? LEAST_NS : 1, jump);
        slow_with(1, NULL);
    }
    make_known();
    assert_scope("slow", 2 * BEFORE + JUMPS / 2, (2 * BEFORE + JUMPS / 2) * LEAST_NS,
                 (2 * BEFORE + JUMPS / 2) * LEAST_NS);
    assert_int_equal(diagnostic_count("forced_closes"), JUMPS);
    eprof_keep(true);
    assert_int_equal(diagnostic_count("unmatched_keeps"), 1);
}

TEST(errno_is_kept)
{
    make_known();
    errno = 77;
    slow(LEAST_NS);
    slow(1);
    assert_int_equal(errno, 77);
}

TEST_EACH(begin, NULL)
