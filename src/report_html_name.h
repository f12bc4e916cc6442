/*
 * report_html_name.h - what a row of an html page is called, with what is to be known beside it
 */
#ifndef EP_REPORT_HTML_NAME_H
#define EP_REPORT_HTML_NAME_H

#include "output.h"
#include "snapshot.h"

/* A name in text whose direction is its own; of one that is empty, that it is. */
void ep_report_html_text(struct ep_output *out, const char *name);
/* The same where no element may stand: in a drawing, in a title. */
void ep_report_html_bare_text(struct ep_output *out, const char *name);
/* With its place where another has the same name, and with what is open or went wrong. */
void ep_report_html_name(struct ep_output *out, const struct eprof_row *row, bool is_ambiguous);

#endif /* EP_REPORT_HTML_NAME_H */
