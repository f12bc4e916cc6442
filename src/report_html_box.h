/*
 * report_html_box.h - a box of a flame graph of an html page
 *
 * Boxes stand in percent of the graph's width, so that it is as wide as the window; each is an
 * <svg> of its own, which cuts its name off and does not stretch it. The whole is on top, and what
 * is in a box is below it.
 */
#ifndef EP_REPORT_HTML_BOX_H
#define EP_REPORT_HTML_BOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "output.h"
#include "snapshot_flame.h"

enum { EP_REPORT_HTML_BOX_LEVELS = 100 }; /* two screens of a box's height each */
/* Of all: half a pixel of a thousand is not seen. */
#define EP_REPORT_HTML_BOX_NARROWEST 0.0005

/* A place of the page: #r12; of prefix '\0': none. */
struct ep_report_html_anchor {
    char prefix;
    size_t number;
};

struct ep_report_html_box {
    const char *style;                           /* its class: how it is coloured */
    double start, wide;                          /* parts of the graph's width */
    uint32_t level;                              /* 0: the whole */
    bool is_hatched;                             /* marked by more than a colour */
    struct ep_report_html_anchor anchor, target; /* where it is, and where it leads to */
};

/* How high a graph is that has so many levels below the whole, in px. */
unsigned ep_report_html_box_levels_height(uint32_t levels);

/*
 * What the browser shows where the mouse is follows, as text; then the label, and if there is room
 * for one the name; then the end.
 */
void ep_report_html_box_begin(struct ep_output *out, const struct ep_report_html_box *box);
bool ep_report_html_box_label(struct ep_output *out, const struct ep_report_html_box *box);
void ep_report_html_box_end(struct ep_output *out, const struct ep_report_html_box *box);

/* Once in a page that has hatched boxes. */
void ep_report_html_box_define_hatch(struct ep_output *out);

/* Sentences on the rows of a graph that have no box, each behind a blank. */
void ep_report_html_box_left_out(struct ep_output *out, const struct ep_flame *flame);

#endif /* EP_REPORT_HTML_BOX_H */
