#include "report_diff.h"

#include <errno.h>

#include "report_diff_html_change.h"
#include "report_diff_html_flame.h"
#include "report_diff_html_headline.h"
#include "report_diff_html_list.h"
#include "report_diff_time.h"
#include "report_html_head.h"
#include "report_html_notes.h"

/* Where nobody said how many: so many open in Chromium in less than a second. */
enum { ROWS_MOST = 2000 };

static void write_head(const struct ep_report_diff_html_page *page)
{
    ep_report_html_head_begin(page->out);
    ep_report_diff_html_headline_sides(page);
    ep_output_text(page->out, " \u2013 comparison");
    ep_report_html_head_end(page->out);
}

/* Past the many rows and boxes, each of which the keyboard stops at. */
static void write_ways(struct ep_output *out)
{
    ep_output_text(out, "<nav aria-label=\"Sections\"><a href=\"#changes\">What changed most</a> "
                        "<a href=\"#graphs\">Flame graphs</a></nav>\n");
}

static void write_changes(const struct ep_report_diff_html_page *page)
{
    ep_output_text(page->out, "<section id=\"changes\"><h2>What changed most <small>before above "
                              "after, of one run</small></h2>\n");
    ep_report_diff_html_list(page);
    ep_output_text(page->out, "</section>\n");
}

static void write_graphs(const struct ep_report_diff_html_page *page)
{
    ep_output_text(page->out, "<section id=\"graphs\"><h2>Flame graphs</h2>\n");
    ep_report_diff_html_change_key(page);
    ep_report_html_box_define_hatch(page->out);
    ep_report_diff_html_flame(page, EP_DIFF_AFTER);
    ep_report_diff_html_flame(page, EP_DIFF_BEFORE);
    ep_output_text(page->out, "</section>\n");
}

static void write_main(const struct ep_report_diff_html_page *page)
{
    bool has_rows = page->diff->row_count > 0, has_graphs = page->whole_ns > 0;
    ep_output_text(page->out, "<main>\n");
    if (has_rows && has_graphs)
        write_ways(page->out);
    if (has_rows)
        write_changes(page);
    if (has_graphs)
        write_graphs(page);
    ep_output_text(page->out, "</main>\n");
}

static void write_end(const struct ep_report_diff_html_page *page)
{
    ep_output_text(page->out, "<footer>\n");
    for (enum ep_diff_side side = EP_DIFF_BEFORE; side < EP_DIFF_SIDES; side++) {
        ep_output_print(page->out, "<p>%s</p>\n", ep_report_diff_sides[side]);
        ep_report_html_notes(page->out, page->diff->sides[side]);
    }
    ep_output_text(page->out, "</footer>\n</body>\n</html>\n");
}

static void write_page(const struct ep_report_diff_html_page *page)
{
    write_head(page);
    ep_output_text(page->out, "<body>\n");
    ep_report_diff_html_headline(page);
    write_main(page);
    write_end(page);
}

static int make_graphs(struct ep_report_diff_html_page *page)
{
    int result = 0;
    for (enum ep_diff_side side = EP_DIFF_BEFORE; side < EP_DIFF_SIDES; side++) {
        struct ep_report_diff_html_graph *graph = &page->graphs[side];
        result |= ep_report_diff_html_graph_make(graph, page->diff, side);
        if (graph->run_ns > page->whole_ns)
            page->whole_ns = graph->run_ns;
    }
    return result;
}

void ep_report_diff_html(struct ep_output *out, const struct ep_diff *diff,
                         const struct ep_report_diff_options *options)
{
    struct ep_report_diff_html_page page = {.out = out,
                                            .diff = diff,
                                            .options = options,
                                            .listed =
                                                ep_report_diff_shown(diff, options, ROWS_MOST)};
    if (make_graphs(&page) == 0)
        write_page(&page);
    else
        ep_output_fail(out, ENOMEM);
    for (enum ep_diff_side side = EP_DIFF_BEFORE; side < EP_DIFF_SIDES; side++)
        ep_report_diff_html_graph_free(&page.graphs[side]);
}
