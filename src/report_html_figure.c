#include "report_html_figure.h"

#include <inttypes.h>
#include <string.h>

#include "escape_html.h"
#include "report_html_name.h"
#include "snapshot_field.h"

struct ep_report_figure ep_report_html_duration(const struct eprof_snapshot *snapshot, uint64_t ns,
                                                bool is_estimate)
{
    struct ep_report_figure figure =
        snapshot->options.ticks ? ep_report_figure_decimal(ns, 0) : ep_report_figure_duration(ns);
    return is_estimate ? ep_report_figure_estimate(figure) : figure;
}

void ep_report_html_data(const struct ep_report_html_page *page, uint64_t ns, bool is_estimate)
{
    ep_output_print(page->out, "<data value=\"%" PRIu64 "\">%s</data>", ns,
                    ep_report_html_duration(page->snapshot, ns, is_estimate).text);
}

/* "12 calls, 12 timed" and "total 1234567 ns". */
static void write_field(const struct ep_report_html_page *page, const struct eprof_row *row,
                        const struct ep_field *field)
{
    uint64_t value = ep_field_value(row, field->offset);
    if (field->is_duration)
        ep_output_print(page->out, "%s %" PRIu64 " %s",
                        strcmp(field->name, "p999") == 0 ? "p99.9" : field->name, value,
                        page->snapshot->unit);
    else if (field->offset == offsetof(struct eprof_row, calls))
        ep_output_print(page->out, "%" PRIu64 " call%s", value, value == 1 ? "" : "s");
    else
        ep_output_print(page->out, "%" PRIu64 " %s", value, field->name);
}

bool ep_report_html_has(const struct eprof_row *row, size_t offset)
{
    return row->timed > 0 || offset == offsetof(struct eprof_row, total_ns) ||
           offset == offsetof(struct eprof_row, self_ns);
}

/* No errors, nothing open, all calls timed, or none. */
static bool says_nothing(const struct eprof_row *row, const struct ep_field *field)
{
    if (field->is_duration)
        return !ep_report_html_has(row, field->offset);
    if (field->offset == offsetof(struct eprof_row, timed))
        return row->timed == row->calls;
    return field->offset != offsetof(struct eprof_row, calls) &&
           ep_field_value(row, field->offset) == 0;
}

void ep_report_html_all(const struct ep_report_html_page *page, const struct eprof_row *row,
                        bool is_estimate)
{
    ep_report_html_text(page->out, row->name);
    ep_output_text(page->out, " <span>");
    for (size_t i = 0; i < EP_FIELDS; i++) {
        const struct ep_field *field = &ep_fields[i];
        if (says_nothing(row, field))
            continue;
        ep_output_text(page->out, i ? ", " : "");
        write_field(page, row, field);
    }
    if (is_estimate)
        ep_output_print(page->out, ", throttled: times are estimates of 1 call in %d",
                        EP_SAMPLE_WEIGHT);
    if (*row->file) {
        ep_output_text(page->out, ", ");
        ep_escape_html(page->out, row->file);
        ep_output_print(page->out, ":%u", row->line);
    }
    ep_output_text(page->out, "</span>");
}

/* ---- drawings ---- */

/* Of 100, and never more than all: a recursion's may be. */
static void write_percent(struct ep_output *out, uint64_t part, uint64_t whole)
{
    double percent = whole ? (double)part / (double)whole * 100 : 0;
    ep_output_decimal(out, percent < 100 ? percent : 100, 1);
    ep_output_text(out, "%");
}

/* A bar is some 100 points long: a tenth of one is not seen. A page of 10,000 rows opens faster
 * without what is not seen. */
static bool is_seen(uint64_t part, uint64_t whole)
{
    return (double)part * 1000 >= (double)whole;
}

static void write_box(struct ep_output *out, const char *style, uint64_t part, uint64_t whole)
{
    if (!is_seen(part, whole))
        return;
    ep_output_print(out, "<rect%s width=\"", style);
    write_percent(out, part, whole);
    ep_output_text(out, "\" height=\"100%\"/>");
}

void ep_report_html_bar(const struct ep_report_html_page *page, uint64_t part, uint64_t self,
                        uint64_t whole)
{
    if (!is_seen(part, whole))
        return;
    ep_output_text(page->out, "<svg class=\"bar\" aria-hidden=\"true\">");
    write_box(page->out, "", part, whole);
    write_box(page->out, " class=\"own\"", self, whole);
    ep_output_text(page->out, "</svg>");
}

enum { SPREAD_HEIGHT = 12, COLUMN_WIDTH = 2 };

/* Columns stand in the middle, each a box from the bottom up. */
static void write_columns(struct ep_output *out, const struct ep_outline *outline)
{
    unsigned left = (EP_OUTLINE_COLUMNS - outline->columns) / 2 * COLUMN_WIDTH;
    for (unsigned i = 0; i < outline->columns; i++) {
        unsigned height =
            (outline->heights[i] * SPREAD_HEIGHT + EP_OUTLINE_HIGHEST - 1) / EP_OUTLINE_HIGHEST;
        if (height)
            ep_output_print(out, "M%u %dv-%uh%dv%u", left + i * COLUMN_WIDTH, SPREAD_HEIGHT, height,
                            COLUMN_WIDTH, height);
    }
}

void ep_report_html_spread(const struct ep_report_html_page *page, const struct ep_outline *outline)
{
    if (!outline || outline->columns < 2)
        return;
    ep_output_print(page->out, "<svg class=\"spread\" viewBox=\"0 0 %d %d\"><path d=\"",
                    EP_OUTLINE_COLUMNS * COLUMN_WIDTH, SPREAD_HEIGHT);
    write_columns(page->out, outline);
    ep_output_text(page->out, "\"/></svg>");
}
