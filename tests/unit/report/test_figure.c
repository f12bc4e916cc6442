#include "report/format.h"
#include "support/test.h"

TEST(decimal_has_its_point_at_the_given_digit)
{
    assert_string_equal(ep_report_format_decimal(0, 0).text, "0");
    assert_string_equal(ep_report_format_decimal(7, 3).text, "0.007");
    assert_string_equal(ep_report_format_decimal(1234, 1).text, "123.4");
    assert_string_equal(ep_report_format_decimal(UINT64_MAX, 0).text, "18446744073709551615");
    assert_string_equal(ep_report_format_decimal(UINT64_MAX, 3).text, "18446744073709551.615");
}

TEST(duration_has_three_digits_and_the_unit_that_fits)
{
    assert_string_equal(ep_report_format_duration(0).text, "0 ns");
    assert_string_equal(ep_report_format_duration(999).text, "999 ns");
    assert_string_equal(ep_report_format_duration(1000).text, "1.00 us");
    assert_string_equal(ep_report_format_duration(999499).text, "999 us");
    assert_string_equal(ep_report_format_duration(999500).text, "1.00 ms");
    assert_string_equal(ep_report_format_duration(UINT64_MAX).text, "18446744074 s");
}

TEST(usec_has_three_decimals_below_100)
{
    assert_string_equal(ep_report_format_usec(99999).text, "99.999");
    assert_string_equal(ep_report_format_usec(100499).text, "100");
    assert_string_equal(ep_report_format_usec(100500).text, "101");
}

TEST(cost_has_three_digits)
{
    static const struct {
        double ns;
        const char *text;
    } costs[] = {{0, "0 ns"},        {-1, "0 ns"},       {0.0049, "0.00 ns"}, {0.87, "0.87 ns"},
                 {9.994, "9.99 ns"}, {9.996, "10.0 ns"}, {21.26, "21.3 ns"},  {99.94, "99.9 ns"},
                 {99.96, "100 ns"},  {126.4, "126 ns"},  {999.4, "999 ns"},   {999.6, "1.00 us"},
                 {12000, "12.0 us"}, {1.5e9, "1.50 s"}};
    for (size_t i = 0; i < sizeof costs / sizeof costs[0]; i++)
        assert_string_equal(ep_report_format_cost(costs[i].ns).text, costs[i].text);
}

TEST(share_has_two_digits)
{
    assert_string_equal(ep_report_format_share(0, 1000).text, "0.0 %");
    assert_string_equal(ep_report_format_share(4, 1000).text, "0.4 %");
    assert_string_equal(ep_report_format_share(99, 1000).text, "9.9 %");
    assert_string_equal(ep_report_format_share(9996, 100000).text, "10 %");
    assert_string_equal(ep_report_format_share(454, 1000).text, "45 %");
    assert_string_equal(ep_report_format_share(455, 1000).text, "46 %");
    assert_string_equal(ep_report_format_share(74468, 100000).text, "74 %"); /* not 74.5 first */
    assert_string_equal(ep_report_format_share(1000, 1000).text, "100 %");
    assert_string_equal(ep_report_format_share(UINT64_MAX, UINT64_MAX).text, "100 %");
}

TEST(share_of_zero_is_a_dash)
{
    assert_string_equal(ep_report_format_share(0, 0).text, "-");
    assert_string_equal(ep_report_format_share(5, 0).text, "-");
}
