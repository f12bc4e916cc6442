/* Reports on a view show all rows that were requested. */
#include "support/made_snapshot.h"
#include "support/made_terminal.h"

#include "report/sheet.h"
#include "snapshot/view.h"

/* The text of the report, which the caller frees; the tree is freed here. */
static char *reported_view(struct made_tree *tree, const char *format, struct ep_view view)
{
    struct eprof_snapshot *snapshot = made_snapshot(tree);
    const char *why;
    assert_non_null(ep_report_find(format, strlen(format), &snapshot->options));
    if (ep_view_apply(snapshot, &view, &why) != 0)
        fail_msg("%s", why);
    char *text = reported(snapshot, format);
    return text;
}

static void assert_golden_view(void (*make_one)(struct made_tree *tree), const char *format,
                               struct ep_view view, const char *file)
{
    struct made_tree tree = {.rows = NULL};
    make_one(&tree);
    assert_string_equal(reported_view(&tree, format, view), golden(file));
}

/* ------------------------------------------------------------ golden files -- */

TEST(report_of_a_view_is_as_its_golden_file)
{
    const struct ep_view top = {.top = 4, .sort = "calls"};
    setenv("LC_ALL", "C.UTF-8", 1);
    assert_golden_view(make_server_tree, "tree", top, "view-top.txt");
    assert_golden_view(make_server_tree, "table", top, "view-top-table.txt");
    assert_golden_view(make_server_tree, "csv", top, "view-top.csv");
    assert_golden_view(make_server_tree, "json", top, "view-top.json");
    assert_golden_view(make_server_tree, "tree", (struct ep_view){.sort = "p90_ns"},
                       "view-sort.txt");
    assert_golden_view(make_server_tree, "tree", (struct ep_view){.filter = "*l*"},
                       "view-filter.txt");
    assert_golden_view(make_server_tree, "tree", (struct ep_view){.focus = "query"},
                       "view-focus.txt");
    assert_golden_view(make_server_tree, "csv", (struct ep_view){.focus = "query"},
                       "view-focus.csv");
    assert_golden_view(make_thread_trees, "tree:threads",
                       (struct ep_view){.top = 2, .thread = "worker"}, "view-thread.txt");
}

/* ---- requested rows and columns ---- */

/* Many rows below a root, each with one call of 1 us, except for the last one. */
static void make_fan(struct made_tree *tree, uint32_t rows)
{
    made_scope(tree, 0, "main", 1, 100 * MS);
    for (uint32_t i = 1; i < rows; i++)
        made_scope(tree, 1, "f", 1, US)->line = i;
    made_scope(tree, 1, "often", 5000, US);
}

TEST(all_rows_of_a_top_are_shown)
{
    enum { ROWS_OF_ALL = 1500, TOP = 1200 };
    struct made_tree for_tree = {.rows = NULL}, for_table = {.rows = NULL};
    make_fan(&for_tree, ROWS_OF_ALL);
    char *tree = reported_view(&for_tree, "tree", (struct ep_view){.top = TOP});
    assert_int_equal(count_of(tree, "\n|-f ") + count_of(tree, "\n`-f "), TOP - 1);
    assert_int_equal(count_of(tree, "\nf ") + count_of(tree, "\noften "), TOP - 1);
    assert_null(strstr(tree, "more"));
    make_fan(&for_table, ROWS_OF_ALL);
    char *table = reported_view(&for_table, "table", (struct ep_view){.top = TOP});
    assert_int_equal(count_of(table, "\n  f "), TOP - 1);
    assert_null(strstr(table, "more"));
}

TEST(rows_asked_for_by_name_are_shown_however_short)
{
    struct made_tree tree = {.rows = NULL};
    make_fan(&tree, 6);
    char *text = reported_view(&tree, "tree", (struct ep_view){.filter = "f"});
    assert_non_null(strstr(text, "7 scopes on 7 call paths (5 chosen), 100 ms"));
    assert_int_equal(count_of(text, "\n|-f ("), 4);
    assert_int_equal(count_of(text, "\n`-f ("), 1);
}

/* A row deep below a row that has one call. */
TEST(row_with_the_most_is_shown_at_any_place)
{
    struct made_tree tree = {.rows = NULL};
    made_scope(&tree, 0, "main", 1, 100 * MS);
    for (uint32_t i = 0; i < 1000; i++)
        made_scope(&tree, 1, "f", 2 + i, US);
    for (uint32_t depth = 1; depth < 20; depth++)
        made_scope(&tree, depth, "down", 1, 0);
    made_scope(&tree, 20, "often", 5000, US);
    char *text = reported_view(&tree, "tree", (struct ep_view){.sort = "calls"});
    assert_int_equal(count_of(text, "> often"), 1);
    assert_int_equal(count_of(text, "down "), 20);  /* and as a top function */
    assert_int_equal(count_of(text, "\n|-f "), 79); /* of 100 rows */
    assert_int_equal(count_of(text, " 1001 ") + count_of(text, " 923 "), 2);
    assert_non_null(strstr(text, "... 921 more"));
}

/* There are more rows than can be shown: as many rows of the way as possible are shown. */
TEST(way_to_the_row_with_the_most_begins_at_the_root)
{
    struct made_tree tree = {.rows = NULL};
    for (uint32_t depth = 0; depth < 300; depth++)
        made_scope(&tree, depth, "down", 1, US);
    made_scope(&tree, 300, "often", 5000, US);
    char *text = reported_view(&tree, "tree", (struct ep_view){.sort = "calls"});
    assert_int_equal(count_of(text, "99> down "), 1);
    assert_int_equal(count_of(text, "100> ... 201 more"), 1);
}

TEST(longest_rows_are_shown_in_the_order_of_their_names)
{
    struct made_tree tree = {.rows = NULL};
    make_fan(&tree, 300);
    made_scope(&tree, 1, "zoo", 1, 50 * MS);
    made_scope(&tree, 1, "apple", 1, 20 * MS);
    char *text = reported_view(&tree, "tree", (struct ep_view){.sort = "name"});
    assert_int_equal(count_of(text, "\n|-apple "), 1);
    assert_int_equal(count_of(text, "\n`-zoo "), 1);
    assert_int_equal(count_of(text, "\n|-f ("), 97); /* of 100, with main */
    assert_true(strstr(text, "-apple") < strstr(text, "-f ("));
}

TEST(rows_whose_error_is_not_known_come_last)
{
    struct made_tree tree = {.rows = NULL};
    made_scope(&tree, 0, "main", 1, 1);
    for (int i = 0; i < 300; i++) {
        struct eprof_row *row = made_scope(&tree, 1, "f", 1, 1000);
        row->line = (unsigned)i + 1;
        row->total_error_ns = EPROF_UNKNOWN;
    }
    made_scope(&tree, 1, "apple", 1, 10)->total_error_ns = 3;
    made_scope(&tree, 1, "pear", 1, 10)->total_error_ns = 2; /* one row would not be left out */
    assert_text_has(reported_view(&tree, "tree", (struct ep_view){.sort = "total_error"}),
                    "\n|-apple");
}

/* The terminal has no room for this column, or all its values are zero. */
TEST(column_that_rows_are_sorted_by_stays)
{
    struct ep_report_sheet_column columns[4] = {EP_REPORT_SHEET_TIME("p50", p50_ns, 1),
                                                EP_REPORT_SHEET_COUNT(open, true)};
    assert_int_equal(ep_report_sheet_order(columns, 2, NULL), 2);
    assert_int_equal(ep_report_sheet_order(columns, 2, ep_columns_find("name")), 2);
    assert_int_equal(columns[0].worth, 1);
    assert_int_equal(ep_report_sheet_order(columns, 2, ep_columns_find("p50")), 2);
    assert_int_equal(columns[0].worth, 0);
    assert_int_equal(ep_report_sheet_order(columns, 2, ep_columns_find("open")), 2);
    assert_false(columns[1].hides_zeros);
    assert_int_equal(ep_report_sheet_order(columns, 2, ep_columns_find("min")), 3);
    assert_string_equal(columns[2].title, "min");
    assert_true(columns[2].is_duration);
    assert_int_equal(ep_report_sheet_order(columns, 3, ep_columns_find("timed")), 4);
    assert_false(columns[3].is_duration);
}

TEST(title_of_the_tops_names_their_order)
{
    static const char *const keys[][2] = {{NULL, "self time"},     {"self", "self time"},
                                          {"total", "total time"}, {"name", "name"},
                                          {"open", "open"},        {"p999", "p999"}};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        struct made_tree tree = {.rows = NULL};
        char title[64];
        make_both(&tree);
        char *text = reported_view(&tree, "tree", (struct ep_view){.sort = keys[i][0]});
        snprintf(title, sizeof title, "\ntop functions by %s ", keys[i][1]);
        if (!strstr(text, title))
            assert_string_equal(text, title);
    }
}

TEST(view_of_instances_alone_is_no_tree)
{
    struct made_tree tree = {.rows = NULL}, bare = {.rows = NULL};
    make_both(&tree);
    char *text = reported_view(&tree, "tree", (struct ep_view){.filter = "func?", .top = 1});
    assert_true(has_line(text, "eProf Tree: no scopes"));
    assert_true(has_line(text, "1 row of instances: see the table"));
    make_both(&bare);
    text = reported_view(&bare, "json", (struct ep_view){.filter = "func?", .sort = "calls"});
    assert_int_equal(count_of(text, "\"kind\""), 2);
    assert_true(strstr(text, "func2") < strstr(text, "func1"));
}

TEST_EACH(clear_settings, NULL)
