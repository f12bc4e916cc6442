#include "support/made_diff.h"

TEST(diff_csv_is_as_its_golden_file)
{
    assert_golden_diff(make_servers, "csv", "diff.csv");
    assert_golden_diff(make_server_pair, "csv", "diff-pair.csv");
    assert_golden_diff(make_hostile_pair, "csv", "diff-hostile.csv");
}

TEST(diff_csv_has_as_many_rows_as_were_asked_for)
{
    struct made_diff made;
    make_servers(&made);
    char *text = reported_diff(&made.diff, "csv", 2);
    assert_line_begins(text, 1, "scope,query,");
    assert_line_begins(text, 2, "scope,parse_headers,");
    assert_line_begins(text, 3, "diagnostic,unbalanced,");
}

TEST(diff_csv_names_the_judged_figure)
{
    struct made_diff made;
    make_server_pair(&made);
    made.diff.options.by = ep_columns_find("p99");
    char *text = reported_diff(&made.diff, "csv", 1);
    assert_non_null(strstr(text, ",p99_ns,"));
    assert_null(strstr(text, ",total_ns,"));
}

/* All figures are different, and a figure that is not a number is an empty field. */
TEST(diff_csv_has_every_figure_in_its_place)
{
    struct made_diff made;
    make_server_pair(&made);
    struct ep_diff_row *row = &made.diff.rows[0];
    row->figures[EP_DIFF_BEFORE] =
        (struct ep_diff_figures){.calls = 1.5, .times_ns = {2, 3, 4, 5, 10, 11}};
    row->figures[EP_DIFF_AFTER] = (struct ep_diff_figures){
        .calls = 6, .times_ns = {7, 8, 9, UINT64_MAX, 12, EPROF_UNKNOWN}, .is_estimate = true};
    row->change_ns = INT64_MIN;
    row->ratio = (struct ep_ratio){INFINITY, 0.25, INFINITY, true};
    row->verdict = EP_DIFF_NO_EVIDENCE;
    char *text = reported_diff(&made.diff, "csv", 1);
    assert_line_begins(text, 0,
                       "kind,name,path,verdict,judged,calls_before,calls_after,total_before_ns,"
                       "total_after_ns,self_before_ns,self_after_ns,mean_before_ns,mean_after_ns,"
                       "p99_before_ns,p99_after_ns,change_ns,ratio,ratio_low,ratio_high,"
                       "cpu_before_ns,cpu_after_ns,wait_before_ns,wait_after_ns");
    char *line = line_of(text, 1);
    assert_non_null(strstr(line, ",no evidence,total_ns,1.500000,6,2,7,3,8,4,9,5,"
                                 "18446744073709551615,-9223372036854775808,,0.250000,,10,12,11,"));
    assert_int_equal(line[strlen(line) - 1], ',');
}
