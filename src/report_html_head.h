/*
 * report_html_head.h - what an html page begins with: its title, and what may run in it
 */
#ifndef EP_REPORT_HTML_HEAD_H
#define EP_REPORT_HTML_HEAD_H

#include "output.h"

/* From the first byte up to the page's title, which follows, as text; */
void ep_report_html_head_begin(struct ep_output *out);
/* from there to the end of <head>. */
void ep_report_html_head_end(struct ep_output *out);

#endif /* EP_REPORT_HTML_HEAD_H */
