/*
 * report_diff/html.h - the parts of the page of a comparison
 *
 * Row 12 of the diff is at #d12, its box at #b12 in the graph of before and at #a12 in that of
 * after.
 */
#ifndef EP_REPORT_DIFF_HTML_H
#define EP_REPORT_DIFF_HTML_H

#include "report/html/html.h"
#include "report_diff/format.h"
#include "report_diff/report.h"

/* The flame graph of one side. Both sides have one, since a graph does not show what only the other
 * side has. They have one scale, so that the graph of the side that took longer is wider. */
struct ep_diff_graph {
    struct ep_flame flame; /* its times are sums over all files of the side */
    double run_ns;         /* the time of one run */
    size_t *box_of;        /* the first box of each row of the diff; SIZE_MAX: none */
};

struct ep_diff_page {
    struct ep_output *out;
    const struct ep_diff *diff;
    const struct ep_report_diff_options *options;
    struct ep_diff_graph graphs[EP_DIFF_SIDES];
    double whole_ns; /* the width of both graphs: a run of the side that took longer */
    size_t listed;   /* the number of rows in the table */
};

/* ---- the table and the colours (html_list.c) ---- */

/* The regions that changed most. The first rows are visible, the others can be opened. */
void ep_report_diff_html_list(const struct ep_diff_page *page);

/*
 * The verdict and all exact figures, each in a line after the name in a title:
 *
 *     total +38.0 % (+30.1 to +45.2 %): slower
 *     total 312000000 → 430000000 ns: +118000000
 *     ...
 *     calls 1990 → 1990
 */
void ep_report_diff_html_figure_lines(struct ep_output *out, const struct ep_diff *diff,
                                      const struct ep_diff_row *row);

/*
 * The class of a region in page.css: h0 for unchanged, s1 to s4 for slower, f1 to f4 for faster. It
 * is the change of the self time: a change of the total would colour all ancestors as well, and the
 * cause would not stand out. Red is more, blue is less (B. Gregg, "Differential Flame Graphs",
 * 2014, https://www.brendangregg.com/blog/2014-11-09/differential-flame-graphs.html). A change that
 * a verdict does not confirm has no colour.
 */
const char *ep_report_diff_html_change(const struct ep_diff_page *page,
                                       const struct ep_diff_row *row);
/* The same as a sign or a word, for readers who see no colours: "\u25B2 ", "new ", or "". */
const char *ep_report_diff_html_change_sign(const struct ep_diff_page *page,
                                            const struct ep_diff_row *row);
/* The meaning of the colours. */
void ep_report_diff_html_change_key(const struct ep_diff_page *page);

#endif /* EP_REPORT_DIFF_HTML_H */
