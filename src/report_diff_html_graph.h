/*
 * report_diff_html_graph.h - the flame graph of one side of a comparison: its boxes, and whose they
 * are
 */
#ifndef EP_REPORT_DIFF_HTML_GRAPH_H
#define EP_REPORT_DIFF_HTML_GRAPH_H

#include "diff.h"
#include "snapshot_flame.h"

struct ep_report_diff_html_graph {
    struct ep_flame flame; /* in the time of all files of the side */
    double run_ns;         /* its whole, in one run */
    size_t *box_of;        /* by row of the diff, the first; SIZE_MAX: it has none */
};

/* 0, or -1 and ENOMEM; to be freed in any case. */
int ep_report_diff_html_graph_make(struct ep_report_diff_html_graph *graph,
                                   const struct ep_diff *diff, enum ep_diff_side side);
void ep_report_diff_html_graph_free(struct ep_report_diff_html_graph *graph);

#endif /* EP_REPORT_DIFF_HTML_GRAPH_H */
