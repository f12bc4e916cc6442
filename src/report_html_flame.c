#include "report_html_flame.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "escape_html.h"
#include "report_figure.h"
#include "report_html_figure.h"
#include "report_html_heat.h"
#include "snapshot_flame.h"

enum {
    LEVELS_MOST = 100, /* two screens of a box's height each */
    BOX_HEIGHT = 17,   /* px, of a line of text of 12 */
    LEVEL_HEIGHT = BOX_HEIGHT + 1,
    BASELINE = 13 /* of the text, from the top of its box */
};

/* Of the width: half a pixel of a thousand is not seen; three letters need twenty pixels, of 1,300
 * or of a telephone's 400, where the page's style hides the others; and who goes from box to box
 * with the keyboard wants those that matter. */
static const double narrowest = 0.0005, narrowest_text = 0.015, narrowest_on_a_small_screen = 0.05,
                    narrowest_stop = 0.01;

struct graph {
    const struct ep_report_html_page *page;
    const struct ep_part *part;
    const bool *is_shown;
    struct ep_flame flame;
};

/* ---- what a box says ---- */

static void write_text(struct ep_output *out, const char *name)
{
    if (*name)
        ep_escape_html(out, name);
    else
        ep_output_text(out, "(empty)");
}

static void write_name(const struct graph *graph, size_t row)
{
    const struct eprof_snapshot *snapshot = graph->page->snapshot;
    const struct eprof_row *shown = &snapshot->rows[row];
    write_text(graph->page->out, shown->name);
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
    ep_output_text(out, "<title>");
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
    ep_output_text(out, "</title>");
}

/* ---- a box ---- */

/* The row itself or the nearest around it that the page has; SIZE_MAX: none. */
static size_t target_of(const struct graph *graph, size_t row)
{
    const struct eprof_snapshot *snapshot = graph->page->snapshot;
    while (row != SIZE_MAX && graph->is_shown && !graph->is_shown[row - graph->part->first])
        row = snapshot->places[row - snapshot->scope_first].parent;
    return row;
}

static double share_of(const struct graph *graph, uint64_t ns)
{
    return (double)ns / (double)graph->flame.whole_ns;
}

/* Percent with so many places that boxes meet to a thousandth of a pixel. */
static void write_percent(struct ep_output *out, const char *attribute, double share)
{
    ep_output_print(out, " %s=\"", attribute);
    ep_output_decimal(out, share * 100, 5);
    ep_output_text(out, "%\"");
}

/* The name once more, for the eye alone. */
static void begin_label(struct ep_output *out, double share)
{
    ep_output_print(out, "<text%s x=\"3\" y=\"%d\" aria-hidden=\"true\">",
                    share < narrowest_on_a_small_screen ? " class=\"small\"" : "", BASELINE);
}

/* What is around what was asked for is cold: its own time is not in the graph. */
static unsigned heat_of(const struct graph *graph, size_t row)
{
    const struct eprof_snapshot *snapshot = graph->page->snapshot;
    bool is_around = snapshot->places[row - snapshot->scope_first].is_around;
    return ep_report_html_heat(is_around ? 0 : snapshot->rows[row].self_ns, graph->flame.whole_ns);
}

static void write_box(const struct graph *graph, const struct ep_flame_box *box)
{
    struct ep_output *out = graph->page->out;
    double share = share_of(graph, box->wide_ns);
    size_t target = target_of(graph, box->row);
    if (target != SIZE_MAX)
        ep_output_print(out, "<a href=\"#%c%zu\"%s>", graph->page->prefix, target,
                        share < narrowest_stop ? " tabindex=\"-1\"" : "");
    ep_output_print(out, "<svg class=\"h%u\"", heat_of(graph, box->row));
    write_percent(out, "x", share_of(graph, box->start_ns));
    write_percent(out, "width", share);
    ep_output_print(out, " y=\"%u\" height=\"%d\">", (box->level + 1) * LEVEL_HEIGHT, BOX_HEIGHT);
    write_title(graph, box);
    ep_output_text(out, "<rect width=\"100%\" height=\"100%\"/>");
    if (share >= narrowest_text) {
        begin_label(out, share);
        write_text(out, graph->page->snapshot->rows[box->row].name);
        ep_output_text(out, "</text>");
    }
    ep_output_print(out, "</svg>%s\n", target != SIZE_MAX ? "</a>" : "");
}

/* ---- the whole ---- */

static void write_thread(const struct graph *graph)
{
    const struct eprof_snapshot *snapshot = graph->page->snapshot;
    if (snapshot->options.threads)
        write_text(graph->page->out, snapshot->rows[graph->part->first].thread);
    else
        ep_output_text(graph->page->out, "all threads");
}

/* The box that all others stand below. */
static void write_root(const struct graph *graph)
{
    struct ep_output *out = graph->page->out;
    ep_output_print(out, "<svg class=\"h0\" width=\"100%%\" height=\"%d\"><title>", BOX_HEIGHT);
    write_thread(graph);
    ep_output_text(out, ": ");
    write_duration(graph, graph->flame.whole_ns, false);
    ep_output_text(out, "</title><rect width=\"100%\" height=\"100%\"/>");
    begin_label(out, 1);
    write_thread(graph);
    ep_output_text(out, "</text></svg>\n");
}

static void write_boxes(const struct graph *graph)
{
    struct ep_output *out = graph->page->out;
    ep_output_print(out, "<svg role=\"group\" aria-label=\"Flame graph of ");
    write_thread(graph);
    ep_output_print(out, "\" width=\"100%%\" height=\"%u\">\n",
                    (graph->flame.levels + 1) * LEVEL_HEIGHT);
    write_root(graph);
    for (size_t i = 0; i < graph->flame.count; i++)
        write_box(graph, &graph->flame.boxes[i]);
    ep_output_text(out, "</svg>\n");
}

static void write_caption(const struct graph *graph)
{
    const struct ep_flame *flame = &graph->flame;
    struct ep_output *out = graph->page->out;
    ep_output_text(out, "<figcaption>A box is as wide as the self time of its scope and of all "
                        "in it, and as hot as its own. A call that comes back to a scope around it "
                        "is in the box of that.");
    if (flame->narrower > 0) {
        ep_output_print(out, " \u2026 %zu narrower than ", flame->narrower);
        ep_output_decimal(out, flame->narrowest * 100, 2);
        ep_output_text(out, " % of all.");
    }
    if (flame->further > 0)
        ep_output_print(out, " \u2026 %zu below level %d.", flame->further, LEVELS_MOST);
    ep_output_text(out, "</figcaption>\n");
}

void ep_report_html_flame(const struct ep_report_html_page *page, const struct ep_part *part,
                          const bool *is_shown, size_t boxes_most)
{
    const struct ep_flame_limits limits = {
        .narrowest = narrowest, .boxes = boxes_most, .levels = LEVELS_MOST};
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
