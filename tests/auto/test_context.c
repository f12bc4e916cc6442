/* Functions that run on their own stacks. */
#include "hooks_test.h"
#include "sanitizer.h"

#if STACKS_MAY_BE_NEAR
/* Of two stacks, none is called by the other: paths may be wrong, but calls are right. */
TEST(coroutines_count_every_call)
{
    for (int rounds = 1; rounds <= 20; rounds++)
        coroutines_in_turn(rounds);
    assert_int_equal(function_calls("coroutines_in_turn"), 20);
    assert_int_equal(function_calls("coroutine_even"), 20);
    /* a coroutine that is never resumed may still be open */
    assert_int_equal(function_calls("coroutine_odd") + function_open("coroutine_odd"), 20);
    assert_int_equal(function_calls("coroutine_yields") + function_open("coroutine_yields"), 420);
    assert_int_equal(function_calls("coroutine_work"), 2 * 420 - 20);
}
#endif

int test_context(void)
{
    return tests_run("context", hooks_begin, hooks_end);
}
