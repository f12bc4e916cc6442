/* Functions that return: each call is counted, with any optimisation of the compiler. */
#include "hooks_test.h"

#include "child.h"
#include "sanitizer.h"

#include <errno.h>
#include <sys/resource.h>

TEST(function_called_by_another_is_below_it)
{
    calls_leaf_thrice();
    leaf();
    assert_tree("calls_leaf_thrice 1\ncalls_leaf_thrice;leaf 3\nleaf 1\n");
    assert_diagnostics("");
}

TEST(function_called_by_pointer_counts)
{
    calls_through(leaf, 1000);
    calls_through(calls_leaf_thrice, 2);
    assert_tree("calls_through 2\ncalls_through;calls_leaf_thrice 2\n"
                "calls_through;calls_leaf_thrice;leaf 6\ncalls_through;leaf 1000\n");
    assert_diagnostics("");
}

TEST(last_call_of_a_function_is_inside_it)
{
    ends_in_call(4);
    leaf();
    assert_tree("ends_in_call 5\nends_in_call;leaf 1\nleaf 1\n");
    assert_diagnostics("");
}

TEST(recursion_folds_into_one_place)
{
    assert_int_equal(fib(15), 610);
    assert_tree("fib 1973\n"); /* 2 fib(16) - 1 */
    assert_diagnostics("");
}

TEST(mutual_recursion_folds_into_two_places)
{
    assert_int_equal(is_even(101), 0);
    assert_tree("is_even 51\nis_even;is_odd 51\n");
    assert_diagnostics("");
}

TEST(inlined_function_counts)
{
    nest_inlined();
    assert_tree(function_text_has_entries
                    ? "nest_inlined 1\nnest_inlined;leaf 1\n"
                    : "nest_inlined 1\n"
                      "nest_inlined;inlined_innermost 1\n"
                      "nest_inlined;inlined_outer 1\n"
                      "nest_inlined;inlined_outer;inlined_inner 2\n"
                      "nest_inlined;inlined_outer;inlined_inner;inlined_innermost 4\n"
                      "nest_inlined;inlined_outer;leaf 1\n");
    assert_diagnostics("");
}

TEST(inlined_function_that_is_left_by_two_returns_counts)
{
    loops_in_inlined(300);
    assert_tree(function_text_has_entries
                    ? "loops_in_inlined 1\nloops_in_inlined;leaf 200\n"
                    : "loops_in_inlined 1\nloops_in_inlined;inlined_round 300\n"
                      "loops_in_inlined;inlined_round;leaf 200\n");
    assert_diagnostics("");
}

/* ---- arguments and results are unchanged by the hooks ---- */

TEST(arguments_and_results_on_the_stack_are_kept)
{
    assert_int_equal(passes_big(), BIG_WORDS);
    assert_tree("passes_big 1\npasses_big;leaf 2\npasses_big;make_big 2\npasses_big;sum_big 1\n");
    assert_diagnostics("");
}

TEST(variable_arguments_are_kept)
{
    assert_int_equal(passes_variadic(), 6 + 45);
    assert_tree("passes_variadic 1\npasses_variadic;sum_variadic 3\n"
                "passes_variadic;sum_variadic;leaf 3\n");
    assert_diagnostics("");
}

TEST(results_in_registers_of_floating_point_are_kept)
{
    assert_true(returns_long_double(1.25L) == 2.5L);
    assert_true(returns_float(5) == 2.5F);
    assert_tree("returns_float 1\nreturns_float;leaf 1\n"
                "returns_long_double 1\nreturns_long_double;leaf 1\n");
    assert_diagnostics("");
}

TEST(errno_is_kept_at_the_first_call_and_later)
{
    for (int i = 0; i < 3; i++) {
        errno = EDOM;
        calls_leaf_thrice();
        assert_int_equal(errno, EDOM);
        eprof_init(); /* the next call checks the state of the thread again */
    }
}

static void *keeps_errno(void *kept)
{
    errno = ERANGE;
    calls_leaf_thrice();
    *(int *)kept = errno;
    return NULL;
}

TEST(errno_is_kept_at_the_first_call_of_a_thread)
{
    int kept = 0;
    run_thread(keeps_errno, &kept);
    assert_int_equal(kept, ERANGE);
}

#if MEMORY_CAN_BE_FORBIDDEN
static void call_without_memory(void *kept)
{
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_AS, &none);
    errno = EDOM;
    calls_leaf_thrice();
    *(int *)kept = errno;
}

/* A forked child needs its own memory, and gets ENOMEM. */
TEST(errno_is_kept_where_there_is_no_memory)
{
    int kept = 0;
    leaf(); /* the parent has recorded */
    child_do(fork, call_without_memory, &kept, sizeof kept);
    assert_int_equal(kept, EDOM);
}
#endif

/* ---- frames ---- */

TEST(frame_of_unknown_size_harms_nothing)
{
    assert_int_equal(has_alloca(1), 1);
    assert_int_equal(has_alloca(10000), 1);
    assert_int_equal(has_vla(5), 15);
    assert_tree("has_alloca 2\nhas_alloca;leaf 2\nhas_vla 1\nhas_vla;leaf 5\n");
    assert_diagnostics("");
}

TEST(realigned_frame_harms_nothing)
{
    assert_int_equal(is_realigned(9), 45);
    assert_tree("is_realigned 10\nis_realigned;leaf 10\n");
    assert_diagnostics("");
}

/* ---- libraries ---- */

TEST(function_called_by_a_library_is_below_who_called_the_library)
{
    int numbers[100];
    char text[64];
    for (int i = 0; i < 100; i++)
        numbers[i] = i * 37 % 100;
    compared = 0;
    sorts(numbers, 100);
    assert_int_equal(numbers[99], 99);
    assert_true(compared > 0);
    snprintf(text, sizeof text, "sorts 1\nsorts;compare %u\n", compared);
    assert_tree(text);
    assert_diagnostics("");
}

int test_plain(void)
{
    return tests_run("plain", hooks_begin, hooks_end);
}
