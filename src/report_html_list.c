#include "report_html_list.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report_html_figure.h"
#include "report_html_heat.h"
#include "report_html_name.h"
#include "snapshot_sort.h"

/* Of rows that a person reads; the others are counted. */
enum { TOPS_MOST = 50, INSTANCES_MOST = 1000 };

struct column {
    const char *title;
    size_t offset;
    bool is_duration;
    bool is_wide; /* has no room in a narrow window */
};

#define FIGURE(name, is_duration, is_wide)                                                         \
    {                                                                                              \
#name, offsetof(struct eprof_row, name), is_duration, is_wide                              \
    }
#define TIME(name, is_wide)                                                                        \
    {                                                                                              \
#name, offsetof(struct eprof_row, name##_ns), true, is_wide                                \
    }

static const struct column top_columns[] = {
    TIME(self, false), TIME(total, false), FIGURE(calls, false, false),
    TIME(mean, true),  TIME(p50, true),    TIME(p99, true),
    TIME(max, true),
};

static const struct column instance_columns[] = {
    TIME(total, false), FIGURE(calls, false, false),
    TIME(mean, false),  TIME(p50, true),
    TIME(p90, true),    TIME(p99, true),
    TIME(max, true),
};

enum {
    TOP_COLUMNS = sizeof top_columns / sizeof top_columns[0],
    INSTANCE_COLUMNS = sizeof instance_columns / sizeof instance_columns[0]
};

static void write_titles(struct ep_output *out, const char *first, const char *second,
                         const struct column *columns, size_t count, const char *last)
{
    ep_output_print(out, "<thead><tr><th scope=\"col\">%s</th><th scope=\"col\">%s</th>", first,
                    second);
    for (size_t i = 0; i < count; i++)
        ep_output_print(out, "<th scope=\"col\"%s>%s</th>",
                        columns[i].is_wide ? " class=\"wide\"" : "", columns[i].title);
    ep_output_print(out, "%s</tr></thead>\n<tbody>\n", last);
}

static void write_figures(const struct ep_report_html_page *page, const struct eprof_row *row,
                          const struct column *columns, size_t count, bool is_estimate)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t value = ep_field_value(row, columns[i].offset);
        ep_output_print(page->out, "<td%s>", columns[i].is_wide ? " class=\"wide\"" : "");
        if (columns[i].is_duration && ep_report_html_has(row, columns[i].offset))
            ep_report_html_data(page, value, is_estimate);
        else if (!columns[i].is_duration)
            ep_output_print(page->out, "%" PRIu64, value);
        ep_output_text(page->out, "</td>");
    }
}

static void write_name(const struct ep_report_html_page *page, const struct eprof_row *row,
                       bool is_ambiguous)
{
    ep_output_text(page->out, "<th scope=\"row\">");
    ep_report_html_name(page->out, row, is_ambiguous);
    ep_output_text(page->out, "</th>");
}

static void write_rest(struct ep_output *out, size_t left_out)
{
    if (left_out)
        ep_output_print(out, "<p class=\"rest\">\u2026 %zu more</p>\n", left_out);
}

/* ---- top functions ---- */

static void write_top(const struct ep_report_html_page *page, size_t top, uint64_t whole_ns)
{
    const struct eprof_row *row = &page->snapshot->tops[top];
    struct ep_site_mark mark = page->snapshot->top_marks[top];
    ep_output_print(page->out, "<tr class=\"h%u\"><td class=\"share\">",
                    ep_report_html_heat(row->self_ns, whole_ns));
    ep_report_html_bar(page, row->self_ns, row->self_ns, whole_ns);
    ep_output_print(page->out, "<b>%s</b></td>",
                    ep_report_figure_share(row->self_ns, whole_ns).text);
    write_name(page, row, mark.is_ambiguous);
    write_figures(page, row, top_columns, TOP_COLUMNS, mark.is_thinned);
    ep_output_text(page->out, "</tr>\n");
}

void ep_report_html_list_tops(const struct ep_report_html_page *page, const struct ep_part *part)
{
    uint64_t whole_ns = ep_part_whole(page->snapshot, part).self_ns;
    size_t count = part->top_end - part->top_first;
    size_t shown = page->snapshot->is_chosen || count < TOPS_MOST ? count : TOPS_MOST;
    ep_output_text(page->out, "<table class=\"tops\" aria-label=\"Top functions by self time\">");
    write_titles(page->out, "share", "function", top_columns, TOP_COLUMNS, "");
    for (size_t i = 0; i < shown; i++)
        write_top(page, part->top_first + i, whole_ns);
    ep_output_text(page->out, "</tbody></table>\n");
    write_rest(page->out, count - shown);
}

/* ---- instances ---- */

static void write_instance(const struct ep_report_html_page *page, size_t row)
{
    const struct eprof_row *instance = &page->snapshot->rows[row];
    ep_output_print(page->out, "<tr><td>%d</td>", instance->id);
    write_name(page, instance, false);
    write_figures(page, instance, instance_columns, INSTANCE_COLUMNS, false);
    ep_output_text(page->out, "<td class=\"wide\">");
    if (page->snapshot->instance_places)
        ep_report_html_spread(page, page->snapshot->instance_places[row].outline);
    ep_output_text(page->out, "</td></tr>\n");
}

/* At most so many, those with the most time, in their order. */
static void write_longest(const struct ep_report_html_page *page, size_t most)
{
    size_t count = page->snapshot->scope_first;
    bool *is_shown = malloc(count);
    if (!is_shown) {
        ep_output_fail(page->out, ENOMEM);
        return;
    }
    memset(is_shown, true, count);
    if (ep_sort_keep_first(page->snapshot->rows, count, ep_field_find("total"), most, is_shown) !=
        0)
        ep_output_fail(page->out, ENOMEM);
    for (size_t i = 0; i < count && !page->out->error; i++)
        if (is_shown[i])
            write_instance(page, i);
    free(is_shown);
}

void ep_report_html_list_instances(const struct ep_report_html_page *page)
{
    size_t count = page->snapshot->scope_first;
    size_t shown = page->snapshot->is_chosen || count < INSTANCES_MOST ? count : INSTANCES_MOST;
    if (count == 0)
        return;
    ep_output_text(page->out, "<section id=\"instances\"><h2>Instances</h2>\n"
                              "<table class=\"instances\" aria-label=\"Instances\">");
    write_titles(page->out, "ID", "name", instance_columns, INSTANCE_COLUMNS,
                 "<th scope=\"col\" class=\"wide\">spread</th>");
    write_longest(page, shown);
    ep_output_text(page->out, "</tbody></table>\n");
    write_rest(page->out, count - shown);
    ep_output_text(page->out, "</section>\n");
}
