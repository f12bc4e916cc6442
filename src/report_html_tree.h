/*
 * report_html_tree.h - the call tree of an html page, as rows that open and close
 */
#ifndef EP_REPORT_HTML_TREE_H
#define EP_REPORT_HTML_TREE_H

#include "report_html_page.h"
#include "report_tree_choice.h"

/* The lines are those that were chosen of one tree. */
void ep_report_html_tree(const struct ep_report_html_page *page,
                         const struct ep_tree_choice *choice);

#endif /* EP_REPORT_HTML_TREE_H */
