#include "report_tree_tops.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report_order.h"

enum { TOPS_SHOWN = 10 }; /* where nobody said how many */

static const struct ep_report_sheet_rows_column columns[] = {
    {{"calls", offsetof(struct eprof_row, calls), false, NULL}, 0},
    {{"total", offsetof(struct eprof_row, total_ns), true, NULL}, 0},
    {{"self", offsetof(struct eprof_row, self_ns), true, NULL}, 0},
    {{"share", EP_REPORT_SHEET_SHARE, false, NULL}, 0},
};

enum { COLUMNS = sizeof columns / sizeof columns[0] };

/* What they are sorted by. */
struct title {
    char text[48];
};

static struct title title_of(const struct ep_field *order)
{
    struct title title = {EP_REPORT_TREE_TOPS_TITLE};
    if (!order)
        return title;
    bool is_sum = strcmp(order->name, "self") == 0 || strcmp(order->name, "total") == 0;
    snprintf(title.text, sizeof title.text, "top functions by %s%s", order->name,
             is_sum ? " time" : "");
    return title;
}

static size_t count_shown(const struct eprof_snapshot *snapshot, const struct ep_part *part)
{
    size_t count = part->top_end - part->top_first;
    return snapshot->is_chosen || count <= TOPS_SHOWN + 1 ? count : TOPS_SHOWN;
}

static struct ep_report_sheet_rows_line line_of(const struct eprof_snapshot *snapshot, size_t top,
                                                uint64_t whole_ns)
{
    const struct eprof_row *row = &snapshot->tops[top];
    struct ep_report_sheet_rows_line line =
        ep_report_sheet_rows_line_of(row, snapshot->top_marks[top], whole_ns);
    line.has_part = true;
    line.part_ns = row->self_ns;
    line.whole_ns = whole_ns;
    return line;
}

/* For those from `first` to `end`. */
static struct ep_report_sheet_rows_line rest_of(const struct eprof_snapshot *snapshot, size_t first,
                                                size_t end, uint64_t whole_ns, const char *gap)
{
    struct ep_report_sheet_rows_line rest = {.has_part = true, .whole_ns = whole_ns};
    for (size_t i = first; i < end; i++)
        rest.part_ns += snapshot->tops[i].self_ns;
    snprintf(rest.line.text, sizeof rest.line.text, "%s %zu more", gap, end - first);
    return rest;
}

static void write_sheet(struct ep_output *out, const struct ep_field *order,
                        const struct ep_report_sheet_style *style,
                        const struct ep_report_sheet_rows_line *lines, size_t count,
                        size_t name_width)
{
    struct title title = title_of(order);
    struct ep_report_sheet_rows_column shown[COLUMNS + 1];
    memcpy(shown, columns, sizeof columns);
    ep_output_text(out, "\n");
    ep_report_sheet_rows_write(out, &(struct ep_report_sheet_rows){
                                        .style = style,
                                        .title = title.text,
                                        .columns = shown,
                                        .column_count = ep_report_order_show(shown, COLUMNS, order),
                                        .part_offset = offsetof(struct eprof_row, self_ns),
                                        .lines = lines,
                                        .line_count = count,
                                        .name_width_least = name_width,
                                    });
}

void ep_report_tree_tops_write(struct ep_output *out, const struct eprof_snapshot *snapshot,
                               const struct ep_part *part,
                               const struct ep_report_sheet_style *style, size_t name_width)
{
    uint64_t whole_ns = ep_part_whole(snapshot, part).self_ns;
    size_t first = part->top_first, shown = count_shown(snapshot, part), count = shown;
    struct ep_report_sheet_rows_line *lines = malloc((shown + 1) * sizeof *lines);
    if (!lines) {
        ep_output_fail(out, ENOMEM);
        return;
    }
    for (size_t i = 0; i < shown; i++)
        lines[i] = line_of(snapshot, first + i, whole_ns);
    if (first + shown < part->top_end)
        lines[count++] =
            rest_of(snapshot, first + shown, part->top_end, whole_ns, ep_report_sheet_gap(style));
    write_sheet(out, snapshot->order, style, lines, count, name_width);
    free(lines);
}
