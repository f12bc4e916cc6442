#include "report_diff_html_graph.h"

#include <errno.h>
#include <stdlib.h>

#include "report_html_box.h"

enum { BOXES_MOST = 5000 }; /* of a graph: the page of one profile has as many */

static void find_boxes(struct ep_report_diff_html_graph *graph, const struct ep_diff *diff,
                       enum ep_diff_side side)
{
    for (size_t row = 0; row < diff->row_count; row++)
        graph->box_of[row] = SIZE_MAX;
    for (size_t box = graph->flame.count; box-- > 0;) {
        uint32_t row = diff->row_of[side][graph->flame.boxes[box].row];
        if (row != UINT32_MAX)
            graph->box_of[row] = box;
    }
}

int ep_report_diff_html_graph_make(struct ep_report_diff_html_graph *graph,
                                   const struct ep_diff *diff, enum ep_diff_side side)
{
    const struct eprof_snapshot *snapshot = diff->sides[side];
    const struct ep_flame_limits limits = {.narrowest = EP_REPORT_HTML_BOX_NARROWEST,
                                           .boxes = BOXES_MOST,
                                           .levels = EP_REPORT_HTML_BOX_LEVELS};
    struct ep_part part = {.first = snapshot->scope_first, .end = snapshot->scope_first};
    ep_part_next(snapshot, &part); /* where there is no scope, it stays empty */
    *graph = (struct ep_report_diff_html_graph){
        .box_of = malloc((diff->row_count + 1) * sizeof *graph->box_of)};
    if (ep_flame_make(&graph->flame, snapshot, &part, limits) != 0 || !graph->box_of) {
        errno = ENOMEM;
        return -1;
    }
    graph->run_ns = (double)graph->flame.whole_ns / (double)diff->files[side];
    find_boxes(graph, diff, side);
    return 0;
}

void ep_report_diff_html_graph_free(struct ep_report_diff_html_graph *graph)
{
    ep_flame_free(&graph->flame);
    free(graph->box_of);
    graph->box_of = NULL;
}
