/* Functions that gcc has split: the exit hook is in another frame than the enter hook. */
#include "hooks_test.h"

#include <errno.h>

TEST(split_function_ends_where_its_rest_ends)
{
    splits(100);
    assert_tree("splits 1\n"
                "splits;split_caller 100\n"
                "splits;split_caller;split_compute 100\n"
                "splits;split_caller;split_leaf 200\n"
                "splits;split_caller;split_value 200\n"
                "splits;split_caller;split_value;split_leaf 200\n");
    assert_diagnostics("");
}

TEST(split_recursion_ends_level_by_level)
{
    splits_recursion(4);
    assert_tree("splits_recursion 1\n"
                "splits_recursion;split_leaf 1\n"
                "splits_recursion;split_recursion 1\n"
                "splits_recursion;split_recursion;split_deep 31\n"
                "splits_recursion;split_recursion;split_deep;split_through 15\n"
                "splits_recursion;split_recursion;split_deep;split_through;split_leaf 15\n"
                "splits_recursion;split_recursion;split_leaf 1\n");
    assert_diagnostics("");
}

TEST(scope_in_a_split_function_is_in_it)
{
    splits_scopes(10);
    assert_tree("splits_scopes 1\n"
                "splits_scopes;split_around_scope 10\n"
                "splits_scopes;split_around_scope;outer 10\n"
                "splits_scopes;split_around_scope;outer;split_leaf 10\n"
                "splits_scopes;split_around_scope;outer;split_scope 20\n"
                "splits_scopes;split_around_scope;outer;split_scope;inner 20\n"
                "splits_scopes;split_around_scope;outer;split_scope;inner;split_leaf 20\n");
    assert_diagnostics("");
}

TEST(jump_inside_a_split_function_does_not_hide_its_end)
{
    splits_jumps(10);
    assert_tree_of_jumps(
        "splits_jumps 1\n"
        "splits_jumps;split_around_jump 10\n"
        "splits_jumps;split_around_jump;split_jump 20\n"
        "splits_jumps;split_around_jump;split_jump;split_catch 20\n"
        "splits_jumps;split_around_jump;split_jump;split_catch;split_jump_deep 60\n"
        "splits_jumps;split_around_jump;split_leaf 10\n");
    assert_diagnostics("forced_closes 60");
}

TEST(split_function_may_have_a_large_frame)
{
    splits_large(10);
    assert_tree("splits_large 1\n"
                "splits_large;split_around_large 10\n"
                "splits_large;split_around_large;split_large 10\n"
                "splits_large;split_around_large;split_large;split_leaf 10\n"
                "splits_large;split_around_large;split_leaf 10\n"
                "splits_large;split_large 10\n"
                "splits_large;split_large;split_leaf 10\n"
                "splits_large;split_leaf 10\n");
    assert_diagnostics("");
}

#define TREE_OF_SIGNALS                                                                            \
    "splits_signals 1\n"                                                                           \
    "splits_signals;split_raise 10\n"                                                              \
    "splits_signals;split_raise;split_compute 10\n"                                                \
    "splits_signals;split_raise;split_leaf 10\n"                                                   \
    "splits_signals;split_raise;split_on_signal 10\n"                                              \
    "splits_signals;split_raise;split_on_signal;split_compute 10\n"                                \
    "splits_signals;split_raise;split_on_signal;split_leaf 10\n"

enum { STACK_BYTES = 64 * 1024 };

static void handle_by(void (*handler)(int), int flags)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
    sigemptyset(&action.sa_mask);
    assert_return_code(sigaction(SIGUSR1, &action, NULL), errno);
}

static void *raise_on(void *stack)
{
    stack_t alternate = {.ss_sp = stack, .ss_size = STACK_BYTES}, none = {.ss_flags = SS_DISABLE};
    sigaltstack(&alternate, NULL);
    splits_signals(SIGUSR1, 10);
    sigaltstack(&none, NULL);
    return NULL;
}

TEST(split_function_in_a_signal_handler_ends)
{
    handle_by(split_on_signal, 0);
    splits_signals(SIGUSR1, 10);
    assert_tree(TREE_OF_SIGNALS);
    assert_diagnostics("");
}

/* The stack of the main thread is above those of other threads. */
TEST(split_function_on_an_alternate_stack_ends)
{
    static char below[STACK_BYTES];
    char above[STACK_BYTES];
    handle_by(split_on_signal, SA_ONSTACK);
    raise_on(below);
    assert_tree(TREE_OF_SIGNALS);
    assert_diagnostics("");
    eprof_reset();
    run_thread(raise_on, above);
    assert_tree(TREE_OF_SIGNALS);
    assert_diagnostics("");
}

int test_split(void)
{
    return tests_run("split", hooks_begin, hooks_end);
}
