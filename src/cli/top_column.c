#include "top_column.h"

#include <stdio.h>
#include <string.h>

static const char *const names[EP_TOP_COLUMNS] = {
    [EP_TOP_SELF_RATE] = "self/s", [EP_TOP_TOTAL_RATE] = "total/s", [EP_TOP_CALLS_RATE] = "calls/s",
    [EP_TOP_NOW] = "now",          [EP_TOP_MEAN] = "mean",          [EP_TOP_P99] = "p99",
    [EP_TOP_SELF] = "self",        [EP_TOP_TOTAL] = "total",        [EP_TOP_CALLS] = "calls",
    [EP_TOP_NAME] = "name",
};

enum ep_top_column ep_top_column_find(const char *name)
{
    enum ep_top_column column = 0;
    while (column < EP_TOP_COLUMNS && strcmp(names[column], name) != 0)
        column++;
    return column;
}

const char *ep_top_column_name(enum ep_top_column column)
{
    return names[column];
}

/* ---- values ---- */

static uint64_t mean_of(const struct ep_growth *growth)
{
    return growth->timed ? growth->total_ns / growth->timed : 0;
}

uint64_t ep_top_column_value(enum ep_top_column column, const struct ep_top_line *line)
{
    switch (column) {
    case EP_TOP_SELF_RATE:
        return line->growth->self_ns;
    case EP_TOP_TOTAL_RATE:
        return line->growth->total_ns;
    case EP_TOP_CALLS_RATE:
        return line->growth->calls;
    case EP_TOP_NOW:
        return mean_of(line->growth);
    case EP_TOP_MEAN:
        return line->row->mean_ns;
    case EP_TOP_P99:
        return line->row->p99_ns;
    case EP_TOP_SELF:
        return line->row->self_ns;
    case EP_TOP_TOTAL:
        return line->row->total_ns;
    default:
        return line->row->calls;
    }
}

/* ---- texts ---- */

static const struct ep_report_figure nothing = {"-"};

/* A number as so many tenths: 0.5, 12, 67890. Nothing at all is 0, and not 0.0. */
static struct ep_report_figure short_figure(double tenths)
{
    enum { LEAST_WHOLE_TENTHS = 100 };
    uint64_t rounded = tenths < 0x1p63 ? (uint64_t)(tenths + 0.5) : UINT64_MAX >> 1;
    if (tenths > 0 && rounded < LEAST_WHOLE_TENTHS)
        return ep_report_figure_decimal(rounded, 1);
    return ep_report_figure_decimal((rounded + 5) / 10, 0);
}

/* Of one processor: 100 % is a second in each. */
static struct ep_report_figure time_rate(uint64_t time_ns, uint64_t elapsed_ns)
{
    if (!elapsed_ns)
        return nothing;
    struct ep_report_figure share = short_figure((double)time_ns / (double)elapsed_ns * 1000);
    strcat(share.text, " %");
    return share;
}

static struct ep_report_figure call_rate(uint64_t calls, uint64_t elapsed_ns)
{
    const double tenths_per_second = 1e10;
    return elapsed_ns ? short_figure((double)calls / (double)elapsed_ns * tenths_per_second)
                      : nothing;
}

/* Where nothing was timed, nothing is known. */
static struct ep_report_figure duration(uint64_t ns, bool is_known)
{
    return is_known ? ep_report_figure_duration(ns) : nothing;
}

static struct ep_report_figure plain_figure(enum ep_top_column column,
                                            const struct ep_top_line *line, uint64_t elapsed_ns)
{
    uint64_t value = ep_top_column_value(column, line);
    switch (column) {
    case EP_TOP_SELF_RATE:
    case EP_TOP_TOTAL_RATE:
        return time_rate(value, elapsed_ns);
    case EP_TOP_CALLS_RATE:
        return call_rate(value, elapsed_ns);
    case EP_TOP_NOW:
        return duration(value, line->growth->timed > 0);
    case EP_TOP_CALLS:
        return ep_report_figure_decimal(value, 0);
    default:
        return duration(value, line->row->timed > 0 || value > 0);
    }
}

/* Of sums of time it is said that they are estimates, as in the other reports. */
static bool is_sum(enum ep_top_column column)
{
    return column == EP_TOP_SELF_RATE || column == EP_TOP_TOTAL_RATE || column == EP_TOP_SELF ||
           column == EP_TOP_TOTAL;
}

struct ep_report_figure ep_top_column_figure(enum ep_top_column column,
                                             const struct ep_top_line *line, uint64_t elapsed_ns)
{
    struct ep_report_figure figure = plain_figure(column, line, elapsed_ns);
    bool is_estimate = line->mark.is_thinned && is_sum(column) && strcmp(figure.text, "-") != 0;
    return is_estimate ? ep_report_figure_estimate(figure) : figure;
}
