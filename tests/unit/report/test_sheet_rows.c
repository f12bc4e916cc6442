#include "support/made_snapshot.h"
#include "support/written.h"

#include "report/sheet.h"

static const struct ep_report_sheet_column columns[] = {
    EP_REPORT_SHEET_COUNT(calls, false),          EP_REPORT_SHEET_TIME("total", total_ns, 0),
    EP_REPORT_SHEET_SHARE("%total", total_ns, 0), EP_REPORT_SHEET_TIME("p50", p50_ns, 1),
    EP_REPORT_SHEET_TIME("max", max_ns, 2),       EP_REPORT_SHEET_COUNT(open, true),
};

enum { LINES = 3 };

/* A row with this name, a number of left-out rows and a text, for a terminal of this width. */
static const char *sheet(const char *name, const struct ep_report_sheet_style *style)
{
    struct eprof_row row = even_instance(-1, name, 3, 1000);
    const struct ep_report_sheet_line lines[LINES] = {
        {.row = &row, .branches = "`-", .colour = EP_REPORT_SHEET_RED, .whole_ns = 4000},
        {.text = "7 more", .has_part = true, .part_ns = 20, .whole_ns = 4000},
        {.text = "a text of its own takes the line", .branches = "  `-", .is_alone = true},
    };
    const struct ep_report_sheet made = {.style = style,
                                         .title = "scope",
                                         .columns = columns,
                                         .column_count = sizeof columns / sizeof columns[0],
                                         .part_offset = offsetof(struct eprof_row, total_ns),
                                         .lines = lines,
                                         .line_count = LINES};
    struct memory memory;
    memory_open(&memory);
    ep_report_sheet_write(&memory.out, &made);
    memory_close(&memory);
    return memory.text;
}

static void assert_sheet(const char *name, struct ep_report_sheet_style style, const char *expected)
{
    assert_string_equal(sheet(name, &style), expected);
}

TEST(sheet_has_names_left_and_figures_right)
{
    assert_sheet("parse", (struct ep_report_sheet_style){.columns = 0},
                 "scope    calls    total  %total      p50      max\n"
                 "-------------------------------------------------\n"
                 "`-parse      3  3.00 us    75 %  1.00 us  1.00 us\n"
                 "7 more            20 ns   0.5 %\n"
                 "  `-a text of its own takes the line\n");
}

TEST(sheet_in_ticks_has_no_units)
{
    assert_sheet("parse", (struct ep_report_sheet_style){.in_ticks = true},
                 "scope    calls  total  %total   p50   max\n"
                 "-----------------------------------------\n"
                 "`-parse      3   3000    75 %  1000  1000\n"
                 "7 more             20   0.5 %\n"
                 "  `-a text of its own takes the line\n");
}

/* No line may be longer than the width of the terminal. */
static void assert_fits(const char *text, size_t width)
{
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
        if (strcspn(line, "\n") > width)
            fail_msg("a line is longer than %zu:\n%s", width, text);
}

TEST(sheet_leaves_out_the_columns_of_least_worth)
{
    static const struct {
        size_t width;
        bool has_p50, has_max;
    } cases[] = {{0, true, true},   {68, true, true},   {67, true, true},   {65, false, true},
                 {58, false, true}, {56, false, false}, {49, false, false}, {41, false, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct ep_report_sheet_style style = {.columns = cases[i].width};
        const char *text = sheet("parse_and_see_what_it_is", &style);
        assert_int_equal(strstr(text, "p50") != NULL, cases[i].has_p50);
        assert_int_equal(strstr(text, "max") != NULL, cases[i].has_max);
        assert_non_null(strstr(text, "total"));
        assert_fits(text, cases[i].width ? cases[i].width : SIZE_MAX);
    }
}

TEST(name_that_is_too_long_is_cut_in_its_middle)
{
    assert_sheet("parse_and_see_what_it_is", (struct ep_report_sheet_style){.columns = 41},
                 "scope              calls    total  %total\n"
                 "-----------------------------------------\n"
                 "`-parse_..._it_is      3  3.00 us    75 %\n"
                 "7 more                      20 ns   0.5 %\n"
                 "  `-a text of its own takes the line\n");
}

TEST(name_has_a_hundred_columns_where_there_is_no_terminal)
{
    enum { LONG = 300 };
    char name[LONG + 1];
    memset(name, 'n', LONG);
    name[LONG] = '\0';
    const char *text = sheet(name, &(struct ep_report_sheet_style){.columns = 0});
    char *header = line_of(text, 0);
    assert_int_equal(strlen(header), 100 + strlen("  calls    total  %total      p50      max"));
}

TEST(sheet_is_coloured_by_heat)
{
    assert_sheet(
        "parse", (struct ep_report_sheet_style){.is_colour = true},
        "\033[1mscope    calls    total  %total      p50      max\033[0m\n"
        "\033[2m-------------------------------------------------\033[0m\n"
        "\033[2m`-\033[0m\033[1;31mparse\033[0m      3  3.00 us    75 %  1.00 us  1.00 us\n"
        "\033[2m7 more            20 ns   0.5 %\033[0m\n"
        "\033[2m  `-\033[0m\033[2ma text of its own takes the line\033[0m\n");
}
