/*
 * report_html_head.h - what an html page begins with: what may run in it, and what it is of
 */
#ifndef EP_REPORT_HTML_HEAD_H
#define EP_REPORT_HTML_HEAD_H

#include "output.h"
#include "snapshot.h"

/* From the first byte to the end of <head>. */
void ep_report_html_head(struct ep_output *out, const struct eprof_snapshot *snapshot);
/* The headline: program, time, threads, source. */
void ep_report_html_headline(struct ep_output *out, const struct eprof_snapshot *snapshot);

#endif /* EP_REPORT_HTML_HEAD_H */
