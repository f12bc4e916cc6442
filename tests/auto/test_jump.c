/* Functions that are left by longjmp(): no hook reports it, but their frames show it. */
#include "hooks_test.h"

TEST(function_left_by_a_jump_has_ended_for_the_next)
{
    jump_to_caller();
    assert_tree_of_jumps("jump_to_caller 1\njump_to_caller;jump_after 1\n"
                         "jump_to_caller;jump_deep 4\n");
}

TEST(jumps_do_not_pile_up)
{
    jump_many_times(1000);
    assert_tree_of_jumps("jump_many_times 1\njump_many_times;jump_deep 2500\n");
}

TEST(exit_ends_the_call_of_its_own_frame_after_a_jump_out_of_an_inner_one)
{
    jump_out_of_recursion(100);
    assert_tree_of_jumps("jump_out_of_recursion 1\n"
                         "jump_out_of_recursion;jump_below 100\n"
                         "jump_out_of_recursion;jump_in_recursion 200\n");
}

TEST(jump_over_a_frame_of_unknown_size_ends_it)
{
    for (size_t bytes = 1; bytes < 100000; bytes *= 10)
        jump_over_alloca(bytes);
    jump_over_vla(100);
    assert_tree_of_jumps("jump_over_alloca 5\n"
                         "jump_over_alloca;jump_after 5\n"
                         "jump_over_alloca;jump_alloca 5\n"
                         "jump_over_alloca;jump_alloca;jump_deep 10\n"
                         "jump_over_vla 1\n"
                         "jump_over_vla;jump_after 1\n"
                         "jump_over_vla;jump_vla 1\n"
                         "jump_over_vla;jump_vla;jump_deep 2\n");
}

TEST(jump_out_of_an_inlined_function_ends_it)
{
    jump_out_of_inlined();
    assert_tree_of_jumps(
        function_text_has_entries
            ? "jump_out_of_inlined 1\n"
              "jump_out_of_inlined;jump_after 1\n"
              "jump_out_of_inlined;jump_around_inlined 1\n"
              "jump_out_of_inlined;jump_around_inlined;jump_after 1\n"
            : "jump_out_of_inlined 1\n"
              "jump_out_of_inlined;jump_after 1\n"
              "jump_out_of_inlined;jump_around_inlined 1\n"
              "jump_out_of_inlined;jump_around_inlined;jump_inlined 1\n"
              "jump_out_of_inlined;jump_around_inlined;jump_inlined;jump_after 1\n");
}

TEST(jump_over_a_library_ends_what_called_it)
{
    jump_out_of_library();
    assert_tree_of_jumps("jump_out_of_library 1\n"
                         "jump_out_of_library;jump_after 1\n"
                         "jump_out_of_library;jump_sort 1\n"
                         "jump_out_of_library;jump_sort;jump_compare 1\n");
}

#define TREE_OF_HANDLER                                                                            \
    "jump_out_of_handler 1\n"                                                                      \
    "jump_out_of_handler;jump_after 3\n"                                                           \
    "jump_out_of_handler;jump_raise 3\n"                                                           \
    "jump_out_of_handler;jump_raise;jump_handle 3\n"                                               \
    "jump_out_of_handler;jump_raise;jump_handle;jump_deep 6\n"

TEST(jump_out_of_a_signal_handler_ends_it_and_what_it_interrupted)
{
    jump_out_of_handler(0);
    assert_tree_of_jumps(TREE_OF_HANDLER);
}

static void *jump_from_stack(void *stack)
{
    stack_t alternate = {.ss_sp = stack, .ss_size = 64 * 1024}, none = {.ss_flags = SS_DISABLE};
    sigaltstack(&alternate, NULL);
    jump_out_of_handler(SA_ONSTACK);
    sigaltstack(&none, NULL);
    return NULL;
}

/* The stack of a new thread is mapped memory: it is below the frame of the main thread, which
 * contains the other stack. */
TEST(jump_from_an_alternate_stack_above_ends_it)
{
    static char stack[64 * 1024];
    char above[64 * 1024];
    jump_from_stack(stack);
    assert_tree_of_jumps(TREE_OF_HANDLER);
    eprof_reset();
    run_thread(jump_from_stack, above);
    assert_tree_of_jumps(TREE_OF_HANDLER);
}

TEST(jump_in_two_steps_ends_what_each_leaves)
{
    jump_in_two_steps();
    assert_tree_of_jumps("jump_in_two_steps 1\n"
                         "jump_in_two_steps;jump_after 1\n"
                         "jump_in_two_steps;jump_first_step 1\n"
                         "jump_in_two_steps;jump_first_step;jump_after 1\n"
                         "jump_in_two_steps;jump_first_step;jump_deep 3\n");
}

TEST(jump_over_scopes_and_functions_ends_both)
{
    jump_over_scopes();
    assert_tree_of_jumps("jump_over_scopes 1\n"
                         "jump_over_scopes;around 1\n"
                         "jump_over_scopes;around;behind 1\n"
                         "jump_over_scopes;around;behind;jump_after 1\n"
                         "jump_over_scopes;around;jump_scope 1\n"
                         "jump_over_scopes;around;jump_scope;left 1\n"
                         "jump_over_scopes;around;jump_scope;left;jump_deep 2\n");
}

static void *jump_on_thread(void *unused)
{
    jmp_buf here;
    if (setjmp(here) == 0)
        jump_out_of_all(here);
    leaf();
    leaf();
    return unused;
}

/* If there is no function around, the functions that were left stay open until the next function is
 * entered. */
TEST(jump_out_of_all_is_seen_at_the_next_call)
{
    run_thread(jump_on_thread, NULL);
    assert_tree_of_jumps("jump_out_of_all 1\njump_out_of_all;jump_after 1\nleaf 2\n");
}

/* Judged by the place of its hook alone, it would be a callee of the function that was left. */
TEST(size_of_the_next_frame_does_not_matter)
{
    jump_to_large();
    assert_tree_of_jumps("jump_to_large 1\n"
                         "jump_to_large;jump_deep 1\n"
                         "jump_to_large;jump_large 1\n"
                         "jump_to_large;jump_large;jump_after 1\n");
}

/* Its frame is below that of the function that was left, as if that had called it: a compiler may
 * do so. Until the function around both ends, the library cannot distinguish these cases. */
TEST(what_comes_after_a_jump_counts_wherever_it_is_shown)
{
    for (int i = 0; i < 10; i++)
        jump_past_big();
    assert_int_equal(function_calls("jump_past_big"), 10);
    assert_int_equal(function_calls("jump_deep"), 10);
    assert_int_equal(function_calls("jump_big"), 10);
    assert_int_equal(function_calls("jump_after"), 10);
}

int test_jump(void)
{
    return tests_run("jump", hooks_begin, hooks_end);
}
