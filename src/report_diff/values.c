/*
 * report_diff/values.c - the values of a comparison: a table, and rows for csv and json
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/sheet.h"
#include "report_diff/format.h"

enum { MOST_LINES = 1000 };

static const struct eprof_row *row_of(const struct ep_diff_value *value)
{
    return value->at[EP_DIFF_AFTER] ? value->at[EP_DIFF_AFTER] : value->at[EP_DIFF_BEFORE];
}

static bool is_on_both(const struct ep_diff_value *value)
{
    return value->at[EP_DIFF_BEFORE] && value->at[EP_DIFF_AFTER];
}

/* ---- the table ---- */

enum { CALLS, TOTAL = 2, MEAN = 4, P99 = 6, CHANGE = 8, COLUMNS };

#define BOTH_SIDES(of, its_worth)                                                                  \
    {.title = "before", .group = (of), .worth = (its_worth)},                                      \
    {                                                                                              \
        .title = "after", .group = (of), .worth = (its_worth)                                      \
    }

static const struct ep_report_sheet_column columns[COLUMNS] = {
    BOTH_SIDES("calls", 3), BOTH_SIDES("total", 2),         BOTH_SIDES("mean", 0),
    BOTH_SIDES("p99", 1),   [CHANGE] = {.title = "change"}, /* of the mean */
};

static struct ep_report_figure change_of(const struct ep_diff_value *value)
{
    struct ep_report_figure figure = {"-"}, empty = {""};
    if (!is_on_both(value))
        return ep_report_format_around(value->at[EP_DIFF_AFTER] ? "new" : "gone", empty, "");
    double before = (double)(int64_t)value->at[EP_DIFF_BEFORE]->mean_ns;
    double after = (double)(int64_t)value->at[EP_DIFF_AFTER]->mean_ns;
    if (before > 0 && after >= 0 && after / before < 10)
        snprintf(figure.text, sizeof figure.text, "%+.1f %%", (after / before - 1) * 100);
    else if (before > 0 && after > 0)
        snprintf(figure.text, sizeof figure.text, "x %.4g", after / before);
    return figure;
}

static struct ep_report_sheet_cell cell_at(const void *context, size_t i, size_t column)
{
    static const size_t offsets[] = {
        offsetof(struct eprof_row, calls), offsetof(struct eprof_row, total_ns),
        offsetof(struct eprof_row, mean_ns), offsetof(struct eprof_row, p99_ns)};
    const struct ep_diff *diff = context;
    const struct ep_diff_value *value = &diff->values[i];
    if (column == CHANGE)
        return (struct ep_report_sheet_cell){change_of(value), EP_REPORT_SHEET_PLAIN};
    const struct eprof_row *row = value->at[column % EP_DIFF_SIDES];
    size_t offset = offsets[column / EP_DIFF_SIDES];
    struct ep_report_figure figure = {"-"};
    if (row && column < TOTAL)
        figure = ep_report_format_decimal(row->calls, 0);
    else if (row)
        figure = ep_report_format_value(row, offset, false);
    return (struct ep_report_sheet_cell){figure, EP_REPORT_SHEET_PLAIN};
}

void ep_report_diff_values_table(struct ep_output *out, const struct ep_diff *diff,
                                 const struct ep_report_sheet_style *style)
{
    size_t count = diff->value_count < MOST_LINES ? diff->value_count : MOST_LINES;
    struct ep_report_sheet_line *lines = count ? calloc(count, sizeof *lines) : NULL;
    if (count && !lines)
        ep_output_fail(out, ENOMEM);
    for (size_t i = 0; lines && i < count; i++)
        lines[i].name = row_of(&diff->values[i])->path;
    if (lines) {
        ep_output_text(out, "\n");
        ep_report_sheet_write(out, &(struct ep_report_sheet){.style = style,
                                                             .title = "value",
                                                             .columns = columns,
                                                             .column_count = COLUMNS,
                                                             .lines = lines,
                                                             .line_count = count,
                                                             .cell = cell_at,
                                                             .context = diff});
        if (count < diff->value_count)
            ep_output_print(out, "and %zu more: csv has them all\n", diff->value_count - count);
    }
    free(lines);
}

/* ---- rows for csv and json ---- */

/* Several files of a side are averaged: a sum of values has no median. */
static struct ep_diff_figures figures_of(const struct eprof_row *row, size_t files)
{
    const int64_t runs = (int64_t)(files ? files : 1);
    if (!row)
        return (struct ep_diff_figures){.is_signed = true,
                                        .self_ns = EPROF_UNKNOWN,
                                        .cpu_ns = EPROF_UNKNOWN,
                                        .wait_ns = EPROF_UNKNOWN};
    return (struct ep_diff_figures){.calls = (double)row->calls / (double)runs,
                                    .total_ns = (uint64_t)((int64_t)row->total_ns / runs),
                                    .mean_ns = row->mean_ns,
                                    .p99_ns = row->p99_ns,
                                    .self_ns = EPROF_UNKNOWN,
                                    .cpu_ns = EPROF_UNKNOWN,
                                    .wait_ns = EPROF_UNKNOWN,
                                    .is_signed = true};
}

struct ep_diff_row ep_report_diff_values_row(const struct ep_diff *diff, size_t i)
{
    const struct ep_diff_value *value = &diff->values[i];
    struct ep_diff_row row = {.ratio = {.estimate = 0}};
    for (enum ep_diff_side side = 0; side < EP_DIFF_SIDES; side++) {
        row.at[side] = value->at[side] ? i : SIZE_MAX;
        row.figures[side] = figures_of(value->at[side], diff->files[side]);
    }
    int64_t before = (int64_t)row.figures[EP_DIFF_BEFORE].mean_ns;
    int64_t after = (int64_t)row.figures[EP_DIFF_AFTER].mean_ns;
    if (__builtin_sub_overflow(after, before, &row.change_ns))
        row.change_ns = after < 0 ? INT64_MIN : INT64_MAX;
    row.ratio.estimate = before > 0 && after >= 0 ? (double)after / (double)before : INFINITY;
    return row;
}

const struct eprof_row *ep_report_diff_values_of(const struct ep_diff *diff, size_t i)
{
    return row_of(&diff->values[i]);
}
