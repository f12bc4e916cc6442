#include "support/made_snapshot.h"
#include "support/made_terminal.h"

enum { TITLE_LINE = 1, HEADER_LINE = 3 };

/* ------------------------------------------------------------ golden files -- */

TEST(tree_is_as_its_golden_file)
{
    setenv("LC_ALL", "C.UTF-8", 1);
    assert_golden_tree(make_server_tree, "tree", "tree.txt");
    assert_golden_tree(make_shapes, "tree", "tree-shapes.txt");
    assert_golden_tree(make_server_tree, "tree:ticks", "tree-ticks.txt");
    assert_golden_tree(make_both, "tree", "tree-both.txt");
}

TEST(tree_is_ascii_if_the_locale_is_not_utf8)
{
    assert_golden_tree(make_server_tree, "tree", "tree-ascii.txt");
}

TEST(tree_is_coloured_on_request)
{
    setenv("LC_ALL", "C.UTF-8", 1);
    setenv("CLICOLOR_FORCE", "1", 1);
    assert_golden_tree(make_server_tree, "tree", "tree-colour.txt");
}

TEST(tree_by_threads_has_one_for_each)
{
    setenv("LC_ALL", "C.UTF-8", 1);
    assert_golden_tree(make_thread_trees, "tree:threads", "tree-threads.txt");
}

TEST(tree_with_hostile_names_is_harmless)
{
    setenv("LC_ALL", "C.UTF-8", 1);
    assert_golden_tree(make_hostile_tree, "tree", "tree-hostile.txt");
    setenv("CLICOLOR_FORCE", "1", 1);
    struct made_tree tree = {.rows = NULL};
    make_hostile_tree(&tree);
    char *text = reported_tree(&tree, "tree");
    assert_null(strstr(text, "\033[2J"));
    assert_null(strstr(text, "\033[31mred"));
    assert_null(strchr(text, '\r'));
}

/* ---- shown rows and columns ---- */

TEST(tree_without_scopes_says_so)
{
    struct made_tree tree = {.rows = NULL};
    made_instance(&tree, even_instance(0, "a", 1, 1));
    char *text = reported_tree(&tree, "tree");
    assert_true(has_line(text, "eProf Tree: no scopes"));
    assert_true(has_line(text, "1 row of instances: see the table"));
}

TEST(tree_leaves_out_columns_without_values)
{
    struct made_tree tree = {.rows = NULL};
    made_scope(&tree, 0, "main", 1, MS);
    char *text = reported_tree(&tree, "tree");
    assert_null(strstr(text, "errors"));
    assert_null(strstr(text, "open"));
}

/* No call of main was timed: its total is that of its parts. */
TEST(self_time_that_is_not_known_has_no_share)
{
    struct made_tree tree = {.rows = NULL};
    struct eprof_row *main_row = made_scope(&tree, 0, "main", 1, 0);
    main_row->timed = 0;
    made_scope(&tree, 1, "part", 1, MS);
    char *text = reported_tree(&tree, "tree");
    assert_text_has(text, "  1.00 ms   100 %        -      -  ");
}

TEST(share_in_the_parent_is_shown_if_it_is_asked_for)
{
    struct made_tree tree = {.rows = NULL};
    made_scope(&tree, 0, "main", 1, 2 * MS);
    made_scope(&tree, 1, "half", 1, MS);
    made_scope(&tree, 2, "quarter", 1, MS);
    char *text = reported_tree(&tree, "tree:parent");
    assert_text_has(text, "    total  %total  %parent     self");
    assert_text_has(text, "  4.00 ms   100 %    100 %  2.00 ms   50 %");
    assert_text_has(text, "  2.00 ms    50 %     50 %  1.00 ms   25 %");
    assert_text_has(text, "  1.00 ms    25 %     50 %  1.00 ms   25 %");
    tree.snapshot->options.parent_shares = false;
    assert_text_has_not(reported(tree.snapshot, "tree"), "%parent");
}

TEST(tree_lines_end_without_blanks)
{
    void (*const makers[])(struct made_tree *) = {make_server_tree, make_shapes, make_thread_trees,
                                                  make_both, make_hostile_tree};
    for (size_t i = 0; i < sizeof makers / sizeof makers[0]; i++) {
        struct made_tree tree = {.rows = NULL};
        makers[i](&tree);
        char *text = reported_tree(&tree, "tree:threads");
        if (strstr(text, " \n"))
            fail_msg("a line of this ends with a blank:\n%s", text);
    }
}

/* A million rows of equal duration, below one parent or below a thousand parents. */
TEST(tree_of_a_million_rows_is_a_screenful)
{
    enum { ROWS_OF_ALL = 1000000, LINES_MOST = 100 };
    for (uint32_t width = 1000; width <= ROWS_OF_ALL; width *= 1000) {
        struct made_tree tree = {.rows = NULL};
        made_scope(&tree, 0, "main", 1, MS);
        for (uint32_t i = 1; i < ROWS_OF_ALL; i++)
            made_scope(&tree, width == ROWS_OF_ALL || i % width == 1 ? 1 : 2, "f", 1, US);
        char *text = reported_tree(&tree, "tree");
        assert_true(count_of(text, "\n") < LINES_MOST);
        assert_non_null(strstr(text, "2 scopes on 1000000 call paths, 1.00 s"));
        assert_non_null(strstr(text, "... 999999 more"));
    }
}

TEST(tree_of_a_deep_chain_is_a_screenful)
{
    enum { DEPTH = 100000, LINES_MOST = 200, COLUMNS_MOST = 250 };
    static const uint64_t self_ns[] = {0, 1, MS};
    for (size_t i = 0; i < sizeof self_ns / sizeof self_ns[0]; i++) {
        struct made_tree tree = {.rows = NULL};
        for (uint32_t depth = 0; depth < DEPTH; depth++)
            made_scope(&tree, depth, "deeper", 1, self_ns[i]);
        char *text = reported_tree(&tree, "tree");
        assert_true(count_of(text, "\n") < LINES_MOST);
        for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
            assert_in_range(strcspn(line, "\n"), 0, COLUMNS_MOST);
    }
}

TEST(thread_with_few_rows_is_shown_among_many_threads)
{
    enum { THREADS = 300 };
    static char names[THREADS][16];
    struct made_tree tree = {.rows = NULL};
    for (int i = 0; i < THREADS; i++) {
        snprintf(names[i], sizeof names[i], "t%d", i);
        tree.thread = names[i];
        made_scope(&tree, 0, "run", 1, MS);
        made_scope(&tree, 1, "step", 1, 2 * MS);
        made_scope(&tree, 1, "stop", 1, MS);
    }
    char *text = reported_tree(&tree, "tree:threads");
    assert_int_equal(count_of(text, "\n|-step "), THREADS);
    assert_int_equal(count_of(text, "3 scopes on 3 call paths, 4.00 ms"), THREADS);
}

/* --------------------------------------------------------------- functions -- */

TEST(tree_of_functions_alone_counts_functions)
{
    struct made_tree tree = {.count = 0};
    made_function(&tree, 0, "main", 1, 1000);
    made_function(&tree, 1, "parse", 2, 2000);
    made_function(&tree, 1, "parse", 2, 2000);
    char *text = reported_tree(&tree, "tree");
    assert_line_begins(text, TITLE_LINE,
                       "eProf Tree: 2 functions on 3 call paths, 5.00 us, source");
    assert_line_begins(text, HEADER_LINE, "function ");
}

TEST(tree_with_scopes_counts_functions_apart)
{
    struct made_tree tree = {.count = 0};
    made_function(&tree, 0, "main", 1, 1000);
    made_scope(&tree, 1, "read", 2, 1000);
    made_scope(&tree, 1, "parse", 2, 1000);
    char *text = reported_tree(&tree, "tree");
    assert_line_begins(text, TITLE_LINE,
                       "eProf Tree: 1 function and 2 scopes on 3 call paths, 3.00");
    assert_line_begins(text, HEADER_LINE, "scope ");
}

TEST_EACH(clear_settings, NULL)
