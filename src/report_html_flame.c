#include "report_html_flame.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "escape_html.h"
#include "report_figure.h"
#include "report_html_box.h"
#include "report_html_figure.h"
#include "report_html_heat.h"
#include "report_html_name.h"

struct graph {
    const struct ep_report_html_page *page;
    const struct ep_part *part;
    const bool *is_shown;
    struct ep_flame flame;
};

/* ---- what a box says ---- */

static void write_name(const struct graph *graph, size_t row)
{
    const struct eprof_snapshot *snapshot = graph->page->snapshot;
    const struct eprof_row *shown = &snapshot->rows[row];
    ep_report_html_bare_text(graph->page->out, shown->name);
    if (!snapshot->places[row - snapshot->scope_first].mark.is_ambiguous || !*shown->file)
        return;
    ep_output_text(graph->page->out, " (");
    ep_escape_html(graph->page->out, shown->file);
    ep_output_print(graph->page->out, ":%u)", shown->line);
}

static void write_duration(const struct graph *graph, uint64_t ns, bool is_estimate)
{
    const struct eprof_snapshot *snapshot = graph->page->snapshot;
    ep_output_text(graph->page->out, ep_report_html_duration(snapshot, ns, is_estimate).text);
    ep_output_text(graph->page->out, snapshot->options.ticks ? " ticks" : "");
}

/* The browser shows it where the mouse is:
 *     is_odd
 *     4.0 % of all: 10.5 ms
 *     self 10.2 ms (3.9 %), total 34.4 ms, 3 calls
 */
static void write_title(const struct graph *graph, const struct ep_flame_box *box)
{
    const struct eprof_snapshot *snapshot = graph->page->snapshot;
    const struct eprof_row *row = &snapshot->rows[box->row];
    bool is_estimate = snapshot->places[box->row - snapshot->scope_first].mark.is_thinned;
    struct ep_output *out = graph->page->out;
    write_name(graph, box->row);
    ep_output_print(
        out, "\n%s of all: ", ep_report_figure_share(box->wide_ns, graph->flame.whole_ns).text);
    write_duration(graph, box->wide_ns, is_estimate);
    ep_output_text(out, "\nself ");
    write_duration(graph, row->self_ns, is_estimate);
    ep_output_print(out, " (%s), total ",
                    ep_report_figure_share(row->self_ns, graph->flame.whole_ns).text);
    write_duration(graph, row->total_ns, is_estimate);
    ep_output_print(out, ", %" PRIu64 " %s", row->calls, row->calls == 1 ? "call" : "calls");
    if (row->open > 0)
        ep_output_print(out, ", %" PRIu64 " open", row->open);
}

/* ---- a box ---- */

/* The row itself or the nearest around it that the page has. */
static struct ep_report_html_anchor target_of(const struct graph *graph, size_t row)
{
    const struct eprof_snapshot *snapshot = graph->page->snapshot;
    while (row != SIZE_MAX && graph->is_shown && !graph->is_shown[row - graph->part->first])
        row = snapshot->places[row - snapshot->scope_first].parent;
    return (struct ep_report_html_anchor){row == SIZE_MAX ? '\0' : graph->page->prefix, row};
}

static double share_of(const struct graph *graph, uint64_t ns)
{
    return (double)ns / (double)graph->flame.whole_ns;
}

/* What is around what was asked for is cold: its own time is not in the graph. */
static unsigned heat_of(const struct graph *graph, size_t row)
{
    const struct eprof_snapshot *snapshot = graph->page->snapshot;
    bool is_around = snapshot->places[row - snapshot->scope_first].is_around;
    return ep_report_html_heat(is_around ? 0 : snapshot->rows[row].self_ns, graph->flame.whole_ns);
}

static void write_box(const struct graph *graph, const struct ep_flame_box *flame_box)
{
    static const char *const heats[] = {"h0", "h1", "h2", "h3", "h4", "h5"};
    struct ep_output *out = graph->page->out;
    const struct ep_report_html_box box = {.style = heats[heat_of(graph, flame_box->row)],
                                           .start = share_of(graph, flame_box->start_ns),
                                           .wide = share_of(graph, flame_box->wide_ns),
                                           .level = flame_box->level + 1,
                                           .target = target_of(graph, flame_box->row)};
    ep_report_html_box_begin(out, &box);
    write_title(graph, flame_box);
    if (ep_report_html_box_label(out, &box))
        ep_report_html_bare_text(out, graph->page->snapshot->rows[flame_box->row].name);
    ep_report_html_box_end(out, &box);
}

/* ---- the whole ---- */

static void write_thread(const struct graph *graph)
{
    const struct eprof_snapshot *snapshot = graph->page->snapshot;
    if (snapshot->options.threads)
        ep_report_html_bare_text(graph->page->out, snapshot->rows[graph->part->first].thread);
    else
        ep_output_text(graph->page->out, "all threads");
}

/* The box that all others stand below. */
static void write_root(const struct graph *graph)
{
    struct ep_output *out = graph->page->out;
    const struct ep_report_html_box box = {.style = "h0", .wide = 1};
    ep_report_html_box_begin(out, &box);
    write_thread(graph);
    ep_output_text(out, ": ");
    write_duration(graph, graph->flame.whole_ns, false);
    ep_report_html_box_label(out, &box);
    write_thread(graph);
    ep_report_html_box_end(out, &box);
}

static void write_boxes(const struct graph *graph)
{
    struct ep_output *out = graph->page->out;
    ep_output_print(out, "<svg role=\"group\" aria-label=\"Flame graph of ");
    write_thread(graph);
    ep_output_print(out, "\" width=\"100%%\" height=\"%u\">\n",
                    ep_report_html_box_levels_height(graph->flame.levels));
    write_root(graph);
    for (size_t i = 0; i < graph->flame.count; i++)
        write_box(graph, &graph->flame.boxes[i]);
    ep_output_text(out, "</svg>\n");
}

static void write_caption(const struct graph *graph)
{
    struct ep_output *out = graph->page->out;
    ep_output_text(out, "<figcaption>A box is as wide as the self time of its scope and of all "
                        "in it, and as hot as its own. A call that comes back to a scope around it "
                        "is in the box of that.");
    ep_report_html_box_left_out(out, &graph->flame);
    ep_output_text(out, "</figcaption>\n");
}

void ep_report_html_flame(const struct ep_report_html_page *page, const struct ep_part *part,
                          const bool *is_shown, size_t boxes_most)
{
    const struct ep_flame_limits limits = {.narrowest = EP_REPORT_HTML_BOX_NARROWEST,
                                           .boxes = boxes_most,
                                           .levels = EP_REPORT_HTML_BOX_LEVELS};
    struct graph graph = {.page = page, .part = part, .is_shown = is_shown};
    if (ep_flame_make(&graph.flame, page->snapshot, part, limits) != 0) {
        ep_output_fail(page->out, errno);
    } else if (graph.flame.whole_ns > 0) {
        ep_output_text(page->out, "<figure class=\"flame\">\n");
        write_boxes(&graph);
        write_caption(&graph);
        ep_output_text(page->out, "</figure>\n");
    }
    ep_flame_free(&graph.flame);
}
