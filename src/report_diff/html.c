#include "report_diff/html.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "report/head.h"

/* ---- the headline, and what was found, in words ---- */

/* The file of the side, or the number of its files. */
static void write_side_name(const struct ep_diff_page *page, enum ep_diff_side side)
{
    if (page->options->names[side])
        ep_escape_html(page->out, page->options->names[side]);
    else
        ep_output_count(page->out, page->diff->files[side], "file");
}

/* The time in scopes of one run: "708 ms". */
static struct ep_report_figure run_of(const struct ep_diff_page *page, enum ep_diff_side side)
{
    size_t files = page->diff->files[side];
    struct ep_report_figure run =
        ep_report_format_duration(page->graphs[side].flame.whole_ns / files);
    strcat(run.text, files > 1 ? " on average" : "");
    return run;
}

/* Also the title of the page. */
static void write_side_names(const struct ep_diff_page *page)
{
    write_side_name(page, EP_DIFF_BEFORE);
    ep_output_text(page->out, " \u2192 ");
    write_side_name(page, EP_DIFF_AFTER);
}

static void write_side(const struct ep_diff_page *page, enum ep_diff_side side)
{
    const struct eprof_snapshot *snapshot = page->diff->sides[side];
    bool has_scopes = page->graphs[side].flame.whole_ns > 0;
    ep_report_html_page_fact_begin(page->out, ep_report_diff_format_sides[side]);
    if (has_scopes)
        ep_output_print(page->out, "%s ", run_of(page, side).text);
    ep_output_text(page->out, "<small>");
    ep_output_count(page->out, page->diff->files[side], "file");
    if (ep_report_head_is_known(snapshot)) {
        ep_output_text(page->out, page->diff->files[side] > 1 ? ", sums: " : ", ");
        ep_report_head_write_line(page->out, snapshot, EP_REPORT_HEAD_WALL | EP_REPORT_HEAD_SHARE);
    }
    if (*ep_report_head_moment(snapshot))
        ep_output_print(page->out, ", %s", ep_report_head_moment(snapshot));
    ep_output_text(page->out, "</small>");
    ep_report_html_page_fact_end(page->out);
}

/* Writes nothing if both sides have several programs. */
static void write_program(struct ep_output *out, const struct ep_diff *diff)
{
    const char *before = diff->sides[EP_DIFF_BEFORE]->command;
    const char *after = diff->sides[EP_DIFF_AFTER]->command;
    if (!*before && !*after)
        return;
    ep_report_html_page_fact_begin(out, "program");
    if (strcmp(before, after) != 0) {
        ep_report_html_page_program(out, diff->sides[EP_DIFF_BEFORE]);
        ep_output_text(out, " \u2192 ");
    }
    ep_report_html_page_program(out, diff->sides[EP_DIFF_AFTER]);
    ep_report_html_page_fact_end(out);
}

static void write_facts(const struct ep_diff_page *page)
{
    const struct ep_diff *diff = page->diff;
    struct ep_output *out = page->out;
    ep_report_html_page_fact(out, "compared", ep_report_diff_format_time_judged(diff)->title);
    write_side(page, EP_DIFF_BEFORE);
    write_side(page, EP_DIFF_AFTER);
    ep_report_html_page_fact_count(out, "regions", diff->row_count);
    if (ep_report_diff_format_has_intervals(diff))
        ep_report_html_page_fact(
            out, "confidence",
            ep_report_diff_format_figure_confidence(1 - diff->options.error).text);
    write_program(out, diff);
    if (diff->options.filter)
        ep_report_html_page_fact(out, "filter", diff->options.filter);
    if (diff->options.is_raw)
        ep_report_html_page_fact(out, "probes", "not subtracted");
}

static void write_headline(const struct ep_diff_page *page)
{
    ep_output_text(page->out, "<header>\n<h1>");
    write_side_names(page);
    ep_output_text(page->out, "</h1>\n<dl>\n");
    write_facts(page);
    ep_output_text(page->out, "</dl>\n<p class=\"found\">");
    ep_report_diff_format_summary_found(page->out, page->diff);
    ep_output_text(page->out, "</p>\n<p>");
    ep_report_diff_format_summary_trust(page->out, page->diff);
    ep_output_text(page->out, "</p>\n</header>\n");
}

/* ---- the flame graph of a side ---- */

enum { BOXES_MOST = 5000 }; /* of a graph, as in the page of a profile */

static void find_boxes(struct ep_diff_graph *graph, const struct ep_diff *diff,
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

static int make_graph(struct ep_diff_graph *graph, const struct ep_diff *diff,
                      enum ep_diff_side side)
{
    const struct eprof_snapshot *snapshot = diff->sides[side];
    struct ep_part part = {.first = snapshot->scope_first, .end = snapshot->scope_first};
    ep_rows_part_next(snapshot, &part); /* without scopes it stays empty */
    *graph =
        (struct ep_diff_graph){.box_of = malloc((diff->row_count + 1) * sizeof *graph->box_of)};
    if (ep_report_html_flame_make(&graph->flame, snapshot, &part, BOXES_MOST) != 0 ||
        !graph->box_of) {
        errno = ENOMEM;
        return -1;
    }
    graph->run_ns = (double)graph->flame.whole_ns / (double)diff->files[side];
    find_boxes(graph, diff, side);
    return 0;
}

static const char prefixes[EP_DIFF_SIDES] = {'b', 'a'};

/* NULL: the region was not asked for. */
static const struct ep_diff_row *region_of(const struct ep_diff_page *page, enum ep_diff_side side,
                                           size_t row)
{
    uint32_t region = page->diff->row_of[side][row];
    return region == UINT32_MAX ? NULL : &page->diff->rows[region];
}

static struct ep_page_box box_of(const struct ep_diff_page *page, enum ep_diff_side side, size_t i)
{
    const struct ep_diff_graph *graph = &page->graphs[side];
    const struct ep_flame_box *flame_box = &graph->flame.boxes[i];
    const struct ep_diff_row *region = region_of(page, side, flame_box->row);
    double runs_ns = page->whole_ns * (double)page->diff->files[side];
    struct ep_page_box box = {.style = "h0",
                              .start = (double)flame_box->start_ns / runs_ns,
                              .wide = (double)flame_box->wide_ns / runs_ns,
                              .level = flame_box->level + 1};
    if (!region)
        return box;
    size_t number = (size_t)(region - page->diff->rows);
    box.style = ep_report_diff_html_change(page, region);
    box.is_hatched = !ep_diff_is_on_both(region);
    if (graph->box_of[number] == i)
        box.anchor = (struct ep_page_anchor){prefixes[side], number};
    if (number < page->listed)
        box.target = (struct ep_page_anchor){'d', number};
    return box;
}

static void write_box(const struct ep_diff_page *page, enum ep_diff_side side, size_t i)
{
    size_t row = page->graphs[side].flame.boxes[i].row;
    const char *name = page->diff->sides[side]->rows[row].name;
    const struct ep_diff_row *region = region_of(page, side, row);
    const struct ep_page_box box = box_of(page, side, i);
    ep_report_html_flame_box_begin(page->out, &box);
    ep_report_html_cells_bare_text(page->out, name);
    if (region)
        ep_report_diff_html_figure_lines(page->out, page->diff, region);
    ep_report_html_flame_box_end(page->out, &box,
                                 region ? ep_report_diff_html_change_sign(page, region) : "", name);
}

/* The box of the whole run, above all other boxes of the side. */
static void write_root(const struct ep_diff_page *page, enum ep_diff_side side)
{
    char name[64];
    const struct ep_page_box box = {.style = "h0",
                                    .wide = page->graphs[side].run_ns / page->whole_ns};
    snprintf(name, sizeof name, "%s: %s", ep_report_diff_format_sides[side],
             run_of(page, side).text);
    ep_report_html_flame_box_begin(page->out, &box);
    ep_output_text(page->out, name);
    ep_report_html_flame_box_end(page->out, &box, "", name);
}

/* Writes nothing if the side has no time in scopes. */
static void write_flame(const struct ep_diff_page *page, enum ep_diff_side side)
{
    const struct ep_flame *flame = &page->graphs[side].flame;
    if (flame->whole_ns == 0)
        return;
    ep_output_print(page->out, "<h3>%s <small>", side == EP_DIFF_AFTER ? "After" : "Before");
    write_side_name(page, side);
    ep_output_text(page->out, "</small></h3>\n<figure class=\"flame\">\n");
    ep_report_html_flame_begin(page->out, flame, ep_report_diff_format_sides[side]);
    write_root(page, side);
    for (size_t i = 0; i < flame->count; i++)
        write_box(page, side, i);
    ep_output_text(page->out, "</svg>\n");
    ep_output_text(page->out, "<figcaption>");
    ep_report_html_flame_box_left_out(page->out, flame);
    ep_output_text(page->out, "</figcaption>\n</figure>\n");
}

/* ---- the page ---- */

static void write_graphs(const struct ep_diff_page *page)
{
    ep_output_text(page->out, "<section id=\"graphs\"><h2>Flame graphs</h2>\n");
    ep_report_diff_html_change_key(page);
    ep_report_html_flame_box_define_hatch(page->out);
    write_flame(page, EP_DIFF_AFTER);
    write_flame(page, EP_DIFF_BEFORE);
    ep_output_text(page->out, "</section>\n");
}

static void write_main(const struct ep_diff_page *page)
{
    bool has_rows = page->diff->row_count > 0, has_graphs = page->whole_ns > 0;
    ep_output_text(page->out, "<main>\n");
    if (has_rows && has_graphs) { /* skips the rows, at each of which the keyboard stops */
        ep_output_text(page->out,
                       "<nav aria-label=\"Sections\"><a href=\"#changes\">What changed most</a> ");
        if (page->diff->value_count)
            ep_output_text(page->out, "<a href=\"#values\">Values</a> ");
        ep_output_text(page->out, "<a href=\"#graphs\">Flame graphs</a></nav>\n");
    }
    if (has_rows) {
        ep_output_text(page->out, "<section id=\"changes\"><h2>What changed most <small>before "
                                  "above after, of one run</small></h2>\n");
        ep_report_diff_html_list(page);
        ep_output_text(page->out, "</section>\n");
    }
    ep_report_diff_values_html(page->out, page->diff);
    if (has_graphs)
        write_graphs(page);
    ep_output_text(page->out, "</main>\n");
}

static void write_end(const struct ep_diff_page *page)
{
    ep_output_text(page->out, "<footer>\n");
    for (enum ep_diff_side side = 0; side < EP_DIFF_SIDES; side++) {
        ep_output_print(page->out, "<p>%s</p>\n", ep_report_diff_format_sides[side]);
        ep_report_html_page_notes(page->out, page->diff->sides[side]);
    }
    ep_output_text(page->out, "</footer>\n</body>\n</html>\n");
}

static void write_page(const struct ep_diff_page *page)
{
    ep_report_html_page_head_begin(page->out);
    write_side_names(page);
    ep_output_text(page->out, " \u2013 comparison");
    ep_report_html_page_head_end(page->out);
    ep_output_text(page->out, "<body>\n");
    write_headline(page);
    write_main(page);
    write_end(page);
}

static int make_graphs(struct ep_diff_page *page)
{
    int result = 0;
    for (enum ep_diff_side side = 0; side < EP_DIFF_SIDES; side++) {
        struct ep_diff_graph *graph = &page->graphs[side];
        result |= make_graph(graph, page->diff, side);
        if (graph->run_ns > page->whole_ns)
            page->whole_ns = graph->run_ns;
    }
    return result;
}

void ep_report_diff_html(struct ep_output *out, const struct ep_diff *diff,
                         const struct ep_report_diff_options *options, size_t rows)
{
    struct ep_diff_page page = {.out = out, .diff = diff, .options = options, .listed = rows};
    if (make_graphs(&page) == 0)
        write_page(&page);
    else
        ep_output_fail(out, ENOMEM);
    for (enum ep_diff_side side = 0; side < EP_DIFF_SIDES; side++) {
        ep_flame_free(&page.graphs[side].flame);
        free(page.graphs[side].box_of);
    }
}
