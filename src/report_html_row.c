#include "report_html_row.h"

#include <inttypes.h>

#include "report_html_figure.h"
#include "report_html_heat.h"
#include "report_html_name.h"

/* From that level on rows are not indented any more (report_html_style.c), but have its number. */
enum { INDENTS_MOST = 20 };

static const struct ep_tree_place *place_of(const struct ep_report_html_page *page, size_t row)
{
    return &page->snapshot->places[row - page->snapshot->scope_first];
}

void ep_report_html_row_titles(const struct ep_report_html_page *page)
{
    static const char *const titles[] = {"total", "self", "calls", "mean",
                                         "p50",   "p99",  "max",   "spread"};
    ep_output_text(page->out,
                   "<div class=\"row titles\" aria-hidden=\"true\"><span class=\"name\">"
                   "scope</span><span class=\"cells\"><span class=\"share\">share</span>");
    for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++)
        ep_output_print(page->out, "<span>%s</span>", titles[i]);
    ep_output_text(page->out, "</span></div>\n");
}

/* ---- figures ---- */

static void write_share(const struct ep_report_html_page *page, uint64_t part, uint64_t self,
                        uint64_t whole)
{
    ep_output_text(page->out, "<span class=\"share\">");
    ep_report_html_bar(page, part, self, whole);
    ep_output_print(page->out, "<b>%s</b></span>", ep_report_figure_share(part, whole).text);
}

static void write_short(const struct ep_report_html_page *page, uint64_t ns, bool is_estimate)
{
    ep_output_print(page->out, "<span>%s</span>",
                    ep_report_html_duration(page->snapshot, ns, is_estimate).text);
}

/* Of calls that have ended. The exact figures are in the description. */
static void write_times(const struct ep_report_html_page *page, const struct eprof_row *row,
                        const struct ep_tree_place *place)
{
    const uint64_t times_ns[] = {row->mean_ns, row->p50_ns, row->p99_ns, row->max_ns};
    for (size_t i = 0; i < sizeof times_ns / sizeof times_ns[0]; i++)
        write_short(page, times_ns[i], place->mark.is_thinned);
    ep_report_html_spread(page, place->outline);
}

static void write_figures(const struct ep_report_html_page *page, const struct eprof_row *row,
                          const struct ep_tree_place *place, uint64_t whole_ns)
{
    bool is_estimate = place->mark.is_thinned;
    ep_output_text(page->out, "<span class=\"cells\" aria-hidden=\"true\">");
    write_share(page, row->total_ns, row->self_ns, whole_ns);
    ep_report_html_data(page, row->total_ns, is_estimate);
    ep_report_html_data(page, row->self_ns, is_estimate);
    ep_output_print(page->out, "<span>%" PRIu64 "</span>", row->calls);
    if (row->timed > 0)
        write_times(page, row, place);
    ep_output_text(page->out, "</span>");
}

/* ---- what stands for rows that were left out ---- */

static void write_left_out(const struct ep_report_html_page *page, const struct ep_tree_line *line,
                           uint64_t whole_ns)
{
    ep_output_print(page->out, "<span class=\"name\">\u2026 %zu more</span><span class=\"cells\">",
                    line->left_out);
    write_share(page, line->part_ns, 0, whole_ns);
    ep_report_html_data(page, line->part_ns, false);
    ep_output_text(page->out, "</span>");
}

/* ---- the whole ---- */

void ep_report_html_row_cells(const struct ep_report_html_page *page,
                              const struct ep_tree_line *line, uint64_t whole_ns)
{
    if (line->kind != EP_TREE_ROW) {
        write_left_out(page, line, whole_ns);
        return;
    }
    const struct ep_tree_place *place = place_of(page, line->row);
    const struct eprof_row *row = &page->snapshot->rows[line->row];
    ep_output_text(page->out, "<span class=\"name\">");
    if (line->depth >= INDENTS_MOST)
        ep_output_print(page->out, "<small>%u&#62;</small> ", line->depth);
    ep_report_html_name(page->out, row, place->mark.is_ambiguous);
    ep_output_text(page->out, "</span>");
    write_figures(page, row, place, whole_ns);
    ep_output_print(page->out, "<span class=\"all\" id=\"a%c%zu\">", page->prefix, line->row);
    ep_report_html_all(page, row, place->mark.is_thinned);
    ep_output_text(page->out, "</span>");
}

void ep_report_html_row_attributes(const struct ep_report_html_page *page,
                                   const struct ep_tree_line *line, uint64_t whole_ns)
{
    if (line->kind != EP_TREE_ROW) {
        ep_output_text(page->out, " class=\"row rest\"");
        return;
    }
    const struct eprof_row *row = &page->snapshot->rows[line->row];
    ep_output_print(page->out, " class=\"row h%u\" id=\"%c%zu\" aria-labelledby=\"a%c%zu\"",
                    ep_report_html_heat(row->self_ns, whole_ns), page->prefix, line->row,
                    page->prefix, line->row);
}
