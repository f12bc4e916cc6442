#include "report_diff_html_list.h"

#include <string.h>

#include "report_diff_figure.h"
#include "report_diff_html_change.h"
#include "report_diff_html_figure.h"
#include "report_html_name.h"

enum {
    ROWS_SEEN = 25,  /* a screenful: the graphs come behind */
    NAMES_AROUND = 6 /* of what a region is in: the nearest, which tell it from others */
};

/* ---- what it is ---- */

/* "… › serve › handle_request": of a deep tree the whole paths would fill the page. */
static void write_around(const struct ep_report_diff_html_page *page,
                         const struct ep_diff_row *region)
{
    const struct eprof_snapshot *snapshot = page->diff->sides[ep_diff_side_of(region)];
    size_t around[NAMES_AROUND], count = 0, row = region->at[ep_diff_side_of(region)];
    if (row < snapshot->scope_first)
        return;
    row = snapshot->places[row - snapshot->scope_first].parent;
    for (; row != SIZE_MAX && count < NAMES_AROUND; count++) {
        around[count] = row;
        row = snapshot->places[row - snapshot->scope_first].parent;
    }
    if (count == 0)
        return;
    ep_output_text(page->out, row == SIZE_MAX ? "<small>in " : "<small>in \u2026 \u203A ");
    while (count-- > 0) {
        ep_report_html_text(page->out, snapshot->rows[around[count]].name);
        ep_output_text(page->out, count ? " \u203A " : "</small>");
    }
}

/* The place of its box; of a region that both graphs have in that of after. */
static struct ep_report_html_anchor box_of(const struct ep_report_diff_html_page *page,
                                           size_t number)
{
    if (page->graphs[EP_DIFF_AFTER].box_of[number] != SIZE_MAX)
        return (struct ep_report_html_anchor){'a', number};
    if (page->graphs[EP_DIFF_BEFORE].box_of[number] != SIZE_MAX)
        return (struct ep_report_html_anchor){'b', number};
    return (struct ep_report_html_anchor){'\0', 0};
}

static void write_region(const struct ep_report_diff_html_page *page, size_t number)
{
    const struct ep_diff_row *region = &page->diff->rows[number];
    const struct eprof_row *row = ep_diff_row_of(page->diff, region);
    struct ep_report_html_anchor box = box_of(page, number);
    ep_output_text(page->out, "<th scope=\"row\">");
    if (box.prefix)
        ep_output_print(page->out, "<a href=\"#%c%zu\">", box.prefix, box.number);
    ep_report_html_text(page->out, row->name);
    ep_output_text(page->out, box.prefix ? "</a>" : "");
    if (strcmp(row->kind, "instance") == 0)
        ep_output_text(page->out, " <em>instance</em>");
    write_around(page, region);
    ep_output_text(page->out, "</th>");
}

/* ---- its figures ---- */

/* By how much, and below it whether that is more than chance. */
static void write_change(const struct ep_report_diff_html_page *page,
                         const struct ep_diff_row *region)
{
    const char *verdict = ep_diff_verdict_word(region);
    struct ep_report_figure change = ep_report_diff_figure_change(region);
    ep_output_print(page->out, "<td class=\"change\"><b>%s</b>", change.text);
    if (*verdict && strcmp(verdict, change.text) != 0)
        ep_output_print(page->out, "<span>%s</span>", verdict);
    ep_output_text(page->out, "</td>");
}

static void write_difference(const struct ep_report_diff_html_page *page,
                             const struct ep_diff_row *region)
{
    ep_output_print(page->out, "<td class=\"by wide\"><data value=\"%lld\">%s</data>",
                    (long long)region->change_ns,
                    ep_report_diff_figure_difference(region->change_ns).text);
    ep_output_print(page->out, "<span>%s</span></td>", ep_report_diff_figure_interval(region).text);
}

static const char *style_of(const struct ep_report_diff_html_page *page,
                            const struct ep_report_diff_time *time)
{
    return time == ep_report_diff_time_judged(page->diff) ? "judged" : "wide";
}

static void write_figures(const struct ep_report_diff_html_page *page,
                          const struct ep_diff_row *region)
{
    for (size_t i = 0; i < EP_REPORT_DIFF_TIMES; i++) {
        const struct ep_report_diff_time *time = &ep_report_diff_times[i];
        ep_output_print(page->out, "<td class=\"%s\">", style_of(page, time));
        ep_report_diff_html_figure_times(page->out, region, time);
        ep_output_text(page->out, "</td>");
    }
    ep_output_text(page->out, "<td class=\"wide\">");
    ep_report_diff_html_figure_calls(page->out, region);
    ep_output_text(page->out, "</td>");
}

static void write_row(const struct ep_report_diff_html_page *page, size_t number)
{
    const struct ep_diff_row *region = &page->diff->rows[number];
    ep_output_print(page->out, "<tr id=\"d%zu\" class=\"%s\">", number,
                    ep_report_diff_html_change(page, region));
    write_region(page, number);
    write_change(page, region);
    write_difference(page, region);
    write_figures(page, region);
    ep_output_text(page->out, "</tr>\n");
}

/* ---- the whole ---- */

static void write_titles(const struct ep_report_diff_html_page *page)
{
    ep_output_text(page->out,
                   "<thead><tr><th scope=\"col\">region</th><th scope=\"col\">change</th>"
                   "<th scope=\"col\" class=\"wide\">difference</th>");
    for (size_t i = 0; i < EP_REPORT_DIFF_TIMES; i++)
        ep_output_print(page->out, "<th scope=\"col\" class=\"%s\">%s</th>",
                        style_of(page, &ep_report_diff_times[i]), ep_report_diff_times[i].name);
    ep_output_text(page->out,
                   "<th scope=\"col\" class=\"wide\">calls</th></tr></thead>\n<tbody>\n");
}

static void write_rows(const struct ep_report_diff_html_page *page, const char *label, size_t first,
                       size_t end)
{
    ep_output_print(page->out, "<table class=\"diff\" aria-label=\"%s\">", label);
    write_titles(page);
    for (size_t row = first; row < end; row++)
        write_row(page, row);
    ep_output_text(page->out, "</tbody></table>\n");
}

void ep_report_diff_html_list(const struct ep_report_diff_html_page *page)
{
    size_t rest = page->diff->row_count - page->listed;
    size_t seen = page->options->top || page->listed < 2 * ROWS_SEEN ? page->listed : ROWS_SEEN;
    write_rows(page, "What changed most", 0, seen);
    if (seen < page->listed) {
        ep_output_print(page->out, "<details class=\"more\"><summary>%zu more</summary>\n",
                        page->listed - seen);
        write_rows(page, "What changed less", seen, page->listed);
        ep_output_text(page->out, "</details>\n");
    }
    if (rest)
        ep_output_print(page->out, "<p class=\"rest\">\u2026 %zu more</p>\n", rest);
}
