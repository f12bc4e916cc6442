#include "support/made_diff.h"

TEST(diff_json_is_as_its_golden_file)
{
    assert_golden_diff(make_servers, "json", "diff.json");
    assert_golden_diff(make_server_pair, "json", "diff-pair.json");
    assert_golden_diff(make_hostile_pair, "json", "diff-hostile.json");
}

TEST(diff_json_has_as_many_rows_as_were_asked_for)
{
    struct made_diff made;
    make_servers(&made);
    char *text = reported_diff(&made.diff, "json", 1);
    assert_line_begins(text, 3, "\"rows\":[");
    assert_line_begins(text, 4, "{\"kind\":\"scope\",\"name\":\"query\",");
    char *line = line_of(text, 4);
    assert_string_equal(line + strlen(line) - 3, "}]}");
}

TEST(diff_json_has_null_where_there_is_no_number)
{
    struct made_diff made;
    make_server_pair(&made);
    made.diff.rows[0].ratio = (struct ep_ratio){INFINITY, 0, INFINITY, true};
    char *text = reported_diff(&made.diff, "json", 1);
    assert_non_null(strstr(text, "\"ratio\":null,\"ratio_low\":0.000000,\"ratio_high\":null,"
                                 "\"cpu_before_ns\":null,"));
    assert_null(strstr(text, "inf"));
    assert_null(strstr(text, "nan"));
}
