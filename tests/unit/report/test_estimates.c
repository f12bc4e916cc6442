/* Reports on estimates: their errors, and those whose error is not known. */
#include "support/made_snapshot.h"
#include "support/made_terminal.h"

static const struct ep_site_mark none;

#include "report/format.h"

/* The errors of the total and of the mean; UINT64_MAX: not known. */
static void estimate(struct eprof_row *row, uint64_t total_error_ns, uint64_t mean_error_ns)
{
    row->estimated = 1;
    row->total_error_ns = total_error_ns;
    row->mean_error_ns = mean_error_ns;
}

/* main calls parse and get. */
static struct eprof_snapshot *make_estimates(struct made_tree *tree)
{
    *tree = (struct made_tree){.count = 0};
    made_scope(tree, 0, "main", 1, 9000);
    estimate(made_scope(tree, 1, "parse", 640, 5000), 500, 1);
    estimate(made_scope(tree, 1, "get", 64, 3200), 67, 7);
    return made_snapshot(tree);
}

static struct ep_report_figure error_of(uint64_t value_ns, uint64_t error_ns)
{
    struct eprof_row row = instance(0, "a");
    row.total_ns = value_ns;
    estimate(&row, error_ns, EPROF_UNKNOWN);
    return ep_report_format_error(&row, &none, offsetof(struct eprof_row, total_ns), false, false);
}

TEST(error_is_in_percent_rounded_up)
{
    assert_string_equal(error_of(1000, 11).text, "+-2%");
    assert_string_equal(error_of(1000, 20).text, "+-2%");
    assert_string_equal(error_of(1000, 21).text, "+-3%");
    assert_string_equal(error_of(1000, 2500).text, "+-250%");
    assert_string_equal(error_of(UINT64_MAX, UINT64_MAX - 1).text, "+-100%");
}

TEST(error_up_to_one_percent_is_not_shown_and_an_unknown_one_is_marked)
{
    assert_string_equal(error_of(1000, 10).text, "");
    assert_string_equal(error_of(1099, 10).text, "");
    assert_string_equal(error_of(1000, EPROF_UNKNOWN).text, "+-?");
    assert_string_equal(error_of(0, 10).text, "");
}

TEST(error_is_of_total_and_mean)
{
    struct eprof_row row = even_instance(0, "a", 10, 100);
    estimate(&row, 100, 5);
    assert_string_equal(
        ep_report_format_error(&row, &none, offsetof(struct eprof_row, total_ns), false, true).text,
        "\xC2\xB1"
        "10%");
    assert_string_equal(
        ep_report_format_error(&row, &none, offsetof(struct eprof_row, mean_ns), false, false).text,
        "+-5%");
    assert_string_equal(
        ep_report_format_error(&row, &none, offsetof(struct eprof_row, self_ns), false, false).text,
        "");
}

TEST(tree_has_errors_in_a_column_after_the_figures)
{
    struct made_tree tree;
    setenv("LC_ALL", "C.UTF-8", 1);
    assert_string_equal(reported(make_estimates(&tree), "tree"), golden("tree-estimates.txt"));
}

/* main is timed, but 8200 ns of its self time are those of estimates. */
TEST(self_time_that_an_estimate_was_subtracted_from_is_an_estimate)
{
    static const struct {
        const char *format, *part;
    } parts[] = {{"tree", "  1   17.2 us        100 %  ~9.00 us   52 %  17.2 us"},
                 {"tree", "  1   17.2 us        100 %  ~9.00 us   52 %\n"},
                 {"table", "17.200  ~9.00 us   52 %   17.2 us        100 %  8.60 us"},
                 {"html", "<data value=\"17200\">17.2 us</data>"
                          "<data value=\"9000\">~9.00 us</data>"},
                 {"html", "<td><data value=\"9000\">~9.00 us</data></td>"},
                 {"html", "self ~9.00 us (52 %), total 17.2 us, 1 call"}};
    setenv("LC_ALL", "C.UTF-8", 1);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        struct made_tree tree;
        struct eprof_snapshot *snapshot = make_estimates(&tree);
        snapshot->positions[0].mark.is_self_rest = snapshot->top_marks[0].is_self_rest = true;
        assert_string_equal(snapshot->tops[0].name, "main");
        assert_text_has(reported(snapshot, parts[i].format), parts[i].part);
    }
}

/* Nothing is left of the self time of main, whose children took between 7.2 and 9.2 us. */
TEST(self_time_of_zero_has_its_error_or_a_question_mark)
{
    static const struct {
        const char *format, *part;
    } parts[] = {{"tree", "  <1 probe \xC2\xB1"
                          "1.00 us  0.0 %"},
                 {"table", "  <1 probe \xC2\xB1"
                           "1.00 us  0.0 %"},
                 {"html", "<data value=\"0\">&#60;1 probe <small>\xC2\xB1"
                          "1.00 us</small></data>"},
                 {"html", "self &#60;1 probe (0.0 %), total"},
                 {"csv", ",17200,0,17200,"}};
    setenv("LC_ALL", "C.UTF-8", 1);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        struct made_tree tree;
        struct eprof_snapshot *snapshot = make_estimates(&tree);
        snapshot->rows[0].self_ns = 0;
        snapshot->positions[0].mark.is_self_rest = snapshot->positions[0].mark.is_corrected = true;
        snapshot->positions[0].mark.self_error_ns = 1000;
        assert_text_has(reported(snapshot, parts[i].format), parts[i].part);
        snapshot->positions[0].mark.self_error_ns = EPROF_UNKNOWN;
        if (strcmp(parts[i].format, "csv") != 0 && !strstr(parts[i].part, "(0.0 %)"))
            assert_text_has(reported(snapshot, parts[i].format),
                            strcmp(parts[i].format, "html") == 0 ? "1 probe <small>\xC2\xB1?"
                                                                 : "1 probe \xC2\xB1?");
    }
}

/* parse takes 5000 of 17200 ns, give or take 500, and get 3200, give or take 67. */
TEST(html_has_a_whisker_on_the_bar_of_an_estimate)
{
    struct made_tree tree;
    char *text = reported(make_estimates(&tree), "html");
    assert_text_has(text, "<rect width=\"29.1%\" height=\"100%\"/>"
                          "<rect class=\"own\" width=\"29.1%\" height=\"100%\"/>"
                          "<svg class=\"whisker\" x=\"26.2%\" width=\"5.8%\"");
    assert_text_has(text, "<svg class=\"whisker\" x=\"18.2%\" width=\"0.8%\"");
    assert_text_has(text, "<path d=\"M0 1V8M0 4.5H9M9 1V8\"/>");
    assert_text_has(text, "total ~5.00 us \xC2\xB1"
                          "10%, 640 calls"); /* in the graph */
    assert_int_equal(count_of(text, "class=\"whisker\""), 2);
}

TEST(html_has_no_whisker_where_there_is_no_error)
{
    struct made_tree tree;
    struct eprof_snapshot *snapshot = make_estimates(&tree);
    estimate(&snapshot->rows[1], EPROF_UNKNOWN, EPROF_UNKNOWN);
    estimate(&snapshot->rows[2], 0, 0);
    assert_int_equal(count_of(reported(snapshot, "html"), "class=\"whisker\""), 0);
    estimate(&snapshot->rows[2], 8, 8); /* too narrow to be seen */
    assert_int_equal(count_of(reported(snapshot, "html"), "class=\"whisker\""), 0);
    snapshot->rows[2].estimated = 0; /* a damaged image may have an error all the same */
    snapshot->rows[2].total_error_ns = 500;
    assert_int_equal(count_of(reported(snapshot, "html"), "class=\"whisker\""), 0);
}

TEST(whisker_beyond_the_whole_has_no_end)
{
    struct made_tree tree = {.count = 0};
    estimate(made_scope(&tree, 0, "all", 640, 5000), 1000, 1);
    char *text = reported(made_snapshot(&tree), "html");
    assert_text_has(text, "x=\"80.0%\" width=\"20.0%\"");
    assert_text_has(text, "<path d=\"M0 1V8M0 4.5H9\"/>");
}

TEST(table_has_errors_after_the_fixed_columns)
{
    struct made_tree tree;
    setenv("LC_ALL", "C.UTF-8", 1);
    assert_string_equal(reported(make_estimates(&tree), "table"), golden("estimates.txt"));
    setenv("LC_ALL", "C", 1);
    char *text = reported(make_estimates(&tree), "table");
    assert_text_has(text, "~5.00 us +-10%");
    assert_text_has(text, "~3.20 us  +-3%");
}

/* The line has no total, and so no error after it. */
TEST(rest_of_the_functions_is_in_its_column)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g",
                                        "h", "i", "j", "k", "l", "m"};
    struct made_tree tree = {.count = 0};
    estimate(made_scope(&tree, 0, "all", 640, 5000), 5000, 1);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        made_scope(&tree, 1, names[i], 1, 100);
    char *text = strstr(reported(made_snapshot(&tree), "tree"), "top functions");
    assert_non_null(text);
    const char *all = strstr(text, "\nall "), *rest = strstr(text, "\n... 4 more");
    assert_true(all && rest);
    assert_int_equal(strstr(rest, " 400 ns") + strlen(" 400 ns") - rest,
                     strstr(all, " ~5.00 us") + strlen(" ~5.00 us") - all);
}

/* ------------------------------------------------------------------ widths -- */

static void write_tree(const void *context, FILE *stream)
{
    const struct eprof_snapshot *snapshot = context;
    struct ep_snapshot_options options;
    ep_report_write(ep_report_find("tree", strlen("tree"), &options), snapshot, stream);
}

/* The lines up to the list of functions, as on a terminal with `columns`. */
static char *tree_at(const char *columns)
{
    struct made_tree tree;
    setenv("COLUMNS", columns, 1);
    use_terminal_with_utf8();
    char *text = terminal_catch(write_tree, make_estimates(&tree));
    char *end = strstr(text, "top func"); /* its middle may be cut */
    assert_non_null(end);
    *end = '\0';
    return text;
}

TEST(tree_with_errors_fits_its_terminal)
{
    static const struct {
        const char *columns;
        bool has_p50, has_p99, has_self_share, has_errors;
    } cases[] = {{"120", true, true, true, true},   {"103", false, true, true, true},
                 {"90", false, false, true, true},  {"80", false, false, false, true},
                 {"70", false, false, false, true}, {"60", false, false, false, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *text = tree_at(cases[i].columns), *from = strstr(text, "scope  ");
        assert_non_null(from);
        assert_int_equal(strstr(from, "p50") != NULL, cases[i].has_p50);
        assert_int_equal(strstr(from, "p99") != NULL, cases[i].has_p99);
        assert_int_equal(strstr(from, "self%") != NULL, cases[i].has_self_share);
        assert_int_equal(strstr(from, "\xC2\xB1") != NULL, cases[i].has_errors);
        assert_text_has(from, "~5.00 us");
        for (char *line = strtok(from, "\r\n"); line; line = strtok(NULL, "\r\n"))
            assert_in_range(ep_escape_name_width(line), 1, strtoul(cases[i].columns, NULL, 10));
    }
}

/* ---------------------------------------------------- errors not known -- */

static const char one[] = "no interval for 1 row of estimates (?): few calls were timed, or few "
                          "long ones decide their time";

TEST(estimate_without_an_interval_is_explained)
{
    static const char *const formats[] = {"tree", "table"};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        struct made_tree tree;
        struct eprof_snapshot *snapshot = make_estimates(&tree);
        char *text = reported(snapshot, formats[i]);
        assert_text_has_not(text, "no interval");
        estimate(&snapshot->rows[1], EPROF_UNKNOWN, EPROF_UNKNOWN);
        text = reported(snapshot, formats[i]);
        assert_true(has_line(text, one));
        assert_true(strstr(text, "\xC2\xB1?") || strstr(text, "+-?"));
        estimate(&snapshot->rows[2], EPROF_UNKNOWN, EPROF_UNKNOWN);
        assert_text_has(reported(snapshot, formats[i]), "no interval for 2 rows of estimates (?)");
    }
}

TEST(errors_that_rows_are_sorted_by_have_a_column)
{
    struct made_tree tree;
    struct eprof_snapshot *snapshot = make_estimates(&tree);
    snapshot->order = ep_columns_find("total_error");
    estimate(&snapshot->rows[2], EPROF_UNKNOWN, EPROF_UNKNOWN);
    char *text = reported(snapshot, "tree");
    assert_text_has(text, "     max  total_error\n");
    assert_text_has(text, "21 ns       500 ns\n");
    assert_text_has(text, "150 ns            -\n");
}

/* -------------------------------------------------------------------- html -- */

TEST(html_has_errors_in_cells_and_descriptions)
{
    struct made_tree tree;
    struct eprof_snapshot *snapshot = make_estimates(&tree);
    snapshot->rows[1].outermost = 600;
    char *text = reported(snapshot, "html");
    assert_text_has(text, "<data value=\"5000\">~5.00 us <small>\xC2\xB1"
                          "10%</small></data>");
    assert_text_has(text, "<span>~7 ns <small>\xC2\xB1"
                          "15%</small></span>");
    assert_text_has(text, "<span>640 <small>600 outermost</small></span>");
    assert_text_has(text, ", 600 outermost, mean error 1 ns, total error 500 ns, ");
    assert_text_has(text, "<data value=\"9000\">9.00 us</data>");
    assert_text_has_not(text, "0 estimated");
}

TEST_EACH(clear_settings, NULL)
