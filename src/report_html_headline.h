/*
 * report_html_headline.h - what an html page is of: program, time, threads, source
 */
#ifndef EP_REPORT_HTML_HEADLINE_H
#define EP_REPORT_HTML_HEADLINE_H

#include "output.h"
#include "snapshot.h"

void ep_report_html_headline(struct ep_output *out, const struct eprof_snapshot *snapshot);
/* The program alone, as text. */
void ep_report_html_headline_program(struct ep_output *out, const struct eprof_snapshot *snapshot);

#endif /* EP_REPORT_HTML_HEADLINE_H */
