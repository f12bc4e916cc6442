#include "report_figure.h"

#include <inttypes.h>
#include <stdio.h>

static uint64_t divide_rounded(uint64_t value, uint64_t divisor)
{
    return value / divisor + (value % divisor >= divisor - divisor / 2);
}

/* value / 10^places; made of integers, since %f asks the locale for its point. */
static struct ep_report_figure with_unit(uint64_t value, unsigned places, const char *unit)
{
    static const unsigned powers[] = {1, 10, 100, 1000};
    struct ep_report_figure figure;
    if (places)
        snprintf(figure.text, sizeof figure.text, "%" PRIu64 ".%0*u%s", value / powers[places],
                 (int)places, (unsigned)(value % powers[places]), unit);
    else
        snprintf(figure.text, sizeof figure.text, "%" PRIu64 "%s", value, unit);
    return figure;
}

struct ep_report_figure ep_report_figure_decimal(uint64_t value, unsigned places)
{
    return with_unit(value, places, "");
}

struct ep_report_figure ep_report_figure_duration(uint64_t ns)
{
    static const char *const units[] = {" ns", " us", " ms", " s"};
    const unsigned second = 9; /* 10^9 ns */
    unsigned exponent = 0;
    uint64_t step_ns = 1; /* 10^exponent, what the last digit stands for */
    while (exponent < second && divide_rounded(ns, step_ns) >= 1000) {
        exponent++;
        step_ns *= 10;
    }
    /* a unit begins with two digits behind the point and ends with none */
    return with_unit(divide_rounded(ns, step_ns), (second - exponent) % 3,
                     units[(exponent + 2) / 3]);
}

struct ep_report_figure ep_report_figure_usec(uint64_t ns)
{
    if (ns < 100 * 1000)
        return with_unit(ns, 3, "");
    return with_unit(divide_rounded(ns, 1000), 0, "");
}

struct ep_report_figure ep_report_figure_share(uint64_t part, uint64_t whole)
{
    /* more than the whole is in a recursion through others, and is no share of it */
    if (whole == 0 || part > whole)
        return (struct ep_report_figure){"-"};
    uint64_t tenths = (uint64_t)((double)part / (double)whole * 1000 + 0.5);
    /* below 10 % there are two digits with one behind the point, above with none */
    return tenths < 100 ? with_unit(tenths, 1, " %")
                        : with_unit(divide_rounded(tenths, 10), 0, " %");
}

struct ep_report_figure ep_report_figure_estimate(struct ep_report_figure figure)
{
    struct ep_report_figure estimate;
    snprintf(estimate.text, sizeof estimate.text, "~%.*s", (int)sizeof estimate.text - 2,
             figure.text);
    return estimate;
}
