/*
 * report_figure.h - a figure as text for people
 */
#ifndef EP_REPORT_FIGURE_H
#define EP_REPORT_FIGURE_H

#include <stdint.h>

/* The 20 digits of 2^64 with room for a sign, a point and a unit. */
struct ep_report_figure {
    char text[28];
};

/* `value` with `places` (0 to 3) of its digits behind the point. */
struct ep_report_figure ep_report_figure_decimal(uint64_t value, unsigned places);

/* Three digits, in the unit that fits: 1.23 us, 12.3 us, 123 us, 1.23 ms. The
 * second is the largest unit and takes all the digits that it needs. */
struct ep_report_figure ep_report_figure_duration(uint64_t ns);

/* ns in microseconds, with three digits behind the point below 100. */
struct ep_report_figure ep_report_figure_usec(uint64_t ns);

/* "45 %", "4.5 %", or "-" where the whole is nothing. */
struct ep_report_figure ep_report_figure_share(uint64_t part, uint64_t whole);

/* The same with a sign before it that it is no more than that: "~1.23 us". */
struct ep_report_figure ep_report_figure_estimate(struct ep_report_figure figure);

#endif /* EP_REPORT_FIGURE_H */
