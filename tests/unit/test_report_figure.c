#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "report_figure.h"

static void decimal_has_its_point_where_it_is_wanted(void **state)
{
    (void)state;
    assert_string_equal(ep_report_figure_decimal(0, 0).text, "0");
    assert_string_equal(ep_report_figure_decimal(7, 3).text, "0.007");
    assert_string_equal(ep_report_figure_decimal(1234, 1).text, "123.4");
    assert_string_equal(ep_report_figure_decimal(UINT64_MAX, 0).text, "18446744073709551615");
    assert_string_equal(ep_report_figure_decimal(UINT64_MAX, 3).text, "18446744073709551.615");
}

static void duration_has_three_digits_and_the_unit_that_fits(void **state)
{
    (void)state;
    assert_string_equal(ep_report_figure_duration(0).text, "0 ns");
    assert_string_equal(ep_report_figure_duration(999).text, "999 ns");
    assert_string_equal(ep_report_figure_duration(1000).text, "1.00 us");
    assert_string_equal(ep_report_figure_duration(999499).text, "999 us");
    assert_string_equal(ep_report_figure_duration(999500).text, "1.00 ms");
    assert_string_equal(ep_report_figure_duration(UINT64_MAX).text, "18446744074 s");
}

static void usec_has_three_decimals_below_100(void **state)
{
    (void)state;
    assert_string_equal(ep_report_figure_usec(99999).text, "99.999");
    assert_string_equal(ep_report_figure_usec(100499).text, "100");
    assert_string_equal(ep_report_figure_usec(100500).text, "101");
}

static void share_has_two_digits(void **state)
{
    (void)state;
    assert_string_equal(ep_report_figure_share(0, 1000).text, "0.0 %");
    assert_string_equal(ep_report_figure_share(4, 1000).text, "0.4 %");
    assert_string_equal(ep_report_figure_share(99, 1000).text, "9.9 %");
    assert_string_equal(ep_report_figure_share(9996, 100000).text, "10 %");
    assert_string_equal(ep_report_figure_share(454, 1000).text, "45 %");
    assert_string_equal(ep_report_figure_share(455, 1000).text, "46 %");
    assert_string_equal(ep_report_figure_share(1000, 1000).text, "100 %");
    assert_string_equal(ep_report_figure_share(UINT64_MAX, UINT64_MAX).text, "100 %");
}

static void share_of_nothing_is_none(void **state)
{
    (void)state;
    assert_string_equal(ep_report_figure_share(0, 0).text, "-");
    assert_string_equal(ep_report_figure_share(5, 0).text, "-");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decimal_has_its_point_where_it_is_wanted),
        cmocka_unit_test(duration_has_three_digits_and_the_unit_that_fits),
        cmocka_unit_test(usec_has_three_decimals_below_100),
        cmocka_unit_test(share_has_two_digits),
        cmocka_unit_test(share_of_nothing_is_none),
    };
    return cmocka_run_group_tests_name("report_figure", tests, NULL, NULL);
}
