/*
 * report_html_notes.h - how far the figures can be trusted: the last lines of an html page
 */
#ifndef EP_REPORT_HTML_NOTES_H
#define EP_REPORT_HTML_NOTES_H

#include "output.h"
#include "snapshot.h"

/* What stands below the other reports (report_trouble.h), as a list. */
void ep_report_html_notes(struct ep_output *out, const struct eprof_snapshot *snapshot);

#endif /* EP_REPORT_HTML_NOTES_H */
