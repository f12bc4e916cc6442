#include <errno.h>
#include <inttypes.h>

#include "base/escape.h"
#include "report/html/html.h"
#include "report/walk.h"

/* ---- boxes, also of the graphs of a comparison ---- */

enum {
    BOX_HEIGHT = 17, /* px: a line of text of 12 px */
    LEVEL_HEIGHT = BOX_HEIGHT + 1,
    BASELINE = 13,    /* of the text, from the top of its box */
    LEVELS_MOST = 100 /* two screens high */
};

/* Parts of the width. Three letters need twenty pixels of 1,300, or of the 400 of a telephone,
 * where page.css hides the texts of narrower boxes. The keyboard does not stop at boxes so narrow
 * that they do not matter. */
static const double narrowest_text = 0.015, narrowest_on_a_small_screen = 0.05,
                    narrowest_stop = 0.01;

int ep_report_html_flame_make(struct ep_flame *flame, const struct eprof_snapshot *snapshot,
                              const struct ep_part *part, size_t boxes_most)
{
    /* half a pixel of 1,000 is not visible */
    return ep_flame_make(
        flame, snapshot, part,
        (struct ep_flame_limits){.narrowest = 0.0005, .boxes = boxes_most, .levels = LEVELS_MOST});
}

void ep_report_html_flame_begin(struct ep_output *out, const struct ep_flame *flame,
                                const char *name)
{
    ep_output_text(out, "<svg role=\"group\" aria-label=\"Flame graph of ");
    ep_report_html_cells_bare_text(out, name);
    ep_output_print(out, "\" width=\"100%%\" height=\"%u\">\n", (flame->levels + 1) * LEVEL_HEIGHT);
}

/* Writes enough digits that boxes meet to a thousandth of a pixel. */
static void write_percent(struct ep_output *out, const char *attribute, double share)
{
    ep_output_print(out, " %s=\"", attribute);
    ep_output_decimal(out, share * 100, 5);
    ep_output_text(out, "%\"");
}

void ep_report_html_flame_box_begin(struct ep_output *out, const struct ep_page_box *box)
{
    if (box->target.prefix)
        ep_output_print(out, "<a href=\"#%c%zu\"%s>", box->target.prefix, box->target.number,
                        box->wide < narrowest_stop ? " tabindex=\"-1\"" : "");
    ep_output_print(out, "<svg class=\"%s\"", box->style);
    if (box->anchor.prefix)
        ep_output_print(out, " id=\"%c%zu\"", box->anchor.prefix, box->anchor.number);
    write_percent(out, "x", box->start);
    write_percent(out, "width", box->wide);
    ep_output_print(out, " y=\"%u\" height=\"%d\"><title>", box->level * LEVEL_HEIGHT, BOX_HEIGHT);
}

/* An edge would cover a narrow box. */
static void write_rectangles(struct ep_output *out, const struct ep_page_box *box)
{
    static const char rectangle[] = "<rect width=\"100%\" height=\"100%\"";
    ep_output_print(out, "%s/>", rectangle);
    if (box->is_hatched)
        ep_output_print(out, "%s class=\"hatch%s\"/>", rectangle,
                        box->wide < narrowest_text ? "" : " edge");
}

void ep_report_html_flame_box_end(struct ep_output *out, const struct ep_page_box *box,
                                  const char *sign, const char *name)
{
    ep_output_text(out, "</title>");
    write_rectangles(out, box);
    if (box->wide >= narrowest_text) {
        /* the title has the name already, so a screen reader skips it here */
        ep_output_print(out, "<text%s x=\"3\" y=\"%d\" aria-hidden=\"true\">%s",
                        box->wide < narrowest_on_a_small_screen ? " class=\"small\"" : "", BASELINE,
                        sign);
        ep_report_html_cells_bare_text(out, name);
        ep_output_text(out, "</text>");
    }
    ep_output_print(out, "</svg>%s\n", box->target.prefix ? "</a>" : "");
}

void ep_report_html_flame_box_define_hatch(struct ep_output *out)
{
    ep_output_text(out, "<svg width=\"0\" height=\"0\" aria-hidden=\"true\"><pattern id=\"hatch\" "
                        "width=\"7\" height=\"7\" patternUnits=\"userSpaceOnUse\" "
                        "patternTransform=\"rotate(45)\"><path d=\"M0 0V7\"/></pattern></svg>\n");
}

void ep_report_html_flame_box_left_out(struct ep_output *out, const struct ep_flame *flame)
{
    if (flame->narrower > 0) {
        ep_output_print(out, " \u2026 %zu narrower than ", flame->narrower);
        ep_output_decimal(out, flame->narrowest * 100, 2);
        ep_output_text(out, " % of all.");
    }
    if (flame->further > 0)
        ep_output_print(out, " \u2026 %zu below level %d.", flame->further, LEVELS_MOST);
}

/* ---- the flame graph of one tree ---- */

struct graph {
    const struct ep_page *page;
    const struct ep_part *part;
    const bool *is_shown;
    struct ep_flame flame;
};

static void write_name(const struct graph *graph, size_t row)
{
    const struct eprof_snapshot *snapshot = graph->page->snapshot;
    const struct eprof_row *shown = &snapshot->rows[row];
    ep_report_html_cells_bare_text(graph->page->out, shown->name);
    if (!ep_rows_position(snapshot, row)->mark.is_ambiguous || !*shown->file)
        return;
    ep_output_text(graph->page->out, " (");
    ep_escape_html(graph->page->out, shown->file);
    ep_output_print(graph->page->out, ":%u)", shown->line);
}

static struct ep_report_figure duration_of(const struct graph *graph, uint64_t ns, bool is_estimate)
{
    bool in_ticks = graph->page->snapshot->options.ticks;
    return ep_report_format_around("", ep_report_format_time(ns, in_ticks, is_estimate),
                                   in_ticks ? " ticks" : "");
}

static void write_row_time(const struct graph *graph, const struct eprof_row *row,
                           const struct ep_site_mark *mark, size_t offset)
{
    bool in_ticks = graph->page->snapshot->options.ticks;
    ep_escape_html(graph->page->out, ep_report_format_row_time(row, mark, offset, in_ticks).text);
    ep_output_text(graph->page->out, in_ticks ? " ticks" : "");
}

/* The browser shows it at the mouse:
 *     is_odd
 *     4.0 % of all: 10.5 ms
 *     self 10.2 ms (3.9 %), total 34.4 ms, 3 calls
 * An estimated total has its error: "total ~34.4 ms ±3%".
 */
static void write_title(const struct graph *graph, const struct ep_flame_box *box)
{
    enum {
        TOTAL = offsetof(struct eprof_row, total_ns),
        SELF = offsetof(struct eprof_row, self_ns)
    };
    const struct eprof_row *row = &graph->page->snapshot->rows[box->row];
    const struct ep_site_mark *mark = &ep_rows_position(graph->page->snapshot, box->row)->mark;
    struct ep_output *out = graph->page->out;
    struct ep_report_figure error = ep_report_format_error(row, mark, TOTAL, false, true);
    write_name(graph, box->row);
    ep_output_print(out, "\n%s of all: %s\nself ",
                    ep_report_format_share(box->wide_ns, graph->flame.whole_ns).text,
                    duration_of(graph, box->wide_ns, row->estimated).text);
    write_row_time(graph, row, mark, SELF);
    ep_output_print(out, " (%s), total ",
                    ep_report_format_share(row->self_ns, graph->flame.whole_ns).text);
    write_row_time(graph, row, mark, TOTAL);
    ep_output_print(out, "%s%s, %" PRIu64 " call%s", *error.text ? " " : "", error.text, row->calls,
                    row->calls == 1 ? "" : "s");
    if (row->open > 0)
        ep_output_print(out, ", %" PRIu64 " open", row->open);
}

/* The row, or its nearest ancestor that the page shows. */
static struct ep_page_anchor target_of(const struct graph *graph, size_t row)
{
    const struct eprof_snapshot *snapshot = graph->page->snapshot;
    while (row != SIZE_MAX && graph->is_shown && !graph->is_shown[row - graph->part->first])
        row = ep_rows_position(snapshot, row)->parent;
    return (struct ep_page_anchor){row == SIZE_MAX ? '\0' : graph->page->prefix, row};
}

static double share_of(const struct graph *graph, uint64_t ns)
{
    return (double)ns / (double)graph->flame.whole_ns;
}

static void write_box(const struct graph *graph, const struct ep_flame_box *flame_box)
{
    static const char *const heats[] = {"h0", "h1", "h2", "h3", "h4", "h5"};
    const struct eprof_row *row = &graph->page->snapshot->rows[flame_box->row];
    struct ep_output *out = graph->page->out;
    /* rows that a view has only because of rows below them have no self time in the graph */
    bool is_around = ep_rows_position(graph->page->snapshot, flame_box->row)->is_around;
    uint64_t self_ns = is_around ? 0 : row->self_ns;
    const struct ep_page_box box = {
        .style = heats[ep_report_format_heat(self_ns, graph->flame.whole_ns)],
        .start = share_of(graph, flame_box->start_ns),
        .wide = share_of(graph, flame_box->wide_ns),
        .level = flame_box->level + 1,
        .target = target_of(graph, flame_box->row)};
    ep_report_html_flame_box_begin(out, &box);
    write_title(graph, flame_box);
    ep_report_html_flame_box_end(out, &box, "", row->name);
}

static void write_boxes(const struct graph *graph)
{
    const struct eprof_snapshot *snapshot = graph->page->snapshot;
    struct ep_output *out = graph->page->out;
    const struct ep_page_box root = {.style = "h0", .wide = 1};
    const char *thread =
        snapshot->options.threads ? snapshot->rows[graph->part->first].thread : "all threads";
    ep_report_html_flame_begin(out, &graph->flame, thread);
    ep_report_html_flame_box_begin(out, &root);
    ep_report_html_cells_bare_text(out, thread);
    ep_output_print(out, ": %s", duration_of(graph, graph->flame.whole_ns, false).text);
    ep_report_html_flame_box_end(out, &root, "", thread);
    for (size_t i = 0; i < graph->flame.count; i++)
        write_box(graph, &graph->flame.boxes[i]);
    ep_output_text(out, "</svg>\n");
}

void ep_report_html_flame(const struct ep_page *page, const struct ep_part *part,
                          const bool *is_shown, size_t boxes_most)
{
    struct graph graph = {.page = page, .part = part, .is_shown = is_shown};
    if (ep_report_html_flame_make(&graph.flame, page->snapshot, part, boxes_most) != 0) {
        ep_output_fail(page->out, errno);
    } else if (graph.flame.whole_ns > 0) {
        ep_output_text(page->out, "<figure class=\"flame\">\n");
        write_boxes(&graph);
        ep_output_text(page->out,
                       "<figcaption>The width of a box is the self time of its scope and of all "
                       "scopes in it, its colour the self time of its scope alone. Recursive calls "
                       "are in the box of the outermost call.");
        ep_report_html_flame_box_left_out(page->out, &graph.flame);
        ep_output_text(page->out, "</figcaption>\n</figure>\n");
    }
    ep_flame_free(&graph.flame);
}
