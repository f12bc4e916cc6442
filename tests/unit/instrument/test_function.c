/* Functions under a budget: most of their calls are not timed. */
#include "hand_clock.h"
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

TEST_EACH(begin, end)
