/*
 * values.c - the table of values below a table or a tree
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report/format.h"
#include "report/report.h"
#include "report/sheet.h"

enum { MOST_LINES = 1000 };

/* ---- lines ---- */

enum { CALLS, RATE = 7 };

static const struct ep_report_sheet_column columns[] = {
    [CALLS] = EP_REPORT_SHEET_COUNT(calls, false), EP_REPORT_SHEET_TIME("total", total_ns, 4),
    EP_REPORT_SHEET_TIME("mean", mean_ns, 5),      EP_REPORT_SHEET_TIME("min", min_ns, 2),
    EP_REPORT_SHEET_TIME("p50", p50_ns, 1),        EP_REPORT_SHEET_TIME("p99", p99_ns, 3),
    EP_REPORT_SHEET_TIME("max", max_ns, 3),        [RATE] = {.title = "rate", .worth = 5},
};

struct values {
    const struct eprof_row *rows;
    bool in_ticks;
};

static struct ep_report_sheet_cell cell_at(const void *context, size_t i, size_t column)
{
    const struct values *values = context;
    const struct eprof_row *row = &values->rows[i];
    if (column == CALLS)
        return (struct ep_report_sheet_cell){ep_report_format_decimal(row->calls, 0),
                                             EP_REPORT_SHEET_PLAIN};
    return (struct ep_report_sheet_cell){
        column == RATE ? ep_report_format_per_second(row)
                       : ep_report_format_value(row, columns[column].offset, values->in_ticks),
        EP_REPORT_SHEET_PLAIN};
}

/* "a > b > queue length", after the thread's name if each thread has its rows; to be freed. */
static char *name_of(const struct eprof_row *row, bool has_threads)
{
    const char *thread = has_threads ? row->thread : "", *colon = has_threads ? ": " : "";
    char *name = malloc(strlen(thread) + strlen(": ") + 3 * strlen(row->path) + 1);
    if (!name)
        return NULL;
    char *at = stpcpy(stpcpy(name, thread), colon);
    for (const char *c = row->path; *c; c++) {
        if (*c == ';')
            at = stpcpy(at, " > ");
        else
            *at++ = *c == '\\' ? *++c : *c;
    }
    *at = '\0';
    return name;
}

void ep_report_values_write(struct ep_output *out, const struct eprof_snapshot *snapshot,
                            const struct ep_report_sheet_style *style)
{
    size_t count = snapshot->value_count < MOST_LINES ? snapshot->value_count : MOST_LINES;
    struct values values = {snapshot->values, style->in_ticks};
    struct ep_report_sheet_line *lines = count ? calloc(count, sizeof *lines) : NULL;
    bool is_whole = lines != NULL;
    for (size_t i = 0; i < count && is_whole; i++) {
        lines[i].name = name_of(&snapshot->values[i], snapshot->options.threads);
        is_whole = lines[i].name != NULL;
    }
    if (is_whole) {
        ep_output_text(out, "\n");
        ep_report_sheet_write(
            out, &(struct ep_report_sheet){.style = style,
                                           .title = "value",
                                           .columns = columns,
                                           .column_count = sizeof columns / sizeof columns[0],
                                           .lines = lines,
                                           .line_count = count,
                                           .cell = cell_at,
                                           .context = &values});
        if (count < snapshot->value_count)
            ep_output_print(out, "and %zu more: csv has them all\n", snapshot->value_count - count);
    } else if (count) {
        ep_output_fail(out, ENOMEM);
    }
    for (size_t i = 0; lines && i < count; i++)
        free((char *)(uintptr_t)lines[i].name);
    free(lines);
}
