#include "made_diff.h"

static void diff_formats_are_found_by_the_names_that_messages_tell(void **state)
{
    char names[] = EP_REPORT_DIFF_NAMES, *rest = NULL;
    size_t count = 0;
    (void)state;
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

static void diff_that_cannot_be_written_says_why(void **state)
{
    static const char *const formats[] = {"table", "csv", "json", "html"};
    struct made_diff made;
    (void)state;
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
    made_diff_free(&made);
}

static void diff_shows_as_many_rows_as_were_asked_for(void **state)
{
    static const struct {
        size_t top, most, shown; /* of 17 rows */
    } cases[] = {{0, SIZE_MAX, 17}, {0, 5, 5}, {3, 5, 3}, {9, 5, 9}, {100, 5, 17}, {0, 17, 17}};
    struct made_diff made;
    (void)state;
    make_servers(&made);
    assert_int_equal(made.diff.row_count, 17);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(ep_report_diff_shown(&made.diff,
                                              &(struct ep_report_diff_options){.top = cases[i].top},
                                              cases[i].most),
                         cases[i].shown);
    made_diff_free(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(diff_formats_are_found_by_the_names_that_messages_tell),
        cmocka_unit_test(diff_that_cannot_be_written_says_why),
        cmocka_unit_test(diff_shows_as_many_rows_as_were_asked_for),
    };
    return cmocka_run_group_tests_name("report_diff", tests, NULL, NULL);
}
