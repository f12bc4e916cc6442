/*
 * report_diff_html_flame.h - the flame graph of one side of a comparison
 *
 * Both are drawn, since a graph of one side does not show what the other alone has; and on one
 * scale, so that the graph of the side that took longer is wider.
 */
#ifndef EP_REPORT_DIFF_HTML_FLAME_H
#define EP_REPORT_DIFF_HTML_FLAME_H

#include "report_diff_html_page.h"

/* Nothing, where the side recorded no time of scopes. */
void ep_report_diff_html_flame(const struct ep_report_diff_html_page *page, enum ep_diff_side side);

#endif /* EP_REPORT_DIFF_HTML_FLAME_H */
