#include <math.h>

#include "report_diff/format.h"
#include "support/test.h"

/* The figure of a region that both sides have. */
static struct ep_diff_row row_of(struct ep_ratio ratio)
{
    return (struct ep_diff_row){.at = {0, 0}, .ratio = ratio};
}

static void assert_change(double ratio, const char *expected)
{
    struct ep_diff_row row = row_of((struct ep_ratio){.estimate = ratio});
    assert_string_equal(ep_report_diff_format_figure_change(&row).text, expected);
}

TEST(change_is_in_percent_up_to_three_times_as_much)
{
    assert_change(1, "0.0 %");
    assert_change(1.0004, "0.0 %");
    assert_change(0.9996, "0.0 %");
    assert_change(1.0006, "+0.1 %");
    assert_change(1.102, "+10.2 %");
    assert_change(0.898, "-10.2 %");
    assert_change(1.9994, "+99.9 %");
    assert_change(1.9996, "+100 %");
    assert_change(2.504, "+150 %");
    assert_change(2.999, "+200 %");
    assert_change(3, "x3.00");
    assert_change(3.404, "x3.40");
    assert_change(9.994, "x9.99");
    assert_change(9.996, "x10.0");
    assert_change(99.94, "x99.9");
    assert_change(99.96, "x100");
    assert_change(999999, "x999999");
    assert_change(1000000, ">x999999");
    assert_change(1e300, ">x999999");
}

TEST(change_of_a_kept_region_is_never_shown_as_100_percent)
{
    assert_change(0.002, "-99.8 %");
    assert_change(0.0001, "-99.9 %");
    assert_change(1e-300, "-99.9 %");
    assert_change(0, "-100 %");
}

TEST(change_without_a_factor_is_shown_in_words)
{
    assert_change(INFINITY, "from 0 ns");
    struct ep_diff_row row = row_of((struct ep_ratio){.estimate = INFINITY});
    row.at[EP_DIFF_BEFORE] = SIZE_MAX;
    assert_string_equal(ep_report_diff_format_figure_change(&row).text, "new");
    row.at[EP_DIFF_BEFORE] = 0;
    row.at[EP_DIFF_AFTER] = SIZE_MAX;
    assert_string_equal(ep_report_diff_format_figure_change(&row).text, "gone");
}

static void assert_interval(double low, double high, const char *expected)
{
    struct ep_diff_row row = row_of((struct ep_ratio){1, low, high, true});
    assert_string_equal(ep_report_diff_format_figure_interval(&row).text, expected);
}

TEST(interval_has_a_common_unit_once)
{
    assert_interval(1.081, 1.123, "+8.1 to +12.3 %");
    assert_interval(0.999999, 1.0000001, "0.0 to 0.0 %");
    assert_interval(0, 0.5, "-100 to -50.0 %");
    assert_interval(2.5, 3.4, "+150 % to x3.40");
    assert_interval(3.1, 3.4, "x3.10 to x3.40");
    assert_interval(0.00001, 1e12, "-99.9 % to >x999999");
}

TEST(interval_may_have_no_end)
{
    assert_interval(1.081, INFINITY, "+8.1 % and more");
    assert_interval(3.1, INFINITY, "x3.10 and more");
    assert_interval(1e12, INFINITY, ">x999999 and more");
    assert_interval(INFINITY, INFINITY, "from 0 ns");
    assert_interval(0, INFINITY, "any");
}

TEST(interval_of_too_few_files_is_empty)
{
    struct ep_diff_row row = row_of((struct ep_ratio){1.5, 0, INFINITY, false});
    assert_string_equal(ep_report_diff_format_figure_interval(&row).text, "");
}

TEST(difference_has_its_sign)
{
    assert_string_equal(ep_report_diff_format_figure_difference(1234567).text, "+1.23 ms");
    assert_string_equal(ep_report_diff_format_figure_difference(-1234567).text, "-1.23 ms");
    assert_string_equal(ep_report_diff_format_figure_difference(0).text, "0 ns");
    assert_string_equal(ep_report_diff_format_figure_difference(INT64_MAX).text, "+9223372037 s");
    assert_string_equal(ep_report_diff_format_figure_difference(INT64_MIN).text, "-9223372037 s");
}

TEST(small_counts_of_calls_have_a_digit_after_the_point)
{
    assert_string_equal(ep_report_diff_format_figure_calls(0).text, "0");
    assert_string_equal(ep_report_diff_format_figure_calls(0.5).text, "0.5");
    assert_string_equal(ep_report_diff_format_figure_calls(17).text, "17");
    assert_string_equal(ep_report_diff_format_figure_calls(17.25).text, "17.3");
    assert_string_equal(ep_report_diff_format_figure_calls(99.96).text, "100");
    assert_string_equal(ep_report_diff_format_figure_calls(1999.5).text, "2000");
    assert_string_equal(ep_report_diff_format_figure_calls(1e300).text, "18446744073709551615");
}

TEST(confidence_is_never_all)
{
    assert_string_equal(ep_report_diff_format_figure_confidence(0.95).text, "95 %");
    assert_string_equal(ep_report_diff_format_figure_confidence(0.5).text, "50 %");
    assert_string_equal(ep_report_diff_format_figure_confidence(0.9).text, "90 %");
    assert_string_equal(ep_report_diff_format_figure_confidence(0.995).text, "99.5 %");
    assert_string_equal(ep_report_diff_format_figure_confidence(0.9999).text, "99.99 %");
    assert_string_equal(ep_report_diff_format_figure_confidence(0.999999).text, "99.999 %");
}
