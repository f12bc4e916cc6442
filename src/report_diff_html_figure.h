/*
 * report_diff_html_figure.h - the figures of both sides of a region, in the page of a comparison
 */
#ifndef EP_REPORT_DIFF_HTML_FIGURE_H
#define EP_REPORT_DIFF_HTML_FIGURE_H

#include "diff.h"
#include "output.h"
#include "report_diff_time.h"

/* Before above after, each an element: short to read, and its value is exact. For a side that does
 * not have the region there is a dash. */
void ep_report_diff_html_figure_times(struct ep_output *out, const struct ep_diff_row *row,
                                      const struct ep_report_diff_time *time);
void ep_report_diff_html_figure_calls(struct ep_output *out, const struct ep_diff_row *row);

/*
 * What stands in a title behind the name, a line each, as text: the verdict, and all figures,
 * exact:
 *
 *     total +38.0 % (+30.1 to +45.2 %): slower
 *     total 312000000 → 430000000 ns: +118000000
 *     ...
 *     calls 1990 → 1990
 */
void ep_report_diff_html_figure_lines(struct ep_output *out, const struct ep_diff *diff,
                                      const struct ep_diff_row *row);

#endif /* EP_REPORT_DIFF_HTML_FIGURE_H */
