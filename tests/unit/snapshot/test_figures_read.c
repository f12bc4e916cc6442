/*
 * The figures of a region while its owner writes them: calls end between any two instructions of a
 * reading
 *
 * The trap flag of the processor raises SIGTRAP after each instruction of the reader, and the
 * handler writes as the owner does. Only on x86-64.
 */
#include "snapshot/figures.h"

#include "test.h"
#include "trap_flag.h"

enum { CALL_TICKS = 10, CALLS_BEFORE = 100 };

static struct ep_statistics stats;

/* ---- the owner ---- */

/* The order is that of ep_statistics_count(). */
static void write_times(void)
{
    stats.total_ticks += CALL_TICKS;
}

static void write_calls(void)
{
    stats.calls++;
}

static unsigned steps, begins_at, ends; /* it writes after this instruction, this number of calls */

/* This number of calls end. One more has added its time, but is not yet counted as ended. */
static void end_calls(ucontext_t *interrupted)
{
    (void)interrupted;
    if (steps++ != begins_at)
        return;
    for (unsigned i = 0; i < ends; i++) {
        write_times();
        write_calls();
    }
    write_times();
}

/* ---- the reader ---- */

static struct ep_figures read_stepwise(void)
{
    stats = (struct ep_statistics){.calls = CALLS_BEFORE, .total_ticks = CALLS_BEFORE * CALL_TICKS};
    steps = 0;
    trap_flag_set();
    struct ep_figures figures = ep_figures_read(&stats, NULL);
    trap_flag_clear();
    return figures;
}

TEST(times_and_calls_are_apart_by_one_call_at_most)
{
    assert_int_equal(trap_flag_call(end_calls), 0);
    for (ends = 1; ends <= 2; ends++) {
        begins_at = 0;
        do {
            struct ep_figures figures = read_stepwise();
            uint64_t timed = figures.total.low / CALL_TICKS;
            if (timed < figures.calls || timed > figures.calls + 1)
                fail_msg("%u calls after instruction %u: the time of %u in %u", ends, begins_at,
                         (unsigned)timed, (unsigned)figures.calls);
        } while (++begins_at < steps);
        assert_in_range(begins_at, 20, 1000); /* instructions: the reader was run step by step */
    }
}
