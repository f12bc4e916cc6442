#include <string.h>

#include "report/sheet.h"
#include "support/test.h"
#include "support/written.h"

static const struct ep_report_sheet_column columns[] = {
    {.title = "before", .group = "calls", .worth = 1},
    {.title = "after", .group = "calls", .worth = 1},
    {.title = "before", .group = "time", .worth = 2},
    {.title = "after", .group = "time", .worth = 2},
    {.title = "change"},
    {.title = "verdict", .group = "of so many"},
};

enum { COLUMNS = sizeof columns / sizeof columns[0], LINES = 3 };

static const struct ep_report_sheet_line lines[LINES] = {
    {.name = "parse_and_see_what_it_is"},
    {.name = "\033[2Jwrite", .colour = EP_REPORT_SHEET_GREEN},
    {.text = "... 2 more"},
};

static struct ep_report_sheet_cell cell_at(const void *context, size_t i, size_t column)
{
    static const struct ep_report_sheet_cell cells[LINES][COLUMNS] = {
        {{{"1"}, 0}, {{"2"}, 0}, {{"30 ns"}, 0}, {{"4000 ns"}, 0}, {{"x133"}, 0}, {{""}, 0}},
        {{{"5"}, 0},
         {{"6"}, 0},
         {{"7"}, 0},
         {{"8"}, 0},
         {{"-9 %"}, EP_REPORT_SHEET_GREEN},
         {{"faster"}, 0}},
        {{{""}, 0}, {{""}, 0}, {{""}, 0}, {{""}, 0}, {{"+1 %"}, 0}, {{""}, 0}},
    };
    (void)context;
    return cells[i][column];
}

static void assert_sheet_of(const struct ep_report_sheet_line *of,
                            struct ep_report_sheet_style style, const char *expected)
{
    struct memory memory;
    memory_open(&memory);
    ep_report_sheet_write(&memory.out, &(struct ep_report_sheet){.style = &style,
                                                                 .title = "region",
                                                                 .columns = columns,
                                                                 .column_count = COLUMNS,
                                                                 .lines = of,
                                                                 .line_count = LINES,
                                                                 .cell = cell_at});
    memory_close(&memory);
    assert_string_equal(memory.text, expected);
}

static void assert_sheet(struct ep_report_sheet_style style, const char *expected)
{
    assert_sheet_of(lines, style, expected);
}

TEST(columns_of_a_group_have_its_title_in_their_middle)
{
    assert_sheet((struct ep_report_sheet_style){.columns = 0},
                 "                              calls            time               of so many\n"
                 "region                    before  after  before    after  change     verdict\n"
                 "----------------------------------------------------------------------------\n"
                 "parse_and_see_what_it_is       1      2   30 ns  4000 ns    x133\n"
                 "\\x1b[2Jwrite                   5      6       7        8    -9 %      faster\n"
                 "... 2 more                                                  +1 %\n");
}

TEST(columns_of_one_worth_go_together)
{
    assert_sheet((struct ep_report_sheet_style){.columns = 75},
                 "                                time               of so many\n"
                 "region                    before    after  change     verdict\n"
                 "-------------------------------------------------------------\n"
                 "parse_and_see_what_it_is   30 ns  4000 ns    x133\n"
                 "\\x1b[2Jwrite                   7        8    -9 %      faster\n"
                 "... 2 more                                   +1 %\n");
}

TEST(columns_without_worth_stay_and_names_are_cut)
{
    assert_sheet((struct ep_report_sheet_style){.columns = 33},
                 "                       of so many\n"
                 "region         change     verdict\n"
                 "---------------------------------\n"
                 "parse...it_is    x133\n"
                 "\\x1b[2Jwrite     -9 %      faster\n"
                 "... 2 more       +1 %\n");
}

/* Names of two letters need less room than the minimum for names. */
TEST(short_names_do_not_make_a_line_longer_than_the_terminal)
{
    static const struct ep_report_sheet_line few[LINES] = {
        {.name = "f"}, {.name = "g"}, {.text = "h"}};
    assert_sheet_of(few, (struct ep_report_sheet_style){.columns = 50},
                    "              time               of so many\n"
                    "region  before    after  change     verdict\n"
                    "-------------------------------------------\n"
                    "f        30 ns  4000 ns    x133\n"
                    "g            7        8    -9 %      faster\n"
                    "h                          +1 %\n");
}

TEST(names_and_cells_have_their_colours)
{
    assert_sheet((struct ep_report_sheet_style){.columns = 33, .is_colour = true, .is_utf8 = true},
                 "                       \033[1mof so many\033[0m\n"
                 "\033[1mregion         change     verdict\033[0m\n"
                 "\033[2m─────────────────────────────────\033[0m\n"
                 "parse_…_it_is    x133\n"
                 "\033[32m\\x1b[2Jwrite \033[0m    \033[32m-9 %\033[0m      faster\n"
                 "\033[2m... 2 more       +1 %\033[0m\n");
}
