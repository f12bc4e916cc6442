/*
 * report_html_lines.h - what of a call tree an html page shows
 *
 * A page has room for what no screen has, since its rows can be closed: all of a tree, or the rows
 * with the most time, each below its parent, and the others counted where they would have stood.
 */
#ifndef EP_REPORT_HTML_LINES_H
#define EP_REPORT_HTML_LINES_H

#include "report_tree_choice.h"

/* At most so many rows of the tree `part`, and what stands for the others. To be freed as any
 * choice. 0, or -1 and ENOMEM. */
int ep_report_html_lines_make(struct ep_tree_choice *choice, const struct eprof_snapshot *snapshot,
                              const struct ep_part *part, size_t most);

#endif /* EP_REPORT_HTML_LINES_H */
