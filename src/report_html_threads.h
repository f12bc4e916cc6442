/*
 * report_html_threads.h - of all threads and of each: flame graph, call tree, top functions
 */
#ifndef EP_REPORT_HTML_THREADS_H
#define EP_REPORT_HTML_THREADS_H

#include "output.h"
#include "snapshot.h"

/* Which is seen is chosen by radio buttons, since the page has no script. */
void ep_report_html_threads(struct ep_output *out, const struct eprof_snapshot *snapshot);

#endif /* EP_REPORT_HTML_THREADS_H */
