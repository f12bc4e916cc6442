/*
 * Signal handlers at every instruction of the hooks of a function
 *
 * As test_scope_interrupt.c: the trap flag raises SIGTRAP after each instruction. The counts of the
 * interrupted functions are exact; calls of the handler that could not be recorded are counted as
 * lost. Under a budget this interrupts the code of eprof/hooks.h (tests/api/CMakeLists.txt).
 */
#include "hand_clock.h"
#include "hooked.h"
#include "trap_flag.h"

#include <inttypes.h>

#include "rows.h"

enum { ROUNDS = 8, DEPTH = 3 };

static uint64_t steps; /* instructions that were interrupted */
static void (*in_handler)(void);

static void step(ucontext_t *interrupted)
{
    (void)interrupted;
    steps++;
    in_handler();
}

static int begin(void **state)
{
    (void)state;
    eprof_init();
    return trap_flag_call(step);
}

/* ---- what a handler does ---- */

static void enter_a_scope(void)
{
    EPROF_SCOPE("handler");
}

static void call_other_functions(void)
{
    hooked_work(1);
}

static void call_what_is_interrupted(void)
{
    hooked_nested(0);
}

static void drop_a_hold(void)
{
    eprof_hold();
    enter_a_scope();
    eprof_keep(false);
}

/* ---- what is interrupted ---- */

static void nested(void)
{
    hooked_nested(0);
}

static void recursive(void)
{
    hooked_recursion(DEPTH);
}

static uint64_t paths; /* of the rows that calls_of() has added up */

/* Nothing stays open, and no other diagnostic appears than that of lost calls. */
static uint64_t calls_of(const char *kind)
{
    uint64_t calls = paths = 0;
    eprof_snapshot *snapshot = eprof_snapshot_take();
    for (size_t i = 0; i < eprof_snapshot_rows(snapshot); i++) {
        struct eprof_row row = {.size = sizeof row};
        eprof_snapshot_row(snapshot, i, &row);
        if (strcmp(row.kind, kind) == 0) {
            calls += row.calls;
            paths++;
        }
        if (row.open)
            fail_msg("%s is open %" PRIu64 " times", row.path, row.open);
        if (strcmp(row.kind, "diagnostic") == 0 && strcmp(row.name, "lost") != 0 &&
            strcmp(row.name, "out_of_cells") != 0)
            fail_msg("%s %" PRIu64, row.name, row.calls);
    }
    eprof_snapshot_free(snapshot);
    return calls;
}

/* The first time it is cold, later times hot. Asserts the sum of the calls of functions; each step
 * makes `by_handler` of them, or they are lost. */
static void check(void (*act)(void), uint64_t calls, void (*by)(void), uint64_t by_handler)
{
    in_handler = by;
    steps = 0;
    for (int i = 0; i < ROUNDS; i++) {
        trap_flag_set();
        act();
        trap_flag_clear();
    }
    uint64_t found = calls_of("function"), lost = by_handler ? diagnostic_count("lost") : 0;
    if (found + lost != calls * ROUNDS + by_handler * steps)
        fail_msg("%" PRIu64 " calls and %" PRIu64 " lost, of %" PRIu64 " and %" PRIu64
                 " by the handler",
                 found, lost, calls * ROUNDS, by_handler * steps);
}

TEST(functions_are_exact_at_each_instruction)
{
    check(nested, HOOKED_NESTED_CALLS, enter_a_scope, 0);
    assert_int_equal(paths, HOOKED_NESTED_CALLS);
    assert_int_equal(calls_of("scope") + diagnostic_count("lost"), steps);
}

TEST(recursion_is_exact_at_each_instruction)
{
    check(recursive, DEPTH + 1, enter_a_scope, 0);
    assert_int_equal(paths, 1);
    assert_int_equal(calls_of("scope") + diagnostic_count("lost"), steps);
}

TEST(functions_of_the_handler_are_exact_at_each_instruction)
{
    check(nested, HOOKED_NESTED_CALLS, call_other_functions, 2);
}

TEST(handler_that_calls_what_it_interrupts_is_exact_at_each_instruction)
{
    check(nested, HOOKED_NESTED_CALLS, call_what_is_interrupted, HOOKED_NESTED_CALLS);
}

TEST(handler_that_drops_a_hold_leaves_functions_exact_at_each_instruction)
{
    check(nested, HOOKED_NESTED_CALLS, drop_a_hold, 0);
    assert_int_equal(paths, HOOKED_NESTED_CALLS);
}

int main(void)
{
    return tests_run("hook_interrupt", begin, NULL);
}
