/*
 * report_html_style.h - the style sheet of an html page
 */
#ifndef EP_REPORT_HTML_STYLE_H
#define EP_REPORT_HTML_STYLE_H

#include "output.h"

/* Of what ep_report_html_style_write() writes, in base64: the page allows this style sheet and
 * nothing else. A test compares it. */
#define EP_REPORT_HTML_STYLE_SHA256 "xg/Pod/HBIMGVwj/gzYpirzl515hbcIMSlvqJHA00lM="

void ep_report_html_style_write(struct ep_output *out);

#endif /* EP_REPORT_HTML_STYLE_H */
