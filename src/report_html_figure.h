/*
 * report_html_figure.h - figures of an html page: short to read, exact beside it
 */
#ifndef EP_REPORT_HTML_FIGURE_H
#define EP_REPORT_HTML_FIGURE_H

#include "report_figure.h"
#include "report_html_page.h"

/* 1.23 ms, or ticks as they are; of an estimate with a sign before it that it is one. */
struct ep_report_figure ep_report_html_duration(const struct eprof_snapshot *snapshot, uint64_t ns,
                                                bool is_estimate);
/* The same as an element whose value is exact. */
void ep_report_html_data(const struct ep_report_html_page *page, uint64_t ns, bool is_estimate);
/* Whether a row has the figure at `offset`: there are no times of each call where none was timed.
 */
bool ep_report_html_has(const struct eprof_row *row, size_t offset);
/* The whole name of a row and all its figures, exact: "parse 12 calls, total 1234567 ns, ...". */
void ep_report_html_all(const struct ep_report_html_page *page, const struct eprof_row *row,
                        bool is_estimate);
/* How much of `whole` is `part`, and of that `self`, as a bar. */
void ep_report_html_bar(const struct ep_report_html_page *page, uint64_t part, uint64_t self,
                        uint64_t whole);
/* How a row's times are spread, as a small histogram; nothing where all are alike. */
void ep_report_html_spread(const struct ep_report_html_page *page,
                           const struct ep_outline *outline);

#endif /* EP_REPORT_HTML_FIGURE_H */
