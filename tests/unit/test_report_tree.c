#include "made_trees.h"

#include <locale.h>

static const char *const settings[] = {"COLUMNS",  "NO_COLOR", "CLICOLOR_FORCE", "TERM", "LC_ALL",
                                       "LC_CTYPE", "LANG"};

static int clear_settings(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        unsetenv(settings[i]);
    return setlocale(LC_ALL, "C") ? 0 : -1;
}

/* The report's text, which is to be freed; the tree is. */
static char *reported_tree(struct made_tree *tree, const char *format)
{
    struct eprof_snapshot *snapshot = made_snapshot(tree);
    assert_non_null(ep_report_find(format, strlen(format), &snapshot->options));
    char *text = reported(snapshot, format);
    made_free(tree);
    return text;
}

enum { TITLE_LINE = 1, HEADER_LINE = 3 };

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    for (; (text = strstr(text, part)) != NULL; text += strlen(part))
        count++;
    return count;
}

/* ------------------------------------------------------------ golden files -- */

static void tree_is_as_its_golden_file(void **state)
{
    (void)state;
    setenv("LC_ALL", "C.UTF-8", 1);
    assert_golden_tree(make_server, "tree", "tree.txt");
    assert_golden_tree(make_shapes, "tree", "tree-shapes.txt");
    assert_golden_tree(make_server, "tree:ticks", "tree-ticks.txt");
    assert_golden_tree(make_both, "tree", "tree-both.txt");
}

static void tree_is_ascii_where_the_locale_is_not_utf8(void **state)
{
    (void)state;
    assert_golden_tree(make_server, "tree", "tree-ascii.txt");
}

static void tree_is_coloured_where_that_is_wanted(void **state)
{
    (void)state;
    setenv("LC_ALL", "C.UTF-8", 1);
    setenv("CLICOLOR_FORCE", "1", 1);
    assert_golden_tree(make_server, "tree", "tree-colour.txt");
}

static void tree_by_threads_has_one_for_each(void **state)
{
    (void)state;
    setenv("LC_ALL", "C.UTF-8", 1);
    assert_golden_tree(make_thread_trees, "tree:threads", "tree-threads.txt");
}

static void tree_with_hostile_names_is_harmless(void **state)
{
    (void)state;
    setenv("LC_ALL", "C.UTF-8", 1);
    assert_golden_tree(make_hostile_tree, "tree", "tree-hostile.txt");
    setenv("CLICOLOR_FORCE", "1", 1);
    struct made_tree tree = {.rows = NULL};
    make_hostile_tree(&tree);
    char *text = reported_tree(&tree, "tree");
    assert_null(strstr(text, "\033[2J"));
    assert_null(strstr(text, "\033[31mred"));
    assert_null(strchr(text, '\r'));
    free(text);
}

/* ------------------------------------------------------------ what is shown -- */

static void tree_without_scopes_says_so(void **state)
{
    struct made_tree tree = {.rows = NULL};
    (void)state;
    made_instance(&tree, even_instance(0, "a", 1, 1));
    char *text = reported_tree(&tree, "tree");
    assert_true(has_line(text, "eProf Tree: no scopes"));
    assert_true(has_line(text, "1 row of instances: see the table"));
    free(text);
}

static void tree_has_no_columns_of_what_did_not_happen(void **state)
{
    struct made_tree tree = {.rows = NULL};
    (void)state;
    made_scope(&tree, 0, "main", 1, MS);
    char *text = reported_tree(&tree, "tree");
    assert_null(strstr(text, "errors"));
    assert_null(strstr(text, "open"));
    free(text);
}

static void tree_lines_end_without_blanks(void **state)
{
    void (*const makers[])(struct made_tree *) = {make_server, make_shapes, make_thread_trees,
                                                  make_both, make_hostile_tree};
    (void)state;
    for (size_t i = 0; i < sizeof makers / sizeof makers[0]; i++) {
        struct made_tree tree = {.rows = NULL};
        makers[i](&tree);
        char *text = reported_tree(&tree, "tree:threads");
        if (strstr(text, " \n"))
            fail_msg("a line of this ends with a blank:\n%s", text);
        free(text);
    }
}

/* A million rows of equal length, below one parent or below a thousand. */
static void tree_of_a_million_rows_is_a_screenful(void **state)
{
    enum { ROWS_OF_ALL = 1000000, LINES_MOST = 100 };
    (void)state;
    for (uint32_t width = 1000; width <= ROWS_OF_ALL; width *= 1000) {
        struct made_tree tree = {.rows = NULL};
        made_scope(&tree, 0, "main", 1, MS);
        for (uint32_t i = 1; i < ROWS_OF_ALL; i++)
            made_scope(&tree, width == ROWS_OF_ALL || i % width == 1 ? 1 : 2, "f", 1, US);
        char *text = reported_tree(&tree, "tree");
        assert_true(count_of(text, "\n") < LINES_MOST);
        assert_non_null(strstr(text, "2 scopes at 1000000 places, 1.00 s"));
        assert_non_null(strstr(text, "... 999999 more"));
        free(text);
    }
}

static void tree_of_a_deep_chain_is_a_screenful(void **state)
{
    enum { DEPTH = 100000, LINES_MOST = 200, COLUMNS_MOST = 250 };
    static const uint64_t self_ns[] = {0, 1, MS};
    (void)state;
    for (size_t i = 0; i < sizeof self_ns / sizeof self_ns[0]; i++) {
        struct made_tree tree = {.rows = NULL};
        for (uint32_t depth = 0; depth < DEPTH; depth++)
            made_scope(&tree, depth, "deeper", 1, self_ns[i]);
        char *text = reported_tree(&tree, "tree");
        assert_true(count_of(text, "\n") < LINES_MOST);
        for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
            assert_in_range(strcspn(line, "\n"), 0, COLUMNS_MOST);
        free(text);
    }
}

static void thread_with_few_rows_is_shown_among_many_threads(void **state)
{
    enum { THREADS = 300 };
    static char names[THREADS][16];
    struct made_tree tree = {.rows = NULL};
    (void)state;
    for (int i = 0; i < THREADS; i++) {
        snprintf(names[i], sizeof names[i], "t%d", i);
        tree.thread = names[i];
        made_scope(&tree, 0, "run", 1, MS);
        made_scope(&tree, 1, "step", 1, 2 * MS);
        made_scope(&tree, 1, "stop", 1, MS);
    }
    char *text = reported_tree(&tree, "tree:threads");
    assert_int_equal(count_of(text, "\n|-step "), THREADS);
    assert_int_equal(count_of(text, "3 scopes at 3 places, 4.00 ms"), THREADS);
    free(text);
}

/* --------------------------------------------------------------- functions -- */

static void tree_says_functions_where_all_are(void **state)
{
    (void)state;
    struct made_tree tree = {.count = 0};
    made_function(&tree, 0, "main", 1, 1000);
    made_function(&tree, 1, "parse", 2, 2000);
    made_function(&tree, 1, "parse", 2, 2000);
    char *text = reported_tree(&tree, "tree");
    assert_line_begins(text, TITLE_LINE, "eProf Tree: 2 functions at 3 places, 5.00 us, source");
    assert_line_begins(text, HEADER_LINE, "function ");
    free(text);
}

static void tree_says_how_many_are_functions_where_others_are_scopes(void **state)
{
    (void)state;
    struct made_tree tree = {.count = 0};
    made_function(&tree, 0, "main", 1, 1000);
    made_scope(&tree, 1, "read", 2, 1000);
    made_scope(&tree, 1, "parse", 2, 1000);
    char *text = reported_tree(&tree, "tree");
    assert_line_begins(text, TITLE_LINE, "eProf Tree: 1 function and 2 scopes at 3 places, 3.00");
    assert_line_begins(text, HEADER_LINE, "scope ");
    free(text);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, clear_settings)
    const struct CMUnitTest tests[] = {
        TEST(tree_is_as_its_golden_file),
        TEST(tree_is_ascii_where_the_locale_is_not_utf8),
        TEST(tree_is_coloured_where_that_is_wanted),
        TEST(tree_by_threads_has_one_for_each),
        TEST(tree_with_hostile_names_is_harmless),
        TEST(tree_without_scopes_says_so),
        TEST(tree_has_no_columns_of_what_did_not_happen),
        TEST(tree_lines_end_without_blanks),
        TEST(tree_of_a_million_rows_is_a_screenful),
        TEST(tree_of_a_deep_chain_is_a_screenful),
        TEST(thread_with_few_rows_is_shown_among_many_threads),
        TEST(tree_says_functions_where_all_are),
        TEST(tree_says_how_many_are_functions_where_others_are_scopes),
    };
    return cmocka_run_group_tests_name("report_tree", tests, NULL, NULL);
}
