/*
 * report_diff_figure.h - the figures of a comparison as text for people
 *
 * A change below +200 % is told in percent, from there on as a factor: "+10.2 %", "x3.40".
 */
#ifndef EP_REPORT_DIFF_FIGURE_H
#define EP_REPORT_DIFF_FIGURE_H

#include "diff.h"
#include "report_figure.h"

/* By how much what is judged has changed; "new", "gone", or "from 0 ns", where no factor says it.
 */
struct ep_report_figure ep_report_diff_figure_change(const struct ep_diff_row *row);

/* Where the true change lies: "+8.1 to +12.3 %", "+150 % to x3.40", "+8.1 % and more", "any".
 * Empty: there is no interval. */
struct ep_report_figure ep_report_diff_figure_interval(const struct ep_diff_row *row);

/* With its sign, which 0 has not: "+1.23 ms". */
struct ep_report_figure ep_report_diff_figure_difference(int64_t change_ns);

/* The median of the files, which may have a fraction: "3", "0.5"; none is shown from 100 on. */
struct ep_report_figure ep_report_diff_figure_calls(double calls);

/* 0.95 as "95 %", with three digits behind the point at most, and never as 100 %. */
struct ep_report_figure ep_report_diff_figure_confidence(double confidence);

#endif /* EP_REPORT_DIFF_FIGURE_H */
