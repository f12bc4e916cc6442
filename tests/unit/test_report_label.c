#include "escape_name.h"
#include "made_tree.h"

#include "report_label.h"

static struct eprof_row named(const char *name, const char *file, unsigned line)
{
    struct eprof_row row = instance(-1, name);
    row.file = file;
    row.line = line;
    return row;
}

/* Exactly so, and exactly as wide as was asked for. */
static void assert_label(struct eprof_row row, bool is_ambiguous, size_t width,
                         const char *expected)
{
    char *text;
    size_t bytes;
    FILE *stream = open_memstream(&text, &bytes);
    assert_non_null(stream);
    struct ep_output out;
    ep_output_open(&out, stream);
    ep_report_label_write(&out, &row, is_ambiguous, width, "~");
    assert_int_equal(ep_output_close(&out), 0);
    fclose(stream);
    assert_string_equal(text, expected);
    assert_int_equal(ep_escape_name_width(text), width);
    free(text);
}

static void label_is_the_name_filled_with_blanks(void **state)
{
    (void)state;
    struct eprof_row row = named("parse", "src/parse.c", 12);
    assert_int_equal(ep_report_label_width(&row, false), 5);
    assert_label(row, false, 5, "parse");
    assert_label(row, false, 8, "parse   ");
}

static void label_tells_namesakes_apart_by_file_and_line(void **state)
{
    (void)state;
    struct eprof_row row = named("parse", "src/parse.c", 12);
    assert_int_equal(ep_report_label_width(&row, true), strlen("parse (parse.c:12)"));
    assert_label(row, true, 18, "parse (parse.c:12)");
    assert_label(row, true, 20, "parse (parse.c:12)  ");
    assert_label(named("a", "b.c", 7), true, 9, "a (b.c:7)");
    assert_label(named("a", "", 0), true, 3, "a  "); /* one of eprof_enter() has no place */
}

static void label_that_is_too_long_is_cut_in_its_middle(void **state)
{
    (void)state;
    assert_label(named("abcdefghij", "", 0), false, 9, "abcd~ghij");
    assert_label(named("abcdefghij", "", 0), false, 8, "abcd~hij");
    assert_label(named("abcdefghij", "", 0), false, 1, "~");
}

static void place_is_cut_after_the_name(void **state)
{
    (void)state;
    struct eprof_row row = named("a_function_with_a_long_name", "file.c", 123);
    assert_label(row, true, 26, "a_func~g_name (file.c:123)");
    assert_label(row, true, 25, "a_func~g_name (fi~.c:123)");
    row.file = "a_file_with_a_name_that_is_long_too.c";
    assert_label(row, true, 30, "a_funct~ng_name (a_fi~o.c:123)");
    row.name = "f";
    assert_label(row, true, 30, "f (a_file_with~long_too.c:123)");
    assert_label(row, true, 12, "f           ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(label_is_the_name_filled_with_blanks),
        cmocka_unit_test(label_tells_namesakes_apart_by_file_and_line),
        cmocka_unit_test(label_that_is_too_long_is_cut_in_its_middle),
        cmocka_unit_test(place_is_cut_after_the_name),
    };
    return cmocka_run_group_tests_name("report_label", tests, NULL, NULL);
}
