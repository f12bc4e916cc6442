#include "support/made_diff.h"

#include "support/made_terminal.h"

TEST(diff_table_is_as_its_golden_file)
{
    assert_golden_diff(make_hostile_pair, "table", "diff-ascii.txt");
    setenv("LC_ALL", "C.UTF-8", 1);
    assert_golden_diff(make_servers, "table", "diff.txt");
    assert_golden_diff(make_server_pair, "table", "diff-pair.txt");
    assert_golden_diff(make_hostile_pair, "table", "diff-hostile.txt");
}

TEST(diff_table_is_coloured_where_there_is_a_verdict)
{
    setenv("LC_ALL", "C.UTF-8", 1);
    setenv("CLICOLOR_FORCE", "1", 1);
    assert_golden_diff(make_servers, "table", "diff-colour.txt");
}

/* ---- on a terminal ---- */

enum { ROOM = 1 << 16 };

static char *named_on_terminal(const struct ep_diff *diff, const char *before,
                               unsigned short columns)
{
    struct terminal terminal;
    char *text = test_room(1, ROOM);
    terminal_open(&terminal, columns);
    setenv("TERM", "dumb", 1); /* no colours */
    assert_int_equal(
        ep_report_diff_write(ep_report_diff_find("table"), diff,
                             &(struct ep_report_diff_options){.names = {before, "new"}},
                             terminal.stream),
        0);
    terminal_read(&terminal, text, ROOM);
    terminal_close(&terminal);
    return text;
}

static char *on_terminal(const struct ep_diff *diff, unsigned short columns)
{
    return named_on_terminal(diff, "old", columns);
}

/* The lines of the sheet; lines around it may be longer. */
static void assert_sheet_fits(const char *text, size_t width)
{
    const char *sheet = strstr(text, "\nregion "), *end = strstr(sheet, "\n\n");
    assert_non_null(end);
    for (const char *line = sheet + 1; line < end; line += strcspn(line, "\n") + 1)
        if (strcspn(line, "\n") > width)
            fail_msg("a line is longer than %zu:\n%s", width, text);
}

TEST(diff_table_at_80_columns_has_the_deciding_columns)
{
    struct made_diff made;
    make_servers(&made);
    char *text = on_terminal(&made.diff, 80);
    assert_string_equal(text, golden("diff-80.txt"));
    assert_sheet_fits(text, 80);
}

TEST(diff_table_at_140_columns_has_more)
{
    struct made_diff made;
    make_servers(&made);
    char *text = on_terminal(&made.diff, 140);
    assert_string_equal(text, golden("diff-140.txt"));
    assert_sheet_fits(text, 140);
}

TEST(judged_column_stays_at_any_width)
{
    static const char *const keys[] = {"total", "self", "mean", "p99"};
    struct made_diff made;
    make_servers(&made);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        made.diff.options.by = ep_columns_find(keys[i]);
        char *text = on_terminal(&made.diff, 64), *groups = strstr(text, "\n\n") + 2;
        groups[strcspn(groups, "\n")] = '\0';
        assert_string_equal(groups + strspn(groups, " "), keys[i]);
    }
}

TEST(origin_is_cut_to_the_width_of_the_terminal)
{
    enum { LONG = 300 };
    char path[LONG + 1], command[LONG + 1];
    struct made_diff made;
    memset(path, 'p', LONG);
    memset(command, 'c', LONG);
    path[LONG] = command[LONG] = '\0';
    make_servers(&made);
    made.diff.sides[EP_DIFF_BEFORE]->command = command;
    char *text = named_on_terminal(&made.diff, path, 80), *line = line_of(text, 2);
    assert_string_equal(line, "before: pppppppppppp...ppppppppppp of ccccccccccccc...cccccccccccc, "
                              "several runs");
    assert_in_range(strlen(line), 1, 80);
}

/* ---- rows ---- */

static void make_many(struct made_diff *made, int count)
{
    static char names[100][16];
    *made = (struct made_diff){.files = {1, 1}};
    for (int side = 0; side < EP_DIFF_SIDES; side++)
        for (int i = 0; i < count; i++) {
            snprintf(names[i], sizeof names[i], "f%02d", i);
            made_scope(&made->trees[side], 0, names[i], 1, MS + (uint64_t)(side * (i + 1)) * US);
        }
    made_compare(made);
}

static void assert_rows(int regions, size_t top, const char *last, const char *rest)
{
    struct made_diff made;
    make_many(&made, regions);
    char *text = reported_diff(&made.diff, "table", top);
    assert_non_null(strstr(text, last));
    if (rest)
        assert_non_null(strstr(text, rest));
    else
        assert_null(strstr(text, " more\n"));
}

TEST(diff_table_shows_the_largest_changes)
{
    assert_rows(40, 0, "\nf00 ", NULL);
    assert_rows(90, 0, "\nf50 ", "\n... 50 more\n");
    assert_rows(90, 3, "\nf87 ", "\n... 87 more\n");
    assert_rows(90, 90, "\nf00 ", NULL);
}

TEST(diff_table_marks_estimates)
{
    struct made_diff made = {.files = {1, 1}};
    made_function(&made.trees[EP_DIFF_BEFORE], 0, "f", 1, 12340);
    made_function(&made.trees[EP_DIFF_AFTER], 0, "f", 1, 23450);
    made_compare(&made);
    made.diff.rows[0].figures[EP_DIFF_AFTER].is_estimate = true;
    char *text = reported_diff(&made.diff, "table", 0);
    assert_non_null(strstr(text, "  12.3 us  ~23.5 us  12.3 us  ~23.5 us  12.3 us  23.5 us"));
}

/* A region of two files whose times are estimates, which differ by less than their errors. */
static const struct ep_diff *make_estimates(struct made_diff *made)
{
    *made = (struct made_diff){.files = {1, 1}};
    made_scope(&made->trees[EP_DIFF_BEFORE], 0, "f", 1, 10000);
    made_scope(&made->trees[EP_DIFF_AFTER], 0, "f", 1, 11000);
    made_compare(made);
    struct ep_diff_row *row = &made->diff.rows[0];
    row->ratio = (struct ep_ratio){1.1, 0.9, 1.3, true};
    row->is_of_errors = true;
    row->verdict = EP_DIFF_NO_EVIDENCE;
    return &made->diff;
}

TEST(change_of_two_files_within_the_errors_of_estimates_is_shown_as_none)
{
    static const struct {
        const char *format, *part;
    } parts[] = {{"table", "+10.0 %  -10.0 to +30.0 %  no evidence"},
                 {"table",
                  "1 region without evidence\nverdicts on 1 region take 7 files of each side: "
                  "--before ... --after ...; the intervals are those of the estimates (~) alone"},
                 {"csv", "scope,f,f,no evidence,total_ns,"},
                 {"csv", ",1000,1.100000,0.900000,1.300000,"},
                 {"json", "\"verdict\":\"no evidence\""},
                 {"json", "\"ratio_low\":0.900000,\"ratio_high\":1.300000,"},
                 {"html", "<b>+10.0 %</b><span>no evidence</span>"},
                 {"html", "<span>-10.0 to +30.0 %</span>"}};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        struct made_diff made;
        char *text = reported_diff(make_estimates(&made), parts[i].format, 0);
        if (!strstr(text, parts[i].part))
            fail_msg("no \"%s\" in\n%.900s", parts[i].part, text);
    }
}

/* f, of 10 us and 11 us, of which it waited 3 us and an unknown time. */
static const struct ep_diff *make_waiting(struct made_diff *made, bool has_cpu_after)
{
    *made = (struct made_diff){.files = {1, 1}};
    for (int side = 0; side < EP_DIFF_SIDES; side++) {
        struct eprof_row *row = made_scope(&made->trees[side], 0, "f", 1, 10 * US);
        row->cpu_ns = side == EP_DIFF_BEFORE ? 7 * US : 4567;
        row->wait_ns = side == EP_DIFF_BEFORE ? 3 * US : EPROF_UNKNOWN;
    }
    made_compare(made);
    made->diff.sides[EP_DIFF_BEFORE]->conversion.has_cpu = true;
    made->diff.sides[EP_DIFF_AFTER]->conversion.has_cpu = has_cpu_after;
    return &made->diff;
}

TEST(diff_shows_how_processor_time_and_waiting_changed)
{
    static const struct {
        const char *format, *part;
    } parts[] = {{"table", "7.00 us  4.57 us  3.00 us      -"},
                 {"csv", ",,,7000,4567,3000,\n"},
                 {"json", "\"cpu_before_ns\":7000,\"cpu_after_ns\":4567,\"wait_before_ns\":3000,"
                          "\"wait_after_ns\":null}"},
                 {"html", "<data value=\"4567\">4.57 us</data>"},
                 {"html", "<data value=\"3000\">3.00 us</data><span>\u2013</span>"},
                 {"html", "\ncpu 7000 \u2192 4567 ns: -2433\n"}};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        struct made_diff made;
        char *text = reported_diff(make_waiting(&made, true), parts[i].format, 0);
        if (!strstr(text, parts[i].part))
            fail_msg("no \"%s\" in %s\n%s", parts[i].part, parts[i].format,
                     strstr(text, "<body") ? strstr(text, "<body") : text);
    }
}

TEST(diff_has_no_columns_of_processor_time_that_one_side_lacks)
{
    struct made_diff made;
    char *text = reported_diff(make_waiting(&made, false), "table", 0);
    if (strstr(text, "cpu") || strstr(text, "wait"))
        fail_msg("cpu or wait in\n%s", text);
    text = reported_diff(make_waiting(&made, false), "html", 0);
    assert_null(strstr(text, ">cpu<"));
}

TEST(self_time_of_a_side_that_an_estimate_was_subtracted_from_is_an_estimate)
{
    struct made_diff made = {.files = {1, 1}};
    for (int side = 0; side < EP_DIFF_SIDES; side++)
        made_scope(&made.trees[side], 0, "f", 1, 10 * US);
    made_compare(&made);
    made.diff.rows[0].is_self_rest[EP_DIFF_AFTER] = true;
    char *text = reported_diff(&made.diff, "table", 0);
    const char *total_and_self = "  10.0 us  10.0 us  10.0 us  ~10.0 us  10.0 us";
    if (!strstr(text, total_and_self) || count_of(text, "~") != 1)
        fail_msg("not \"%s\" in\n%s", total_and_self, text);
}

TEST(diff_table_without_regions_says_so)
{
    struct made_diff made = {.files = {1, 1}};
    made_compare(&made);
    char *text = reported_diff(&made.diff, "table", 0);
    assert_true(has_line(text, "no regions"));
}

TEST(diff_table_lines_end_without_blanks)
{
    void (*const makers[])(struct made_diff *) = {make_servers, make_server_pair,
                                                  make_hostile_pair};
    for (size_t i = 0; i < sizeof makers / sizeof makers[0]; i++) {
        struct made_diff made;
        makers[i](&made);
        char *text = reported_diff(&made.diff, "table", 0);
        if (strstr(text, " \n"))
            fail_msg("a line of this ends with a blank:\n%s", text);
    }
}

TEST_EACH(clear_settings, NULL)
