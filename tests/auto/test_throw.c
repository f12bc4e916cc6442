/* Functions that are left by an exception. */
#include "hooks_test.h"

TEST(function_left_by_an_exception_has_ended_for_the_handler)
{
    throw_to_caller();
    assert_tree_of_jumps("throw_to_caller 1\nthrow_to_caller;throw_after 2\n"
                         "throw_to_caller;throw_deep 4\n");
}

TEST(exceptions_do_not_pile_up)
{
    throw_many_times(1000);
    assert_tree_of_jumps("throw_many_times 1\nthrow_many_times;throw_deep 2500\n");
}

TEST(exception_through_functions_of_c_ends_them)
{
    throw_through_c();
    assert_tree_of_jumps("throw_through_c 1\n"
                         "throw_through_c;c_between 1\n"
                         "throw_through_c;c_between;c_inner 1\n"
                         "throw_through_c;c_between;c_inner;throw_now 1\n"
                         "throw_through_c;throw_after 2\n");
}

TEST(exception_through_a_library_ends_what_called_it)
{
    throw_out_of_library();
    assert_tree_of_jumps("throw_out_of_library 1\n"
                         "throw_out_of_library;throw_after 1\n"
                         "throw_out_of_library;throw_compare 1\n");
}

TEST(exception_out_of_an_inlined_function_ends_it)
{
    throw_out_of_inlined();
    if (function_text_has_entries) {
        assert_tree("throw_out_of_inlined 1\n"
                    "throw_out_of_inlined;throw_after 1\n"
                    "throw_out_of_inlined;throw_around_inlined 1\n"
                    "throw_out_of_inlined;throw_around_inlined;throw_after 1\n");
        return;
    }
    assert_tree_of_jumps("throw_out_of_inlined 1\n"
                         "throw_out_of_inlined;throw_after 1\n"
                         "throw_out_of_inlined;throw_around_inlined 1\n"
                         "throw_out_of_inlined;throw_around_inlined;throw_inlined 1\n"
                         "throw_out_of_inlined;throw_around_inlined;throw_inlined;throw_after 1\n");
}

TEST(exception_over_scopes_and_functions_ends_both)
{
    throw_over_scopes();
    assert_tree_of_jumps("throw_over_scopes 1\n"
                         "throw_over_scopes;around 1\n"
                         "throw_over_scopes;around;behind 1\n"
                         "throw_over_scopes;around;behind;throw_after 1\n"
                         "throw_over_scopes;around;throw_scope 1\n"
                         "throw_over_scopes;around;throw_scope;left 1\n"
                         "throw_over_scopes;around;throw_scope;left;throw_deep 2\n");
}

TEST(exception_caught_where_it_is_thrown_ends_nothing)
{
    throw_and_catch_here();
    assert_tree("throw_and_catch_here 1\nthrow_and_catch_here;throw_after 3\n");
    assert_diagnostics("");
}

TEST(exception_thrown_again_ends_the_rest)
{
    throw_again();
    assert_tree_of_jumps("throw_again 1\n"
                         "throw_again;throw_after 1\n"
                         "throw_again;throw_rethrow 1\n"
                         "throw_again;throw_rethrow;throw_after 1\n"
                         "throw_again;throw_rethrow;throw_deep 2\n");
}

TEST(exception_out_of_a_constructor_destroys_what_was_made)
{
    throw_out_of_constructor();
    assert_tree_of_destructors("throw_out_of_constructor 1\n"
                               "throw_out_of_constructor;throw_after 1\n"
                               "throw_out_of_constructor;throw_deep 1\n"
                               "throw_out_of_constructor;throw_destroyed 1\n");
}

TEST(exception_inside_a_destructor_ends_what_it_left)
{
    throw_while_unwinding();
    assert_tree_of_destructors("throw_while_unwinding 1\n"
                               "throw_while_unwinding;throw_after 1\n"
                               "throw_while_unwinding;throw_past_destructor 1\n"
                               "throw_while_unwinding;throw_past_destructor;throw_after 1\n"
                               "throw_while_unwinding;throw_past_destructor;throw_deep 5\n");
}

TEST(destructor_of_an_object_of_a_thread_counts)
{
    for (int i = 0; i < 20; i++)
        run_thread(thread_has_local, NULL);
    assert_int_equal(function_calls("thread_has_local"), 20);
    assert_int_equal(function_calls("throw_after"), 20);
    assert_int_equal(function_calls("throw_destroyed"), 20);
    assert_diagnostics("");
}

int test_throw(void)
{
    return tests_run("throw", hooks_begin, hooks_end);
}
