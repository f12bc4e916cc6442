#include "base/escape.h"
#include "support/made_snapshot.h"
#include "support/written.h"

#include "report/format.h"

static struct eprof_row named(const char *name, const char *file, unsigned line)
{
    struct eprof_row row = instance(-1, name);
    row.file = file;
    row.line = line;
    return row;
}

/* The label must be this text, and must have the requested width. */
static void assert_label(struct eprof_row row, bool is_ambiguous, size_t width,
                         const char *expected)
{
    struct memory memory;
    memory_open(&memory);
    ep_report_format_label_write(&memory.out, &row, is_ambiguous, width, "~");
    memory_close(&memory);
    assert_string_equal(memory.text, expected);
    assert_int_equal(ep_escape_name_width(memory.text), width);
}

TEST(label_is_the_name_filled_with_blanks)
{
    struct eprof_row row = named("parse", "src/parse.c", 12);
    assert_int_equal(ep_report_format_label_width(&row, false), 5);
    assert_label(row, false, 5, "parse");
    assert_label(row, false, 8, "parse   ");
}

TEST(label_distinguishes_namesakes_by_file_and_line)
{
    struct eprof_row row = named("parse", "src/parse.c", 12);
    assert_int_equal(ep_report_format_label_width(&row, true), strlen("parse (parse.c:12)"));
    assert_label(row, true, 18, "parse (parse.c:12)");
    assert_label(row, true, 20, "parse (parse.c:12)  ");
    assert_label(named("a", "b.c", 7), true, 9, "a (b.c:7)");
    assert_label(named("a", "", 0), true, 3, "a  "); /* eprof_enter() gives it no place */
}

TEST(label_that_is_too_long_is_cut_in_its_middle)
{
    assert_label(named("abcdefghij", "", 0), false, 9, "abcd~ghij");
    assert_label(named("abcdefghij", "", 0), false, 8, "abcd~hij");
    assert_label(named("abcdefghij", "", 0), false, 1, "~");
}

TEST(place_is_cut_after_the_name)
{
    struct eprof_row row = named("a_function_with_a_long_name", "file.c", 123);
    assert_label(row, true, 26, "a_func~g_name (file.c:123)");
    assert_label(row, true, 25, "a_func~g_name (fi~.c:123)");
    row.file = "a_file_with_a_name_that_is_long_too.c";
    assert_label(row, true, 30, "a_funct~ng_name (a_fi~o.c:123)");
    row.name = "f";
    assert_label(row, true, 30, "f (a_file_with~long_too.c:123)");
    assert_label(row, true, 12, "f           ");
}
