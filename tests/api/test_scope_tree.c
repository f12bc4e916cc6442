/* The call tree: which scope is under which, how often, and to which row its time belongs. */
#include "calls.h"
#include "tree_text.h"

/* ----------------------------------------------------------- nests, follows -- */

static void leaf(uint64_t ticks)
{
    EPROF_FUNC;
    pass(ticks);
}

TEST(scope_is_the_child_of_the_one_it_is_entered_in)
{
    {
        EPROF_SCOPE("a");
        pass(1);
        {
            EPROF_SCOPE("b");
            pass(10);
            leaf(100);
            pass(1000);
        }
        pass(10000);
    }
    assert_tree("a 1/1 11111 10001\na;b 1/1 1110 1010\na;b;leaf 1/1 100 100\n");
    assert_diagnostics("");
}

TEST(scopes_after_each_other_are_siblings)
{
    {
        EPROF_SCOPE("a");
        for (int i = 0; i < 3; i++) {
            EPROF_BLOCK("b") pass(1);
            EPROF_BLOCK("c") pass(10);
        }
    }
    EPROF_BLOCK("d") pass(100);
    assert_tree("a 1/1 33 0\na;b 3/3 3 3\na;c 3/3 30 30\nd 1/1 100 100\n");
}

TEST(one_function_is_a_row_for_each_path_to_it)
{
    leaf(1);
    EPROF_BLOCK("a") leaf(10);
    EPROF_BLOCK("b") EPROF_BLOCK("c") leaf(100);
    EPROF_BLOCK("d") for (int i = 0; i < 4; i++) leaf(1000);
    assert_tree("a 1/1 10 0\na;leaf 1/1 10 10\n"
                "b 1/1 100 0\nb;c 1/1 100 0\nb;c;leaf 1/1 100 100\n"
                "d 1/1 4000 0\nd;leaf 4/4 4000 4000\n"
                "leaf 1/1 1 1\n");
}

TEST(scopes_of_one_block_nest_in_their_order)
{
    {
        EPROF_FUNC;
        pass(1);
        EPROF_SCOPE("second");
        pass(10);
        EPROF_SCOPE("third");
        pass(100);
    }
    assert_tree("scopes_of_one_block_nest_in_their_order 1/1 111 1\n"
                "scopes_of_one_block_nest_in_their_order;second 1/1 110 10\n"
                "scopes_of_one_block_nest_in_their_order;second;third 1/1 100 100\n");
}

TEST(rows_come_parents_first_and_siblings_by_total_time)
{
    static const char *const paths[] = {"b", "b;slow", "b;middle", "b;quick", "a"};
    if (has_counts_only())
        skip(); /* untimed calls have no order */
    EPROF_BLOCK("a") pass(10);
    EPROF_BLOCK("b")
    {
        EPROF_BLOCK("quick") pass(1);
        EPROF_BLOCK("slow") pass(100);
        EPROF_BLOCK("middle") pass(10);
    }
    eprof_snapshot *snapshot = eprof_snapshot_take();
    assert_int_equal(eprof_snapshot_rows(snapshot), 5);
    for (size_t i = 0; i < 5; i++) {
        struct eprof_row row = {.size = sizeof row};
        assert_int_equal(eprof_snapshot_row(snapshot, i, &row), 0);
        assert_string_equal(row.path, paths[i]);
        assert_string_equal(row.thread, "*");
        assert_int_equal(row.id, -1);
    }
    eprof_snapshot_free(snapshot);
}

TEST(figures_of_a_scope_are_of_all_its_calls)
{
    struct eprof_row row;
    for (uint64_t ticks = 1; ticks <= 9; ticks++)
        leaf(ticks);
    assert_int_equal(take_rows(eprof_snapshot_take, "scope", "leaf", "*", &row), 1);
    assert_figures(row, 9, 45);
    assert_ns(row.self_ns, 45);
    assert_ns(row.mean_ns, 5);
    assert_ns(row.min_ns, 1);
    assert_ns(row.max_ns, 9);
    assert_ns(row.p50_ns, 5);
    assert_ns(row.p99_ns, 9);
    assert_ns(row.stddev_ns, 3); /* sqrt(60 / 9) = 2.6 */
}

TEST(call_whose_clock_went_back_is_an_error_and_no_time)
{
    if (has_counts_only())
        skip(); /* an untimed call does not read the clock */
    pass(1000);
    EPROF_BLOCK("a")
    {
        pass(1);
        leaf((uint64_t)-500);
        pass(700);
        leaf(100);
    }
    leaf((uint64_t)-500);
    assert_tree("a 1/1 301 201\na;leaf 2/1 100 100 errors 1\nleaf 1/0 0 0 errors 1\n");
    assert_diagnostics("clock 2");
}

/* --------------------------------------------------------------- recursion -- */

static int fib(int n)
{
    EPROF_FUNC;
    pass(1);
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

TEST(recursion_is_one_node_with_all_calls_and_the_time_once)
{
    assert_int_equal(fib(20), 6765);
    assert_tree("fib 21891/1 21891 21891\n"); /* 2 fib(21) - 1 calls */
    fib(1);
    assert_tree("fib 21892/2 21892 21892\n");
    struct eprof_row row;
    take_rows(eprof_snapshot_take, "scope", "fib", "*", &row);
    assert_ns(row.min_ns, 1);
    assert_ns(row.max_ns, 21891);
    assert_diagnostics("");
}

static int is_odd(int n);

static int is_even(int n)
{
    EPROF_FUNC;
    pass(1);
    return n == 0 || is_odd(n - 1);
}

static int is_odd(int n)
{
    EPROF_FUNC;
    pass(10);
    return n != 0 && is_even(n - 1);
}

TEST(recursion_by_turns_is_two_nodes)
{
    assert_int_equal(is_even(1000), 1);
    assert_tree("is_even 501/1 5501 501\nis_even;is_odd 500/1 5500 5000\n");
    assert_diagnostics("");
}

/* A ring of functions, by labels. */
static void go_round(int left, int of)
{
    char label[16];
    snprintf(label, sizeof label, "%02d", left % of);
    eprof_enter(label);
    pass(1);
    if (left > 0)
        go_round(left - 1, of);
    eprof_leave();
}

TEST(recursion_of_k_functions_is_k_nodes_deep)
{
    for (int k = 1; k <= 20; k++) {
        eprof_reset();
        go_round(k * 50 - 1, k);
        eprof_snapshot *snapshot = eprof_snapshot_take();
        assert_int_equal(eprof_snapshot_rows(snapshot), k);
        for (int i = 0; i < k; i++) {
            struct eprof_row row = {.size = sizeof row};
            assert_int_equal(eprof_snapshot_row(snapshot, (size_t)i, &row), 0);
            assert_int_equal(strlen(row.path), 3 * (i + 1) - 1);
            assert_int_equal(row.calls, 50);
            assert_ns(row.timed, 1);
            assert_ns(row.total_ns, k * 50 - i);
            assert_ns(row.self_ns, 50);
        }
        eprof_snapshot_free(snapshot);
    }
    assert_diagnostics("");
}

static void walk(const char *path)
{
    if (!*path)
        return;
    eprof_enter((const char[]){*path, '\0'});
    pass(1);
    walk(path + 1);
    eprof_leave();
}

TEST(what_recursion_calls_is_under_the_open_node)
{
    walk("abacb"); /* b is open when it is entered under c */
    assert_tree("a 2/1 5 2\na;b 2/1 4 2\na;c 1/1 2 1\n");
    eprof_reset();
    walk("abacbd");
    assert_tree("a 2/1 6 2\na;b 2/1 5 2\na;b;d 1/1 1 1\na;c 1/1 3 1\n");
    eprof_reset();
    walk("abc");
    walk("cba");
    assert_tree("a 1/1 3 1\na;b 1/1 2 1\na;b;c 1/1 1 1\n"
                "c 1/1 3 1\nc;b 1/1 2 1\nc;b;a 1/1 1 1\n");
    assert_diagnostics("");
}

TEST(what_comes_after_recursion_is_where_it_was_before)
{
    eprof_enter("a");
    eprof_enter("b");
    walk("ab");
    walk("c");
    eprof_leave();
    walk("d");
    eprof_leave();
    walk("b");
    assert_tree("a 2/1 4 1\na;b 2/1 3 1\na;b;c 1/1 1 1\na;d 1/1 1 1\nb 1/1 1 1\n");
    assert_diagnostics("");
}

static void enter_e(void (*act)(void))
{
    EPROF_SCOPE("e");
    pass(1);
    if (act)
        act();
}

static void reset_and_recurse(void)
{
    eprof_reset();
    enter_e(NULL);
    EPROF_BLOCK("c") enter_e(NULL);
}

/* The outermost call does not count any more, but it is open, so recursive calls are still folded
 * into it. */
TEST(recursion_within_a_scope_of_before_a_reset_folds)
{
    enter_e(reset_and_recurse);
    assert_tree("e 2/2 2 2\ne;c 1/1 1 0\n");
    assert_diagnostics("");
}

/* ------------------------------------------------------------------- open -- */

TEST(open_scopes_have_their_time_so_far)
{
    EPROF_SCOPE("a");
    pass(1);
    EPROF_BLOCK("ended") pass(10);
    {
        EPROF_SCOPE("b");
        pass(100);
        assert_tree("a 0/0 111 1 open 1\na;b 0/0 100 100 open 1\na;ended 1/1 10 10\n");
        pass(1000);
        assert_tree("a 0/0 1111 1 open 1\na;b 0/0 1100 1100 open 1\na;ended 1/1 10 10\n");
    }
    assert_tree("a 0/0 1111 1 open 1\na;b 1/1 1100 1100\na;ended 1/1 10 10\n");
}

TEST_EACH(hand_clock_begin, NULL)
