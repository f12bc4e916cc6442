/*
 * report_diff_html_headline.h - what the page of a comparison is of, and what was found, in words
 */
#ifndef EP_REPORT_DIFF_HTML_HEADLINE_H
#define EP_REPORT_DIFF_HTML_HEADLINE_H

#include "report_diff_html_page.h"

/* What a side is called, as text: its file, or how many files it has. */
void ep_report_diff_html_headline_side(const struct ep_report_diff_html_page *page,
                                       enum ep_diff_side side);
/* The time in scopes of one of its runs: "708 ms". */
void ep_report_diff_html_headline_run(const struct ep_report_diff_html_page *page,
                                      enum ep_diff_side side);
/* What both are called. */
void ep_report_diff_html_headline_sides(const struct ep_report_diff_html_page *page);
void ep_report_diff_html_headline(const struct ep_report_diff_html_page *page);

#endif /* EP_REPORT_DIFF_HTML_HEADLINE_H */
