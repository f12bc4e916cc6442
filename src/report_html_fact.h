/*
 * report_html_fact.h - what stands below the headline of an html page: names, each with its value
 */
#ifndef EP_REPORT_HTML_FACT_H
#define EP_REPORT_HTML_FACT_H

#include "output.h"

/* The value follows, as elements; then the end. */
void ep_report_html_fact_begin(struct ep_output *out, const char *name);
void ep_report_html_fact_end(struct ep_output *out);
/* One whose value is text, or a number. */
void ep_report_html_fact(struct ep_output *out, const char *name, const char *value);
void ep_report_html_fact_count(struct ep_output *out, const char *name, size_t count);

#endif /* EP_REPORT_HTML_FACT_H */
