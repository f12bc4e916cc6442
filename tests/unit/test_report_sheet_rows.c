#include "made_tree.h"

#include "report_sheet_rows.h"

#define TIME(title, field)                                                                         \
    {                                                                                              \
        title, offsetof(struct eprof_row, field), true, NULL                                       \
    }

static const struct ep_report_sheet_rows_column columns[] = {
    {{"calls", offsetof(struct eprof_row, calls), false, NULL}, 0},
    {TIME("total", total_ns), 0},
    {{"share", EP_REPORT_SHEET_SHARE, false, NULL}, 0},
    {TIME("p50", p50_ns), 1},
    {TIME("max", max_ns), 2},
    {{"open", offsetof(struct eprof_row, open), false, ep_report_column_has_open}, 0},
};

enum { LINES = 3 };

/* A row of that name, a rest and a text, for a terminal of so many columns. */
static char *sheet(const char *name, const struct ep_report_sheet_style *style)
{
    struct eprof_row row = even_instance(-1, name, 3, 1000);
    const struct ep_report_sheet_rows_line lines[LINES] = {
        {.line = {.row = &row, .branches = "`-", .colour = EP_REPORT_SHEET_RED},
         .has_part = true,
         .part_ns = 3000,
         .whole_ns = 4000},
        {.line.text = "7 more", .has_part = true, .part_ns = 20, .whole_ns = 4000},
        {.line = {.text = "a text of its own takes the line",
                  .branches = "  `-",
                  .is_alone = true}},
    };
    const struct ep_report_sheet_rows made = {.style = style,
                                              .title = "scope",
                                              .columns = columns,
                                              .column_count = sizeof columns / sizeof columns[0],
                                              .part_offset = offsetof(struct eprof_row, total_ns),
                                              .lines = lines,
                                              .line_count = LINES};
    char *text;
    size_t bytes;
    FILE *stream = open_memstream(&text, &bytes);
    assert_non_null(stream);
    struct ep_output out;
    ep_output_open(&out, stream);
    ep_report_sheet_rows_write(&out, &made);
    assert_int_equal(ep_output_close(&out), 0);
    fclose(stream);
    return text;
}

static void assert_sheet(const char *name, struct ep_report_sheet_style style, const char *expected)
{
    char *text = sheet(name, &style);
    assert_string_equal(text, expected);
    free(text);
}

static void sheet_has_names_left_and_figures_right(void **state)
{
    (void)state;
    assert_sheet("parse", (struct ep_report_sheet_style){.columns = 0},
                 "scope    calls    total  share      p50      max\n"
                 "------------------------------------------------\n"
                 "`-parse      3  3.00 us   75 %  1.00 us  1.00 us\n"
                 "7 more            20 ns  0.5 %\n"
                 "  `-a text of its own takes the line\n");
}

static void sheet_in_ticks_has_no_units(void **state)
{
    (void)state;
    assert_sheet("parse", (struct ep_report_sheet_style){.in_ticks = true},
                 "scope    calls  total  share   p50   max\n"
                 "----------------------------------------\n"
                 "`-parse      3   3000   75 %  1000  1000\n"
                 "7 more             20  0.5 %\n"
                 "  `-a text of its own takes the line\n");
}

/* No line may be longer than the terminal is wide. */
static void assert_fits(const char *text, size_t width)
{
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
        if (strcspn(line, "\n") > width)
            fail_msg("a line is longer than %zu:\n%s", width, text);
}

static void sheet_leaves_out_the_columns_of_least_worth(void **state)
{
    static const struct {
        size_t width;
        bool has_p50, has_max;
    } cases[] = {{0, true, true},   {67, true, true},   {66, true, true},   {64, false, true},
                 {57, false, true}, {55, false, false}, {48, false, false}, {40, false, false}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct ep_report_sheet_style style = {.columns = cases[i].width};
        char *text = sheet("parse_and_see_what_it_is", &style);
        assert_int_equal(strstr(text, "p50") != NULL, cases[i].has_p50);
        assert_int_equal(strstr(text, "max") != NULL, cases[i].has_max);
        assert_non_null(strstr(text, "total"));
        assert_fits(text, cases[i].width ? cases[i].width : SIZE_MAX);
        free(text);
    }
}

static void name_that_is_too_long_is_cut_in_its_middle(void **state)
{
    (void)state;
    assert_sheet("parse_and_see_what_it_is", (struct ep_report_sheet_style){.columns = 40},
                 "scope              calls    total  share\n"
                 "----------------------------------------\n"
                 "`-parse_..._it_is      3  3.00 us   75 %\n"
                 "7 more                      20 ns  0.5 %\n"
                 "  `-a text of its own takes the line\n");
}

static void name_has_a_hundred_columns_where_there_is_no_terminal(void **state)
{
    enum { LONG = 300 };
    char name[LONG + 1];
    (void)state;
    memset(name, 'n', LONG);
    name[LONG] = '\0';
    char *text = sheet(name, &(struct ep_report_sheet_style){.columns = 0});
    char *header = line_of(text, 0);
    assert_int_equal(strlen(header), 100 + strlen("  calls    total  share      p50      max"));
    free(header);
    free(text);
}

static void sheet_is_coloured_by_heat(void **state)
{
    (void)state;
    assert_sheet("parse", (struct ep_report_sheet_style){.is_colour = true},
                 "\033[1mscope    calls    total  share      p50      max\033[0m\n"
                 "\033[2m------------------------------------------------\033[0m\n"
                 "\033[2m`-\033[0m\033[1;31mparse\033[0m      3  3.00 us   75 %  1.00 us  1.00 us\n"
                 "\033[2m7 more            20 ns  0.5 %\033[0m\n"
                 "\033[2m  `-\033[0m\033[2ma text of its own takes the line\033[0m\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sheet_has_names_left_and_figures_right),
        cmocka_unit_test(sheet_in_ticks_has_no_units),
        cmocka_unit_test(sheet_leaves_out_the_columns_of_least_worth),
        cmocka_unit_test(name_that_is_too_long_is_cut_in_its_middle),
        cmocka_unit_test(name_has_a_hundred_columns_where_there_is_no_terminal),
        cmocka_unit_test(sheet_is_coloured_by_heat),
    };
    return cmocka_run_group_tests_name("report_sheet_rows", tests, NULL, NULL);
}
