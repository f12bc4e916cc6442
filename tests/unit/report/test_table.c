#include "support/made_snapshot.h"

enum { HEADER_LINE = 3, RULE_LINE, FIRST_ROW_LINE };

TEST(table_is_as_its_golden_file)
{
    assert_golden(make_empty, "table", "empty.txt");
    assert_golden(make_contract, "table", "contract.txt");
    assert_golden(make_mixed, "table", "mixed.txt");
    assert_golden(make_threads, "table", "threads.txt");
    assert_golden(make_ticks, "table", "ticks.txt");
    assert_golden(make_raw, "table", "raw.txt");
    assert_golden(make_hostile, "table", "hostile.txt");
    assert_golden_tree(make_both, "table", "scopes.txt");
    assert_golden_tree(make_server_tree, "table", "scopes-only.txt");
}

TEST(table_begins_as_in_the_contract)
{
    struct made made;
    make_contract(&made);
    char *text = reported(&made.snapshot, "table");
    assert_line_begins(text, 0, "");
    assert_int_equal(text[0], '\n');
    char *title = line_of(text, 1);
    assert_string_equal(title, "eProf Result:");
    assert_line_begins(text, HEADER_LINE, "ID name           calls     usec/call ");
    assert_line_begins(text, RULE_LINE, "---------------------------------------------------");
    assert_line_begins(text, FIRST_ROW_LINE, "0: func1             1       10018200 ");
    assert_line_begins(text, FIRST_ROW_LINE + 1, "1: func2            10         501894 ");
}

/* The row of the only instance must begin with this text. */
static void assert_row(struct eprof_row row, const char *beginning)
{
    struct made made;
    made.rows[0] = row;
    make(&made, 1, 0);
    char *text = reported(&made.snapshot, "table");
    assert_line_begins(text, FIRST_ROW_LINE, beginning);
}

TEST(table_mean_has_three_decimals_below_100)
{
    assert_row(even_instance(0, "a", 1, 0), "0: a                 1          0.000 ");
    assert_row(even_instance(0, "a", 1, 7), "0: a                 1          0.007 ");
    assert_row(even_instance(0, "a", 1, 99999), "0: a                 1         99.999 ");
    assert_row(even_instance(0, "a", 1, 100000), "0: a                 1            100 ");
    assert_row(even_instance(0, "a", 1, 100499), "0: a                 1            100 ");
    assert_row(even_instance(0, "a", 1, 100500), "0: a                 1            101 ");
    assert_row(even_instance(0, "a", 1, UINT64_MAX), "0: a                 1 18446744073709552 ");
}

TEST(table_widens_for_longer_cells)
{
    struct made made;
    made.rows[0] = even_instance(0, "short", 1, 1);
    made.rows[1] = even_instance(1234, "a label that is longer", 123456789, 1);
    make(&made, 2, 0);
    char *text = reported(&made.snapshot, "table");
    assert_line_begins(text, HEADER_LINE, "ID    name                        calls     usec/call ");
    assert_line_begins(text, FIRST_ROW_LINE,
                       "   0: short                          1          0.001 ");
    assert_line_begins(text, FIRST_ROW_LINE + 1,
                       "1234: a label that is longer 123456789          0.001 ");
}

TEST(table_keeps_a_full_label_and_a_full_number_apart)
{
    assert_row(even_instance(0, "elevenchars", 1234567, 1),
               "0: elevenchars 1234567          0.001 ");
    assert_row(even_instance(0, "twelve chars", 1234567, 1),
               "0: twelve chars 1234567          0.001 ");
    assert_row(even_instance(0, "a", 1234567, 1), "0: a           1234567          0.001 ");
}

TEST(table_aligns_by_characters_not_bytes)
{
    assert_row(even_instance(0, "gr\xC3\xBC\xC3\x9F", 1, 1),
               "0: gr\xC3\xBC\xC3\x9F              1          0.001 ");
    assert_row(even_instance(0, "\n", 1, 1), "0: \\x0a              1          0.001 ");
}

TEST(table_column_is_as_wide_as_a_label_of_4_kib)
{
    enum { LONG = 4095 };
    char name[LONG + 1], beginning[LONG + 64];
    memset(name, 'n', LONG);
    name[LONG] = '\0';
    snprintf(beginning, sizeof beginning, "0: %s      1          0.001 ", name);
    assert_row(even_instance(0, name, 1, 1), beginning);
    memset(name, '\n', LONG);
    struct made made;
    made.rows[0] = even_instance(0, name, 1, 1);
    make(&made, 1, 0);
    char *text = reported(&made.snapshot, "table");
    char *rule = line_of(text, RULE_LINE);
    assert_in_range(strlen(rule), 4 * LONG, 4 * LONG + 200);
}

static void assert_lines_end_without_blanks(const char *text)
{
    for (const char *line = text; *line;) {
        size_t length = strcspn(line, "\n");
        assert_int_equal(line[length], '\n');
        if (length > 0)
            assert_int_not_equal(line[length - 1], ' ');
        line += length + 1;
    }
}

TEST(table_lines_end_without_blanks)
{
    void (*const makers[])(struct made * made) = {
        make_empty, make_contract, make_mixed, make_threads, make_ticks, make_raw, make_hostile};
    for (size_t i = 0; i < sizeof makers / sizeof makers[0]; i++) {
        struct made made;
        makers[i](&made);
        char *text = reported(&made.snapshot, "table");
        assert_lines_end_without_blanks(text);
    }
}

TEST(table_rule_is_as_long_as_the_header)
{
    struct made made;
    make_mixed(&made);
    char *text = reported(&made.snapshot, "table");
    char *header = line_of(text, HEADER_LINE);
    char *rule = line_of(text, RULE_LINE);
    char *row = line_of(text, FIRST_ROW_LINE);
    assert_int_equal(strlen(rule), strlen(header));
    assert_int_equal(strlen(row), strlen(header));
    assert_int_equal(strspn(rule, "-"), strlen(rule));
}

/* The figure under a title: it ends in the same column as the title. */
static void assert_figure(struct eprof_row row, const char *title, const char *expected)
{
    struct made made;
    made.rows[0] = row;
    make(&made, 1, 0);
    char *text = reported(&made.snapshot, "table");
    char *header = line_of(text, HEADER_LINE);
    char *line = line_of(text, FIRST_ROW_LINE);
    const char *found = strstr(header, title);
    assert_non_null(found);
    size_t end = (size_t)(found - header) + strlen(title);
    assert_in_range(end, strlen(expected) + 2, strlen(line));
    line[end] = '\0';
    assert_string_equal(line + end - strlen(expected), expected);
    assert_memory_equal(line + end - strlen(expected) - 2, "  ", 2);
}

TEST(table_chooses_units_for_reading)
{
    static const struct {
        uint64_t ns;
        const char *text;
    } cases[] = {
        {0, "<1 probe"}, /* less than the cost that was subtracted */
        {812, "812 ns"},
        {999, "999 ns"},
        {1000, "1.00 us"},
        {1234, "1.23 us"},
        {9994, "9.99 us"},
        {9995, "10.0 us"},
        {99949, "99.9 us"},
        {99950, "100 us"},
        {999499, "999 us"},
        {999500, "1.00 ms"},
        {1234567, "1.23 ms"},
        {999500000, "1.00 s"},
        {UINT64_C(12345678901), "12.3 s"},
        {UINT64_C(999999999999), "1000 s"},
        {UINT64_C(315360000000000000), "315360000 s"},
        {UINT64_MAX, "18446744074 s"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_figure(even_instance(0, "a", 1, cases[i].ns), "max", cases[i].text);
}

TEST(table_has_a_figure_in_every_column)
{
    struct eprof_row row = instance(0, "a");
    row.calls = 9000, row.timed = 5000, row.errors = 7, row.open = 3;
    row.total_ns = 801, row.min_ns = 802, row.p50_ns = 803, row.p90_ns = 804;
    row.p99_ns = 805, row.p999_ns = 806, row.max_ns = 807, row.stddev_ns = 808;
    assert_figure(row, "total", "801 ns");
    assert_figure(row, "min", "802 ns");
    assert_figure(row, "p50", "803 ns");
    assert_figure(row, "p90", "804 ns");
    assert_figure(row, "p99", "805 ns");
    assert_figure(row, "p99.9", "806 ns");
    assert_figure(row, "max", "807 ns");
    assert_figure(row, "stddev", "808 ns");
    assert_figure(row, "timed", "5000");
    assert_figure(row, "errors", "7");
    assert_figure(row, "open", "3");
}

/* Below 2, 10, 100 and 1,000 calls a percentile would only repeat an extreme. */
TEST(table_has_no_percentile_of_too_few_calls)
{
    static const struct {
        const char *title;
        uint64_t least;
    } cases[] = {{"p50", 2}, {"p90", 10}, {"p99", 100}, {"p99.9", 1000}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct eprof_row row = even_instance(0, "a", 9000, 805);
        row.timed = cases[i].least - 1;
        assert_figure(row, cases[i].title, "-");
        row.timed++;
        assert_figure(row, cases[i].title, "805 ns");
    }
}

TEST(table_shows_zero_if_no_cost_was_subtracted)
{
    struct made made;
    made.rows[0] = even_instance(0, "a", 1, 0);
    make(&made, 1, 0);
    made.snapshot.options.raw = true;
    assert_text_has(reported(&made.snapshot, "table"), "  0 ns ");
    assert_text_has_not(reported(&made.snapshot, "table"), "<1 probe");
    made.snapshot.options.raw = false;
    assert_text_has(reported(&made.snapshot, "table"), "  <1 probe ");
}

TEST(table_has_no_figure_where_nothing_was_timed)
{
    struct eprof_row row = instance(0, "a");
    row.open = 1;
    assert_figure(row, "total", "-");
    assert_figure(row, "stddev", "-");
    assert_figure(row, "open", "1");
}

TEST(table_shows_rare_columns_only_where_there_is_something)
{
    struct made made;
    make_contract(&made);
    char *text = reported(&made.snapshot, "table");
    char *header = line_of(text, HEADER_LINE);
    assert_null(strstr(header, "timed"));
    assert_null(strstr(header, "errors"));
    assert_null(strstr(header, "open"));
    assert_null(strstr(header, "thread"));
}

/* ---------------------------------------------------------- the table of scopes -- */

static char *scope_table(struct made_tree *tree)
{
    char *text = reported(made_snapshot(tree), "table");
    return text;
}

TEST(table_of_scopes_has_no_line_for_instances_that_are_not_there)
{
    struct made_tree tree = {.rows = NULL};
    made_scope(&tree, 0, "main", 1, 5000);
    char *text = scope_table(&tree);
    assert_line_begins(text, 1, "eProf Result:");
    assert_line_begins(text, HEADER_LINE, "scope             calls     usec/call ");
    assert_line_begins(text, FIRST_ROW_LINE, "main                 1          5.000 ");
    assert_null(strstr(text, "ID name"));
}

TEST(table_of_functions_alone_says_so)
{
    struct made_tree tree = {.count = 0};
    made_function(&tree, 0, "main", 1, 5);
    made_function(&tree, 1, "parse", 1, 5);
    char *text = reported(made_snapshot(&tree), "table");
    assert_line_begins(text, HEADER_LINE, "function          calls     usec/call ");
}

TEST(table_indents_scopes_by_depth)
{
    enum { DEPTH = 30 };
    struct made_tree tree = {.rows = NULL};
    for (uint32_t depth = 0; depth < DEPTH; depth++)
        made_scope(&tree, depth, "f", 1, 1000);
    char *text = scope_table(&tree);
    assert_line_begins(text, FIRST_ROW_LINE, "f ");
    assert_line_begins(text, FIRST_ROW_LINE + 1, "  f ");
    assert_line_begins(text, FIRST_ROW_LINE + 24,
                       "                                                f ");
    assert_line_begins(text, FIRST_ROW_LINE + 25,
                       "                                                25> f ");
}

TEST(table_has_a_thousand_scopes_at_most)
{
    for (size_t count = 999; count <= 1001; count++) {
        struct made_tree tree = {.rows = NULL};
        for (size_t i = 0; i < count; i++)
            made_scope(&tree, 0, "f", 1, 1000);
        char *text = scope_table(&tree);
        assert_line_begins(text, FIRST_ROW_LINE + (int)(count < 1000 ? count : 1000) - 1, "f  ");
        assert_line_begins(text, FIRST_ROW_LINE + (int)(count < 1000 ? count : 1000),
                           count > 1000 ? "and 1 more: csv has them all" : "");
        assert_int_equal(strstr(text, "more:") != NULL, count > 1000);
    }
}
