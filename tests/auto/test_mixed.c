/* Functions and scopes in one tree. */
#include "hooks_test.h"

TEST(scope_is_below_its_function_and_around_what_it_calls)
{
    has_scope();
    assert_tree("has_scope 1\n"
                "has_scope;mixed_work 2\n"
                "has_scope;scope 1\n"
                "has_scope;scope;mixed_inside 1\n"
                "has_scope;scope;mixed_inside;inner 1\n"
                "has_scope;scope;mixed_inside;inner;mixed_work 1\n"
                "has_scope;scope;mixed_work 1\n");
    assert_diagnostics("");
}

TEST(scope_of_a_whole_function_is_below_it)
{
    char text[256];
    has_func_scope();
    snprintf(text, sizeof text,
             "has_func_scope 1\nhas_func_scope;%s 1\nhas_func_scope;%s;mixed_work 1\n",
             func_scope_name, func_scope_name);
    assert_tree(text);
    assert_diagnostics("");
}

TEST(function_in_a_scope_of_who_calls_it_is_below_the_scope)
{
    EPROF_BLOCK("block") has_scope();
    assert_tree("block 1\n"
                "block;has_scope 1\n"
                "block;has_scope;mixed_work 2\n"
                "block;has_scope;scope 1\n"
                "block;has_scope;scope;mixed_inside 1\n"
                "block;has_scope;scope;mixed_inside;inner 1\n"
                "block;has_scope;scope;mixed_inside;inner;mixed_work 1\n"
                "block;has_scope;scope;mixed_work 1\n");
    assert_diagnostics("");
}

TEST(scope_by_hand_nests_with_functions)
{
    has_manual_scope();
    assert_tree("has_manual_scope 1\n"
                "has_manual_scope;manual 1\n"
                "has_manual_scope;manual;mixed_work 1\n"
                "has_manual_scope;mixed_work 1\n");
    assert_diagnostics("");
}

TEST(instance_in_a_function_counts)
{
    int id = eprof_alloc("instance");
    has_instance(id);
    has_instance(id);
    assert_int_equal(function_calls("instance"), 2);
    assert_tree("has_instance 2\nhas_instance;mixed_work 2\n");
    assert_diagnostics("");
}

int test_mixed(void)
{
    return tests_run("mixed", hooks_begin, hooks_end);
}
