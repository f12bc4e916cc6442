#include "support/made_diff.h"

#include "support/made_terminal.h"

TEST(diff_formats_are_found_by_the_names_in_messages)
{
    char names[] = EP_REPORT_DIFF_NAMES, *rest = NULL;
    size_t count = 0;
    for (char *name = strtok_r(names, ", ", &rest); name; name = strtok_r(NULL, ", ", &rest)) {
        const struct ep_report_diff *report = ep_report_diff_find(name);
        assert_non_null(report);
        assert_string_equal(report->name, name);
        count++;
    }
    assert_int_equal(count, 4);
    assert_null(ep_report_diff_find("tree"));
    assert_null(ep_report_diff_find(""));
    assert_null(ep_report_diff_find("csv:raw"));
}

TEST(diff_that_cannot_be_written_says_why)
{
    static const char *const formats[] = {"table", "csv", "json", "html"};
    struct made_diff made;
    make_servers(&made);
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        FILE *full = fopen("/dev/full", "w");
        assert_non_null(full);
        errno = 0;
        assert_int_equal(ep_report_diff_write(ep_report_diff_find(formats[i]), &made.diff,
                                              &(struct ep_report_diff_options){.top = 0}, full),
                         -1);
        assert_int_equal(errno, ENOSPC);
        fclose(full);
    }
}

TEST(diff_shows_as_many_rows_as_were_asked_for)
{
    static const struct {
        size_t top, most, shown; /* of 17 rows */
    } cases[] = {{0, SIZE_MAX, 17}, {0, 5, 5}, {3, 5, 3}, {9, 5, 9}, {100, 5, 17}, {0, 17, 17}};
    struct made_diff made;
    make_servers(&made);
    assert_int_equal(made.diff.row_count, 17);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(
            ep_report_diff_shown(&(struct ep_report_diff){.rows_most = cases[i].most}, &made.diff,
                                 &(struct ep_report_diff_options){.top = cases[i].top}),
            cases[i].shown);
}

/* ---- on a terminal ---- */

struct diff_on_terminal {
    const struct ep_report_diff *report;
    const struct ep_diff *diff;
};

static void write_diff(const void *context, FILE *stream)
{
    const struct diff_on_terminal *on = context;
    const struct ep_report_diff_options options = {.names = {"\033[2Jold", "\xC3\xA9new"}};
    ep_report_diff_write(on->report, on->diff, &options, stream);
}

static void assert_formats_are_harmless(bool is_ascii)
{
    char names[] = EP_REPORT_DIFF_NAMES, *rest = NULL;
    struct made_diff made;
    make_hostile_pair(&made);
    for (char *name = strtok_r(names, ", ", &rest); name; name = strtok_r(NULL, ", ", &rest)) {
        struct diff_on_terminal on = {ep_report_diff_find(name), &made.diff};
        char *text = terminal_catch(write_diff, &on);
        assert_is_harmless(name, text, is_ascii);
    }
}

TEST(diff_formats_on_a_terminal_have_no_control_sequences_in_names)
{
    use_terminal_with_utf8();
    assert_formats_are_harmless(false);
}

TEST(diff_formats_on_a_terminal_without_utf8_are_ascii)
{
    use_terminal_without_utf8();
    assert_formats_are_harmless(true);
}
