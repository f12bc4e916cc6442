#include <inttypes.h>
#include <string.h>

#include "report_diff/html.h"

/* ---- the figures of both sides of a region ---- */

/* Writes a field of both sides into the table, before above after. The figures are short, in
 * elements that have the exact value. A dash is a side without the region, or without this time. */
static void write_both(struct ep_output *out, const struct ep_diff_row *row, size_t field)
{
    for (enum ep_diff_side side = 0; side < EP_DIFF_SIDES; side++, field++) {
        struct ep_report_figure figure = ep_report_diff_format_field_figure(row, field);
        bool is_unknown = field >= EP_REPORT_DIFF_CPU && strcmp(figure.text, "-") == 0;
        if (!ep_diff_is_on(row, side) || is_unknown) {
            ep_output_text(out, "<span>\u2013</span>");
            continue;
        }
        ep_output_text(out, "<data value=\"");
        ep_report_diff_format_field_value(out, row, field, "");
        ep_output_print(out, "\">%s</data>", figure.text);
    }
}

static void write_verdict(struct ep_output *out, const struct ep_diff *diff,
                          const struct ep_diff_row *row)
{
    struct ep_report_figure interval = ep_report_diff_format_figure_interval(row);
    const char *verdict = ep_diff_verdict_word(row);
    if (!ep_diff_is_on_both(row)) {
        ep_output_print(out, "\n%s", verdict);
        return;
    }
    ep_output_print(out, "\n%s %s", ep_report_diff_format_time_judged(diff)->name,
                    ep_report_diff_format_figure_change(row).text);
    if (*interval.text)
        ep_output_print(out, " (%s)", interval.text);
    ep_output_print(out, "%s%s", *verdict ? ": " : "", verdict);
}

static void write_time(struct ep_output *out, const struct ep_diff_row *row,
                       enum ep_diff_figure time)
{
    uint64_t before_ns = row->figures[EP_DIFF_BEFORE].times_ns[time];
    uint64_t after_ns = row->figures[EP_DIFF_AFTER].times_ns[time];
    bool is_less = after_ns < before_ns;
    bool is_unknown =
        time >= EP_DIFF_CPU && (before_ns == EPROF_UNKNOWN || after_ns == EPROF_UNKNOWN);
    if (is_unknown)
        return;
    ep_output_print(out, "\n%s ", ep_report_diff_format_times[time].name);
    if (!ep_diff_is_on_both(row)) /* the time of the other side is 0 */
        ep_output_print(out, "%" PRIu64 " ns", before_ns + after_ns);
    else
        ep_output_print(out, "%" PRIu64 " \u2192 %" PRIu64 " ns: %s%" PRIu64, before_ns, after_ns,
                        is_less ? "-" : "+", is_less ? before_ns - after_ns : after_ns - before_ns);
}

static void write_calls(struct ep_output *out, const struct ep_diff_row *row)
{
    const char *between = "\ncalls ";
    for (enum ep_diff_side side = 0; side < EP_DIFF_SIDES; side++)
        if (ep_diff_is_on(row, side)) {
            ep_output_text(out, between);
            ep_report_diff_format_field_value(out, row, EP_REPORT_DIFF_CALLS + side, "");
            between = " \u2192 ";
        }
}

void ep_report_diff_html_figure_lines(struct ep_output *out, const struct ep_diff *diff,
                                      const struct ep_diff_row *row)
{
    write_verdict(out, diff, row);
    for (enum ep_diff_figure time = 0; time < EP_DIFF_TIMES; time++)
        write_time(out, row, time);
    write_calls(out, row);
    if (row->figures[EP_DIFF_BEFORE].is_estimate || row->figures[EP_DIFF_AFTER].is_estimate)
        ep_output_text(out, "\nsampled: times are estimates");
}

/* ---- the colours of regions ---- */

enum { LEVELS = 4 };

/* In percent of the graphs' width: a smaller change makes a box less than three pixels wider on a
 * large screen. Each step is three to five times the one before. */
static const double percents[LEVELS] = {0.2, 1, 3, 10};

/* The classes from fastest to slowest. */
static const char *const styles[] = {"f4", "f3", "f2", "f1", "h0", "s1", "s2", "s3", "s4"};

/* Below 0: faster. A region of one side only has a colour, however short it is. */
static int shown_level_of(const struct ep_diff_page *page, const struct ep_diff_row *row)
{
    double change_ns =
        (double)row->figures[EP_DIFF_AFTER].self_ns - (double)row->figures[EP_DIFF_BEFORE].self_ns;
    int sign = change_ns < 0 ? -1 : 1, level = 0;
    while (page->whole_ns > 0 && level < LEVELS &&
           sign * change_ns * 100 >= percents[level] * page->whole_ns)
        level++;
    level *= sign;
    if (!ep_diff_is_on(row, EP_DIFF_BEFORE))
        return level < 1 ? 1 : level;
    if (!ep_diff_is_on(row, EP_DIFF_AFTER))
        return level > -1 ? -1 : level;
    /* the verdict may be about another figure than the self time, which decides the colour */
    bool is_confirmed = row->verdict == EP_DIFF_UNKNOWN ||
                        (row->verdict == EP_DIFF_FASTER && level < 0) ||
                        (row->verdict == EP_DIFF_SLOWER && level > 0);
    return is_confirmed ? level : 0;
}

const char *ep_report_diff_html_change(const struct ep_diff_page *page,
                                       const struct ep_diff_row *row)
{
    return styles[LEVELS + shown_level_of(page, row)];
}

const char *ep_report_diff_html_change_sign(const struct ep_diff_page *page,
                                            const struct ep_diff_row *row)
{
    int level = shown_level_of(page, row);
    if (!ep_diff_is_on(row, EP_DIFF_BEFORE))
        return "new ";
    if (!ep_diff_is_on(row, EP_DIFF_AFTER))
        return "gone ";
    return level > 0 ? "\u25B2 " : level < 0 ? "\u25BC " : "";
}

void ep_report_diff_html_change_key(const struct ep_diff_page *page)
{
    struct ep_output *out = page->out;
    ep_output_text(out,
                   "<p class=\"flame key\"><span>\u25BC faster</span> <span aria-hidden=\"true\">");
    for (int i = 0; i <= 2 * LEVELS; i++)
        ep_output_print(out, "<svg class=\"%s\"><rect/></svg>", styles[i]);
    ep_output_text(out, "</span> <span>\u25B2 slower</span></p>\n");
    ep_output_text(out, "<p class=\"key\">A colour shows by how much the self time of a run has "
                        "changed, in parts of the wider graph: from ");
    for (int i = 0; i < LEVELS; i++) {
        ep_output_text(out, i == 0 ? "" : i < LEVELS - 1 ? ", " : " and ");
        ep_output_decimal(out, percents[i], percents[i] < 1);
    }
    ep_output_text(out, " % on. Regions of one side only are hatched.");
    if (ep_diff_has_verdicts(page->diff))
        ep_output_text(out, " A region without a confirmed change has no colour.");
    else if (ep_report_diff_format_has_intervals(page->diff))
        ep_output_text(out, " A change within the errors of the estimates has no colour.");
    ep_output_text(out, "</p>\n");
}

/* ---- the table: what changed most ---- */

enum {
    ROWS_SEEN = 25,  /* a screenful; the graphs are below */
    NAMES_AROUND = 6 /* the nearest ancestors of a region, which distinguish it from others */
};

/* Writes the nearest ancestors, "… › serve › handle_request": the whole paths of a deep tree would
 * fill the page. */
static void write_around(const struct ep_diff_page *page, const struct ep_diff_row *region)
{
    const struct eprof_snapshot *snapshot = page->diff->sides[ep_diff_side_of(region)];
    size_t around[NAMES_AROUND], count = 0, row = region->at[ep_diff_side_of(region)];
    if (row < snapshot->scope_first)
        return;
    row = ep_rows_position(snapshot, row)->parent;
    for (; row != SIZE_MAX && count < NAMES_AROUND; count++) {
        around[count] = row;
        row = ep_rows_position(snapshot, row)->parent;
    }
    if (count == 0)
        return;
    ep_output_text(page->out, row == SIZE_MAX ? "<small>in " : "<small>in \u2026 \u203A ");
    while (count-- > 0) {
        ep_report_html_cells_text(page->out, snapshot->rows[around[count]].name);
        ep_output_text(page->out, count ? " \u203A " : "</small>");
    }
}

/* The name is a link to its box, in the graph of after if both graphs have one. */
static void write_region(const struct ep_diff_page *page, size_t number)
{
    const struct ep_diff_row *region = &page->diff->rows[number];
    const struct eprof_row *row = ep_diff_row_of(page->diff, region);
    char prefix = page->graphs[EP_DIFF_AFTER].box_of[number] != SIZE_MAX    ? 'a'
                  : page->graphs[EP_DIFF_BEFORE].box_of[number] != SIZE_MAX ? 'b'
                                                                            : '\0';
    ep_output_text(page->out, "<th scope=\"row\">");
    if (prefix)
        ep_output_print(page->out, "<a href=\"#%c%zu\">", prefix, number);
    ep_report_html_cells_text(page->out, row->name);
    ep_output_text(page->out, prefix ? "</a>" : "");
    if (strcmp(row->kind, "instance") == 0)
        ep_output_text(page->out, " <em>instance</em>");
    write_around(page, region);
    ep_output_text(page->out, "</th>");
}

/* The change, and below it the verdict. */
static void write_change(const struct ep_diff_page *page, const struct ep_diff_row *region)
{
    const char *verdict = ep_diff_verdict_word(region);
    struct ep_report_figure change = ep_report_diff_format_figure_change(region);
    ep_output_print(page->out, "<td class=\"change\"><b>%s</b>", change.text);
    if (*verdict && strcmp(verdict, change.text) != 0)
        ep_output_print(page->out, "<span>%s</span>", verdict);
    ep_output_text(page->out, "</td>");
}

/* Processor time is shown if it can be compared. */
static enum ep_diff_figure times_of(const struct ep_diff_page *page)
{
    return ep_diff_has_cpu(page->diff) ? EP_DIFF_TIMES : EP_DIFF_CPU;
}

static const char *style_of(const struct ep_diff_page *page, enum ep_diff_figure time)
{
    return time == ep_diff_judged(page->diff) ? "judged" : "wide";
}

static void write_figures(const struct ep_diff_page *page, const struct ep_diff_row *region)
{
    for (enum ep_diff_figure time = 0; time < times_of(page); time++) {
        ep_output_print(page->out, "<td class=\"%s\">", style_of(page, time));
        write_both(page->out, region, ep_report_diff_format_field_of(time));
        ep_output_text(page->out, "</td>");
    }
    ep_output_text(page->out, "<td class=\"wide\">");
    write_both(page->out, region, EP_REPORT_DIFF_CALLS);
    ep_output_text(page->out, "</td>");
}

static void write_row(const struct ep_diff_page *page, size_t number)
{
    const struct ep_diff_row *region = &page->diff->rows[number];
    ep_output_print(page->out, "<tr id=\"d%zu\" class=\"%s\">", number,
                    ep_report_diff_html_change(page, region));
    write_region(page, number);
    write_change(page, region);
    ep_output_print(page->out,
                    "<td class=\"by wide\"><data value=\"%" PRId64 "\">%s</data>"
                    "<span>%s</span></td>",
                    region->change_ns,
                    ep_report_diff_format_figure_difference(region->change_ns).text,
                    ep_report_diff_format_figure_interval(region).text);
    write_figures(page, region);
    ep_output_text(page->out, "</tr>\n");
}

static void write_titles(const struct ep_diff_page *page)
{
    ep_output_text(page->out,
                   "<thead><tr><th scope=\"col\">region</th><th scope=\"col\">change</th>"
                   "<th scope=\"col\" class=\"wide\">difference</th>");
    for (enum ep_diff_figure time = 0; time < times_of(page); time++)
        ep_output_print(page->out, "<th scope=\"col\" class=\"%s\">%s</th>", style_of(page, time),
                        ep_report_diff_format_times[time].name);
    ep_output_text(page->out,
                   "<th scope=\"col\" class=\"wide\">calls</th></tr></thead>\n<tbody>\n");
}

static void write_rows(const struct ep_diff_page *page, const char *label, size_t first, size_t end)
{
    ep_output_print(page->out, "<table class=\"diff\" aria-label=\"%s\">", label);
    write_titles(page);
    for (size_t row = first; row < end; row++)
        write_row(page, row);
    ep_output_text(page->out, "</tbody></table>\n");
}

void ep_report_diff_html_list(const struct ep_diff_page *page)
{
    size_t seen = page->options->top || page->listed < 2 * ROWS_SEEN ? page->listed : ROWS_SEEN;
    write_rows(page, "What changed most", 0, seen);
    if (seen < page->listed) {
        ep_output_print(page->out, "<details class=\"more\"><summary>%zu more</summary>\n",
                        page->listed - seen);
        write_rows(page, "What changed less", seen, page->listed);
        ep_output_text(page->out, "</details>\n");
    }
    ep_report_html_cells_rest(page->out, page->diff->row_count - page->listed, "");
}
