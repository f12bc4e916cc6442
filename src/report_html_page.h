/*
 * report_html_page.h - what all parts of an html page are written with
 */
#ifndef EP_REPORT_HTML_PAGE_H
#define EP_REPORT_HTML_PAGE_H

#include "output.h"
#include "snapshot.h"

/* One tree of the page: its snapshot, and what its rows' anchors begin with. */
struct ep_report_html_page {
    struct ep_output *out;
    const struct eprof_snapshot *snapshot;
    char prefix; /* row 12 is at #r12, or by threads at #t12 */
};

#endif /* EP_REPORT_HTML_PAGE_H */
