/* Scopes of C++: they are left by exceptions, and named after functions as the compiler writes
 * them. */
#include "cxx_scopes.h"
#include "hand_clock.h"
#include "tree_text.h"

void pass(uint64_t ticks)
{
    hand_ticks += ticks;
}

/* ------------------------------------------------------------- exceptions -- */

TEST(exception_ends_the_scopes_that_it_crosses)
{
    cxx_throw_across_three_scopes();
    assert_tree("test 1/1 33333 3000\n"
                "test;after 3/3 30000 30000\n"
                "test;first 3/3 333 300\n"
                "test;first;block 3/3 33 0\n"
                "test;first;block;second 3/3 33 30\n"
                "test;first;block;second;third 3/3 3 3\n");
    assert_diagnostics("");
}

TEST(handler_is_behind_the_scope_of_the_try)
{
    cxx_catch_inside_a_scope();
    assert_tree("test 1/1 111 0\ntest;after 1/1 100 100\ntest;catch 1/1 10 10\ntest;try 1/1 1 1\n");
    assert_diagnostics("");
}

TEST(exception_that_is_thrown_on_ends_the_next)
{
    cxx_rethrow();
    assert_tree("test 1/1 11011 0\n"
                "test;caught 1/1 10000 10000\n"
                "test;rethrows 1/1 1011 0\n"
                "test;rethrows;catch 1/1 1000 1000\n"
                "test;rethrows;second 1/1 11 10\n"
                "test;rethrows;second;third 1/1 1 1\n");
    assert_diagnostics("");
}

TEST(exception_out_of_a_constructor_ends_its_scope)
{
    cxx_throw_out_of_a_constructor();
    assert_tree("test 1/1 1 0\ntest;after 1/1 0 0\ntest;constructor 1/1 1 1\n");
    assert_diagnostics("");
}

TEST(exception_out_of_recursion_ends_all_calls)
{
    cxx_throw_across_recursion();
    assert_tree("test 1/1 10 0\ntest;after 1/1 0 0\ntest;recurse 10/1 10 10\n");
    assert_diagnostics("");
}

TEST(scope_that_was_entered_by_hand_ends_with_the_one_around_it)
{
    cxx_throw_across_manual_scopes();
    assert_tree("test 1/1 1 0\ntest;after 1/1 0 0\ntest;macro 1/1 1 0\n"
                "test;macro;manual 1/1 1 1\n");
    assert_diagnostics("forced_closes 1");
}

static void repeat(void (*act)(void))
{
    for (int i = 0; i < 1000; i++)
        act();
}

/* Under a budget, nearly all of these scopes are entered inline. */
TEST(thousands_of_exceptions_end_the_scopes_that_they_cross)
{
    repeat(cxx_throw_across_three_scopes);
    assert_tree("test 1000/1000 33333000 3000000\n"
                "test;after 3000/3000 30000000 30000000\n"
                "test;first 3000/3000 333000 300000\n"
                "test;first;block 3000/3000 33000 0\n"
                "test;first;block;second 3000/3000 33000 30000\n"
                "test;first;block;second;third 3000/3000 3000 3000\n");
    assert_diagnostics("");
}

TEST(thousand_exceptions_that_are_thrown_on_end_the_next)
{
    repeat(cxx_rethrow);
    assert_tree("test 1000/1000 11011000 0\n"
                "test;caught 1000/1000 10000000 10000000\n"
                "test;rethrows 1000/1000 1011000 0\n"
                "test;rethrows;catch 1000/1000 1000000 1000000\n"
                "test;rethrows;second 1000/1000 11000 10000\n"
                "test;rethrows;second;third 1000/1000 1000 1000\n");
    assert_diagnostics("");
}

TEST(thousand_exceptions_out_of_constructors_and_recursion_end_all_calls)
{
    repeat(cxx_throw_out_of_a_constructor);
    assert_tree("test 1000/1000 1000 0\ntest;after 1000/1000 0 0\n"
                "test;constructor 1000/1000 1000 1000\n");
    eprof_reset();
    repeat(cxx_throw_across_recursion);
    assert_tree("test 1000/1000 10000 0\ntest;after 1000/1000 0 0\n"
                "test;recurse 10000/1000 10000 10000\n");
    assert_diagnostics("");
}

/* ------------------------------------------------------------------- names -- */

/* Finds the one row whose name has both parts: compilers write the rest of the name differently. */
static void assert_function(const char *part, const char *other, uint64_t calls, uint64_t total_ns)
{
    size_t found = 0;
    eprof_snapshot *snapshot = eprof_snapshot_take();
    for (size_t i = 0; i < eprof_snapshot_rows(snapshot); i++) {
        struct eprof_row row = {.size = sizeof row};
        assert_int_equal(eprof_snapshot_row(snapshot, i, &row), 0);
        if (!strstr(row.name, part) || !strstr(row.name, other))
            continue;
        found++;
        assert_figures(row, calls, total_ns);
        assert_non_null(strstr(row.file, "cxx_scopes.cpp"));
    }
    eprof_snapshot_free(snapshot);
    if (found != 1)
        fail_msg("%zu rows for %s ... %s in:\n%s", found, part, other, tree_text());
}

TEST(each_instance_of_a_template_is_a_row)
{
    cxx_templates();
    assert_int_equal(count_rows("scope"), 4);
    assert_function("count", "char", 2, 2);
    assert_function("count", "double", 2, 16);
    assert_function("repeat", "3", 2, 6);
    assert_function("repeat", "5", 2, 10);
}

TEST(each_override_is_a_row)
{
    cxx_virtuals();
    assert_int_equal(count_rows("scope"), 3); /* the base's, called directly and from the derived
                                               * one */
    assert_function("derived::act", "", 1, 11);
}

TEST(each_lambda_is_a_row)
{
    uint64_t total_ns = 0;
    cxx_lambdas();
    eprof_snapshot *snapshot = eprof_snapshot_take();
    assert_int_equal(eprof_snapshot_rows(snapshot), 2);
    for (size_t i = 0; i < 2; i++) {
        struct eprof_row row = {.size = sizeof row};
        assert_int_equal(eprof_snapshot_row(snapshot, i, &row), 0);
        assert_non_null(strstr(row.name, "cxx_lambdas"));
        total_ns = total_ns * 100 + row.total_ns; /* the longer first */
    }
    eprof_snapshot_free(snapshot);
    assert_ns(total_ns, 1002);
}

TEST(each_overload_is_a_row)
{
    cxx_overloads_and_operators();
    assert_int_equal(count_rows("scope"), 3);
    assert_function("overloaded", "int", 1, 1);
    assert_function("overloaded", "double", 1, 10);
    assert_function("operator+", "number", 1, 100);
}

/* ------------------------------------------------------------------ blocks -- */

TEST(loops_and_blocks_are_left_as_in_c)
{
    cxx_leave_loops();
    assert_tree("test 1/1 235 0\ntest;round 5/5 235 5\ntest;round;block 3/3 230 230\n");
    assert_diagnostics("");
}

TEST(what_is_destroyed_with_the_block_is_inside)
{
    cxx_destructor_is_inside();
    assert_tree("test 1/1 21 0\ntest;block 1/1 11 1\ntest;block;destructor 1/1 10 10\n"
                "test;destructor 1/1 10 10\n");
    assert_diagnostics("");
}

int main(void)
{
    return tests_run("cxx", hand_clock_begin, NULL);
}
