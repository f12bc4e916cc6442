#include "report_diff_figure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* From here on a factor is read more easily than a percentage. */
#define FACTOR_LEAST 3

/* What is more is no longer of interest, and a file gone bad may have any. */
#define FACTOR_MOST 999999

static uint64_t rounded(double value)
{
    return (uint64_t)(value + 0.5);
}

/* ---- ratios ---- */

/* Three digits, or all that stand before the point: x3.40, x34.0, x3400. */
static struct ep_report_figure factor_figure(double ratio)
{
    struct ep_report_figure figure, digits;
    if (ratio > FACTOR_MOST)
        return (struct ep_report_figure){">x999999"};
    if (ratio < 9.995)
        digits = ep_report_figure_decimal(rounded(ratio * 100), 2);
    else if (ratio < 99.95)
        digits = ep_report_figure_decimal(rounded(ratio * 10), 1);
    else
        digits = ep_report_figure_decimal(rounded(ratio), 0);
    snprintf(figure.text, sizeof figure.text, "x%.*s", (int)sizeof figure.text - 2, digits.text);
    return figure;
}

/* One digit behind the point below 100 %: what is not gone is not shown as if it were. */
static struct ep_report_figure percent_figure(double ratio)
{
    struct ep_report_figure figure, digits;
    uint64_t tenths = rounded(fabs(ratio - 1) * 1000);
    if (ratio > 0 && ratio < 1 && tenths >= 1000)
        tenths = 999;
    if (tenths == 0)
        return (struct ep_report_figure){"0.0 %"};
    digits = tenths < 1000 ? ep_report_figure_decimal(tenths, 1)
                           : ep_report_figure_decimal(rounded((double)tenths / 10), 0);
    snprintf(figure.text, sizeof figure.text, "%c%.*s %%", ratio < 1 ? '-' : '+',
             (int)sizeof figure.text - 4, digits.text);
    return figure;
}

static struct ep_report_figure ratio_figure(double ratio)
{
    return ratio < FACTOR_LEAST ? percent_figure(ratio) : factor_figure(ratio);
}

struct ep_report_figure ep_report_diff_figure_change(const struct ep_diff_row *row)
{
    if (row->at[EP_DIFF_BEFORE] == SIZE_MAX)
        return (struct ep_report_figure){"new"};
    if (row->at[EP_DIFF_AFTER] == SIZE_MAX)
        return (struct ep_report_figure){"gone"};
    if (isinf(row->ratio.estimate))
        return (struct ep_report_figure){"from 0 ns"};
    return ratio_figure(row->ratio.estimate);
}

struct ep_report_figure ep_report_diff_figure_interval(const struct ep_diff_row *row)
{
    static const char unit[] = " %";
    struct ep_report_figure interval = {""};
    const struct ep_ratio *ratio = &row->ratio;
    if (!ratio->has_interval)
        return interval;
    if (isinf(ratio->low))
        return (struct ep_report_figure){"from 0 ns"};
    if (ratio->low <= 0 && isinf(ratio->high))
        return (struct ep_report_figure){"any"};
    struct ep_report_figure low = ratio_figure(ratio->low), high = ratio_figure(ratio->high);
    if (isinf(ratio->high)) {
        snprintf(interval.text, sizeof interval.text, "%.12s and more", low.text);
        return interval;
    }
    /* a unit that both have is said once */
    if (ratio->high < FACTOR_LEAST)
        low.text[strlen(low.text) - strlen(unit)] = '\0';
    snprintf(interval.text, sizeof interval.text, "%.11s to %.11s", low.text, high.text);
    return interval;
}

/* ---- others ---- */

struct ep_report_figure ep_report_diff_figure_difference(int64_t change_ns)
{
    struct ep_report_figure figure;
    uint64_t size_ns = change_ns < 0 ? -(uint64_t)change_ns : (uint64_t)change_ns;
    struct ep_report_figure duration = ep_report_figure_duration(size_ns);
    snprintf(figure.text, sizeof figure.text, "%s%.*s",
             change_ns < 0   ? "-"
             : change_ns > 0 ? "+"
                             : "",
             (int)sizeof figure.text - 2, duration.text);
    return figure;
}

struct ep_report_figure ep_report_diff_figure_calls(double calls)
{
    if (calls >= 0x1p64)
        return ep_report_figure_decimal(UINT64_MAX, 0);
    if (calls < 99.95 && (double)(uint64_t)calls < calls)
        return ep_report_figure_decimal(rounded(calls * 10), 1);
    return ep_report_figure_decimal(rounded(calls), 0);
}

struct ep_report_figure ep_report_diff_figure_confidence(double confidence)
{
    const uint64_t all = 100000; /* 100 %, with three digits behind the point */
    uint64_t parts = rounded(confidence * (double)all);
    unsigned places = 3;
    /* which nobody can promise */
    if (parts >= all)
        parts = all - 1;
    for (; places > 0 && parts % 10 == 0; parts /= 10)
        places--;
    struct ep_report_figure figure, digits = ep_report_figure_decimal(parts, places);
    snprintf(figure.text, sizeof figure.text, "%.*s %%", (int)sizeof figure.text - 3, digits.text);
    return figure;
}
