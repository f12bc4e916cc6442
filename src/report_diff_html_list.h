/*
 * report_diff_html_list.h - the table of a comparison: what changed most
 */
#ifndef EP_REPORT_DIFF_HTML_LIST_H
#define EP_REPORT_DIFF_HTML_LIST_H

#include "report_diff_html_page.h"

/* The first are seen at once, the others where they are asked for. */
void ep_report_diff_html_list(const struct ep_report_diff_html_page *page);

#endif /* EP_REPORT_DIFF_HTML_LIST_H */
