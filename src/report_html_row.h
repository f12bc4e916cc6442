/*
 * report_html_row.h - a row of the call tree of an html page
 */
#ifndef EP_REPORT_HTML_ROW_H
#define EP_REPORT_HTML_ROW_H

#include "report_html_page.h"
#include "report_tree_choice.h"

/* The line with the titles of the columns. */
void ep_report_html_row_titles(const struct ep_report_html_page *page);

/* What stands in the element of a line: name, figures, and what is shown when it is pointed at. */
void ep_report_html_row_cells(const struct ep_report_html_page *page,
                              const struct ep_tree_line *line, uint64_t whole_ns);

/* What the element of a line has besides: class, anchor, and where to find its description. */
void ep_report_html_row_attributes(const struct ep_report_html_page *page,
                                   const struct ep_tree_line *line, uint64_t whole_ns);

#endif /* EP_REPORT_HTML_ROW_H */
