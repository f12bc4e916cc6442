/* Functions under a budget: most of their calls are not timed. */
#include "hand_clock.h"
#include "instrument/entry_cost.h"
#include "record/process.h"
#include "rows.h"
#include "support/test.h"

#define AT(number) ((void *)(uintptr_t)(number))

enum { MAIN = 0x10, F = 0x20, CALLS = 1000 };

static void enter(uintptr_t function, uintptr_t caller, uintptr_t frame)
{
    eprof_function_enter(AT(function), AT(caller), AT(frame), AT(function + 1));
}

static void leave(uintptr_t function, uintptr_t caller, uintptr_t frame)
{
    eprof_function_leave(AT(function), AT(caller), AT(frame), AT(function + 6));
}

static void enter_main(void)
{
    enter(MAIN, 0x901, 0x9000);
}

static void leave_main(void)
{
    leave(MAIN, 0x901, 0x9000);
}

static void enter_f(void)
{
    enter(F, 0x12, 0x8000);
}

static void leave_f(void)
{
    leave(F, 0x12, 0x8000);
}

static int begin(void **state)
{
    hand_clock_begin(state);
    return eprof_setup("budget=1/64");
}

static int end(void **state)
{
    (void)state;
    return eprof_setup("budget=off");
}

static uint64_t calls_of(const char *name)
{
    struct eprof_row row;
    take_rows(eprof_snapshot_take, "function", name, "*", &row);
    return row.calls;
}

TEST(untimed_calls_that_a_reset_cuts_are_discarded)
{
    for (int i = 0; i < CALLS; i++) {
        enter_main();
        enter_f();
        eprof_reset();
        leave_f();
        leave_main();
        assert_int_equal(calls_of("0x20"), 0);
    }
    enter_main();
    enter_f();
    leave_f();
    leave_main();
    assert_int_equal(calls_of("0x20"), 1);
    assert_int_equal(count_rows("diagnostic"), 0);
}

TEST(untimed_recursion_that_is_jumped_out_of_has_all_its_calls)
{
    for (int i = 0; i < CALLS; i++) {
        enter_main();
        enter_f();
        enter(F, 0x22, 0x7000);
        leave_main();
    }
    assert_int_equal(calls_of("0x10"), CALLS);
    assert_int_equal(calls_of("0x20"), 2 * CALLS);
}

/* As measured with patched entries; the outer part stays. */
TEST(inner_part_of_an_entry_replaces_that_of_a_hook)
{
    enum { INSIDE = 123 };
    const union ep_cell *cells = ep_process.image.cells;
    const struct ep_function_probe_cell *probe = &cells[EP_CELL_FUNCTION_PROBE].function_probe;
    const struct ep_sampled_probe_cell *sampled = &cells[EP_CELL_SAMPLED_PROBE].sampled_probe;
    eprof_source_use("auto");
    if (!ep_process_source()->is_counter)
        return;
    enter_main();
    leave_main();
    calls_of("0x10"); /* measures */
    uint64_t outside = probe->pair_milliticks - probe->inside_milliticks;
    uint64_t sampled_outside = sampled->pair_milliticks[1] - sampled->inside_milliticks[1];
    for (int i = 0; i < 2; i++) {
        eprof_entry_measured(INSIDE);
        assert_int_equal(probe->inside_milliticks, INSIDE * 1000);
        assert_int_equal(probe->pair_milliticks, INSIDE * 1000 + outside);
        assert_int_equal(sampled->inside_milliticks[1], INSIDE * 1000);
        assert_int_equal(sampled->pair_milliticks[1], INSIDE * 1000 + sampled_outside);
    }
    ep_process.entry_inside_ticks = 0;
}

/* Also if the inner part of a hook was not seen. */
TEST(outer_part_of_entries_is_the_mean_of_their_costs)
{
    enum { INSIDE = 40, SINGLE = 1000, SAMPLED = 600, ROUNDS = 100, INTERRUPTED = 10000000 };
    union ep_cell *cells = ep_process.image.cells;
    struct ep_function_probe_cell *probe = &cells[EP_CELL_FUNCTION_PROBE].function_probe;
    struct ep_sampled_probe_cell *sampled = &cells[EP_CELL_SAMPLED_PROBE].sampled_probe;
    eprof_source_use("auto");
    if (!ep_process_source()->is_counter)
        return;
    enter_main();
    leave_main();
    calls_of("0x10"); /* measures */
    probe->inside_milliticks = sampled->inside_milliticks[1] = 0;
    eprof_entry_measured(INSIDE);
    for (int i = 0; i < ROUNDS; i++) {
        ep_entry_cost_add(ep_thread_self, false, SINGLE + (i % 2 ? 100 : -100));
        ep_entry_cost_add(ep_thread_self, true, SAMPLED);
        ep_entry_cost_add(ep_thread_self, true, INTERRUPTED);
    }
    assert_int_equal(probe->pair_milliticks, (INSIDE + SINGLE) * 1000);
    assert_int_equal(probe->nested_pair_milliticks, (INSIDE + SINGLE) * 1000);
    assert_int_equal(sampled->pair_milliticks[1], (INSIDE + SAMPLED) * 1000);
    ep_process.entry_inside_ticks = 0;
    ep_process.entry_cost[0] = ep_process.entry_cost[1] = (struct ep_entry_cost){.calls = 0};
}

TEST_EACH(begin, end)
