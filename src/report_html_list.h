/*
 * report_html_list.h - the tables of an html page: the top functions of a tree, the instances
 */
#ifndef EP_REPORT_HTML_LIST_H
#define EP_REPORT_HTML_LIST_H

#include "report_html_page.h"
#include "snapshot_part.h"

/* Of one tree, as a table. */
void ep_report_html_list_tops(const struct ep_report_html_page *page, const struct ep_part *part);

/* All instances; a section of its own, nothing where there are none. */
void ep_report_html_list_instances(const struct ep_report_html_page *page);

#endif /* EP_REPORT_HTML_LIST_H */
