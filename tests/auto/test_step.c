/*
 * Signal handlers at each instruction of functions, and so of hooks, the routine of the entries,
 * and the return of timed calls
 *
 * The trap flag of x86-64 raises SIGTRAP after each instruction (trap_flag.h). The handler calls
 * functions too. Counts of the interrupted functions are exact, and their results are right.
 */
#include "hooks_test.h"

#include "sanitizer.h"

#if defined(__x86_64__) && defined(__LP64__) && !IS_WATCHED

#include "trap_flag.h"

#include <errno.h>
#include <setjmp.h>
#include <stdlib.h>

/* The first rounds are cold: the first eight calls of a path are timed in any case. After them few
 * are. */
enum { COLD = 1, UNDISTURBED = 24, HOT = 2, ROUNDS = COLD + UNDISTURBED + HOT, DEPTH = 3 };

static uint64_t steps; /* instructions that were interrupted */
static void (*in_handler)(void);

static void step(ucontext_t *interrupted)
{
    (void)interrupted;
    steps++;
    in_handler();
}

static int step_begin(void **state)
{
    assert_return_code(trap_flag_call(step), errno);
    return hooks_begin(state);
}

/* ---- what a handler does ---- */

static void do_nothing(void)
{
}

static void call_others(void)
{
    step_handler();
}

static void call_what_is_interrupted(void)
{
    if (step_recursion(1) != 1)
        abort();
}

static void open_a_scope(void)
{
    EPROF_SCOPE("handler");
}

/* ---- what is interrupted ---- */

static void calls(void)
{
    /* 112 + 8 * 0.5 + 9 * 1.5, and 1 + 8 * 129.5 + 9 * 2.5 */
    assert_true(step_calls(0) == 129.5 + 1059.5);
}

static void recurses(void)
{
    assert_int_equal(step_recursion(DEPTH), DEPTH * (DEPTH + 1) / 2);
}

static void callbacks(void)
{
    assert_int_equal(step_callbacks(7), 102);
}

/* ---- counts ---- */

static void interrupt(void (*act)(void), void (*by)(void))
{
    in_handler = by;
    steps = 0;
    for (int i = 0; i < ROUNDS; i++) {
        if (i >= COLD && i < COLD + UNDISTURBED) {
            act();
            continue;
        }
        trap_flag_set();
        act();
        trap_flag_clear();
    }
    leaf(); /* notices which untimed calls have ended */
    assert_true(steps > 100);
    /* no end of a timed call was missed */
    assert_int_equal(function_calls("forced_closes"), 0);
}

/* The functions that were interrupted have exactly these calls, and none is open. */
static void assert_calls_of(const char *name, uint64_t calls)
{
    uint64_t found = function_calls(name), open = function_open(name);
    if (found != calls || open)
        fail_msg("%s: %" PRIu64 " calls, %" PRIu64 " open, expected %" PRIu64 ":\n%s", name, found,
                 open, calls, function_text());
}

/* Of the calls that the handlers made. A call that was counted may lose its place, which counts as
 * lost too. */
static void assert_handlers(uint64_t recorded, uint64_t made)
{
    uint64_t lost = function_calls("lost");
    if (recorded > made || recorded + lost < made)
        fail_msg("%" PRIu64 " calls recorded and %" PRIu64 " lost, of %" PRIu64, recorded, lost,
                 made);
    eprof_reset(); /* the lost calls have been counted */
}

static uint64_t calls_of_handlers(void)
{
    return function_calls("step_handler") + function_calls("step_handler_leaf");
}

static void check_calls(void (*by)(void))
{
    interrupt(calls, by);
    assert_calls_of("step_calls", ROUNDS);
    assert_calls_of("step_leaf", 2 * ROUNDS);
}

TEST(calls_are_exact_at_each_instruction)
{
    check_calls(do_nothing);
    assert_tree("leaf 1\nstep_calls 27\nstep_calls;step_leaf 54\n");
    assert_handlers(0, 0);
}

TEST(functions_of_a_handler_are_exact_at_each_instruction)
{
    check_calls(call_others);
    assert_handlers(calls_of_handlers(), 2 * steps);
}

TEST(scopes_of_a_handler_are_exact_at_each_instruction)
{
    check_calls(open_a_scope);
    assert_handlers(function_calls("handler"), steps);
}

TEST(recursion_is_exact_at_each_instruction)
{
    interrupt(recurses, call_others);
    assert_calls_of("step_recursion", (DEPTH + 1) * ROUNDS);
    assert_handlers(calls_of_handlers(), 2 * steps);
}

TEST(handler_that_calls_what_it_interrupts_is_exact_at_each_instruction)
{
    interrupt(recurses, call_what_is_interrupted);
    assert_int_equal(function_open("step_recursion"), 0);
    assert_handlers(function_calls("step_recursion") - (DEPTH + 1) * ROUNDS, 2 * steps);
}

TEST(callbacks_are_exact_at_each_instruction)
{
    step_compared = 0;
    interrupt(callbacks, call_others);
    assert_calls_of("step_callbacks", ROUNDS);
    assert_calls_of("step_compare", step_compared);
    assert_handlers(calls_of_handlers(), 2 * steps);
}

/* ---- handlers that jump out of the end of a timed call ---- */

static sigjmp_buf outside;
static uint64_t jump_at; /* after so many instructions */

static void jump_out(ucontext_t *interrupted)
{
    if (++steps == jump_at) {
        trap_flag_stop(interrupted);
        siglongjmp(outside, 1);
    }
}

static void set_trap_flag(void)
{
    trap_flag_set();
}

/* From here to the caller of step_ends() each instruction is interrupted, until the handler jumps.
 * Returns whether it has not. */
static bool end_is_reached(uint64_t instructions)
{
    jump_at = instructions;
    steps = 0;
    if (sigsetjmp(outside, 1) != 0)
        return false;
    step_ends(set_trap_flag);
    trap_flag_clear();
    return true;
}

/* The call that is left may be lost, if the jump comes while it is counted. No other call is lost,
 * and none appears in another function. After an untimed call the library has no work. The first
 * instructions are those of the usual end of a timed call; out of the rare work no handler may jump
 * (eprof(3)). */
TEST(jump_out_of_the_end_of_a_call_loses_no_other_call)
{
    enum { MOST_INSTRUCTIONS = 400 };
    uint64_t lost = 0, instructions = 0;
    assert_return_code(trap_flag_call(jump_out), errno);
    for (bool is_reached = false; !is_reached && instructions < MOST_INSTRUCTIONS;) {
        is_reached = end_is_reached(++instructions);
        calls();
        uint64_t lost_before = lost;
        lost = instructions - function_calls("step_ends");
        if (lost != lost_before && lost != lost_before + 1)
            fail_msg("a jump after %" PRIu64 " instructions loses %" PRIi64 " calls", instructions,
                     (int64_t)(lost - lost_before));
        assert_calls_of("leaf", instructions);
        assert_calls_of("step_calls", instructions);
        assert_calls_of("step_leaf", 2 * instructions);
    }
    if (lost > instructions / 4)
        fail_msg("%" PRIu64 " instructions, in %" PRIu64 " of them a jump loses the call",
                 instructions, lost);
    assert_int_equal(function_calls("lost"), 0);
    eprof_reset(); /* forced_closes */
}

int test_step(void)
{
    return tests_run("step", step_begin, hooks_end);
}

#else

int test_step(void)
{
    return 0;
}

#endif
