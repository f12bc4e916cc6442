/*
 * report_diff_html_page.h - what all parts of the page of a comparison are written with
 *
 * Row 12 of the diff is at #d12, its box at #b12 in the graph of before, and at #a12 in that of
 * after.
 */
#ifndef EP_REPORT_DIFF_HTML_PAGE_H
#define EP_REPORT_DIFF_HTML_PAGE_H

#include "report_diff.h"
#include "report_diff_html_graph.h"
#include "report_html_box.h"

struct ep_report_diff_html_page {
    struct ep_output *out;
    const struct ep_diff *diff;
    const struct ep_report_diff_options *options;
    struct ep_report_diff_html_graph graphs[EP_DIFF_SIDES];
    double whole_ns; /* as wide are both graphs: a run of the side that took longer */
    size_t listed;   /* so many rows are in the table, the first */
};

#endif /* EP_REPORT_DIFF_HTML_PAGE_H */
