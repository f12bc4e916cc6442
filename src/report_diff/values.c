/*
 * report_diff/values.c - the values of a comparison: tables, and rows for csv and json
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/html/html.h"
#include "report/sheet.h"
#include "report_diff/format.h"

enum { MOST_LINES = 1000 };

static const struct eprof_row *row_of(const struct ep_diff_value *value)
{
    return value->at[EP_DIFF_AFTER] ? value->at[EP_DIFF_AFTER] : value->at[EP_DIFF_BEFORE];
}

static const char over_budget[] = "over budget";

static bool is_on_both(const struct ep_diff_value *value)
{
    return value->at[EP_DIFF_BEFORE] && value->at[EP_DIFF_AFTER];
}

/* "1.000 ms" of "over 1.000 ms", or "several" */
static const char *budget_of(const struct eprof_row *row)
{
    static const char before[] = "over ";
    return strcmp(row->name, over_budget) == 0 ? "several" : row->name + strlen(before);
}

char *ep_report_diff_values_path(const struct ep_diff *diff, size_t i, bool has_budgets)
{
    const struct ep_diff_value *value = &diff->values[i];
    const char *path = row_of(value)->path;
    char *text = NULL;
    if (!value->is_of_budgets)
        return strdup(path);
    int frame_bytes = (int)(strlen(path) - strlen(row_of(value)->name));
    int bytes = has_budgets ? asprintf(&text, "%.*s%s (%s before, %s after)", frame_bytes, path,
                                       over_budget, budget_of(value->at[EP_DIFF_BEFORE]),
                                       budget_of(value->at[EP_DIFF_AFTER]))
                            : asprintf(&text, "%.*s%s", frame_bytes, path, over_budget);
    return bytes < 0 ? NULL : text;
}

/* ---- figures ---- */

enum { CALLS, TOTAL = 2, MEAN = 4, P99 = 6, CHANGE = 8, INTERVAL, VERDICT, COLUMNS };

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

/* Rounded, and limited: means may be far apart. */
static int64_t whole_change(const struct ep_diff_value *value)
{
    const double most = 9e18; /* below 2^63 */
    if (value->change > most || value->change < -most)
        return value->change < 0 ? INT64_MIN : INT64_MAX;
    return (int64_t)(value->change + (value->change < 0 ? -0.5 : 0.5));
}

/* As a factor, or as a difference where there is none. */
static struct ep_report_figure change_of(const struct ep_diff_value *value)
{
    struct ep_report_figure empty = {""};
    struct ep_diff_row row = {.ratio = value->ratio};
    if (!is_on_both(value))
        return ep_report_format_around(value->at[EP_DIFF_AFTER] ? "new" : "gone", empty, "");
    if (value->is_of_budgets)
        return ep_report_format_around("other budget", empty, "");
    if (!value->is_difference && isfinite(value->ratio.estimate))
        return ep_report_diff_format_figure_change(&row);
    struct eprof_row difference = *row_of(value);
    difference.max_ns = (uint64_t)whole_change(value);
    return ep_report_format_around(
        value->change > 0 ? "+" : "",
        ep_report_format_value(&difference, offsetof(struct eprof_row, max_ns), false), "");
}

static struct ep_report_figure interval_of(const struct ep_diff_value *value)
{
    const struct ep_diff_row row = {.ratio = value->ratio};
    if (!is_on_both(value) || value->is_difference || value->is_of_budgets)
        return (struct ep_report_figure){""};
    return ep_report_diff_format_figure_interval(&row);
}

static struct ep_report_figure figure_of(const struct ep_diff *diff,
                                         const struct ep_diff_value *value, size_t column)
{
    static const size_t offsets[] = {
        offsetof(struct eprof_row, calls), offsetof(struct eprof_row, total_ns),
        offsetof(struct eprof_row, mean_ns), offsetof(struct eprof_row, p99_ns)};
    struct ep_report_figure empty = {""};
    if (column == CHANGE)
        return change_of(value);
    if (column == INTERVAL)
        return interval_of(value);
    if (column == VERDICT) /* the change says "new" or "gone" */
        return is_on_both(value) ? ep_report_format_around(ep_diff_value_word(value), empty, "")
                                 : empty;
    enum ep_diff_side side = column % EP_DIFF_SIDES ? EP_DIFF_AFTER : EP_DIFF_BEFORE;
    const struct eprof_row *row = value->at[side];
    if (!row)
        return (struct ep_report_figure){"-"};
    struct ep_diff_figures run = figures_of(row, diff->files[side]);
    struct eprof_row shown = *row;
    if (column < TOTAL)
        return ep_report_diff_format_figure_calls(run.calls);
    if (column < MEAN)
        shown.total_ns = run.total_ns;
    return ep_report_format_value(&shown, offsets[column / EP_DIFF_SIDES], false);
}

static bool has_verdicts(const struct ep_diff *diff)
{
    for (size_t i = 0; i < diff->value_count; i++)
        if (diff->values[i].verdict != EP_DIFF_UNKNOWN || diff->values[i].ratio.has_interval)
            return true;
    return false;
}

/* "values: 2 more, 1 less, 3 without evidence, 1 new; verdicts on their means take 6 files of each
 * side". */
static void write_found(struct ep_output *out, const struct ep_diff *diff)
{
    size_t counts[EP_DIFF_SLOWER + 1] = {0}, added = 0, gone = 0, of_budgets = 0;
    for (size_t i = 0; i < diff->value_count; i++) {
        const struct ep_diff_value *value = &diff->values[i];
        added += !value->at[EP_DIFF_BEFORE];
        gone += !value->at[EP_DIFF_AFTER];
        of_budgets += value->is_of_budgets;
        if (is_on_both(value) && !value->is_of_budgets)
            counts[value->verdict]++;
    }
    const struct {
        size_t count;
        const char *what;
    } parts[] = {{counts[EP_DIFF_SLOWER], "more"},
                 {counts[EP_DIFF_FASTER], "less"},
                 {counts[EP_DIFF_NO_EVIDENCE], "without evidence"},
                 {counts[EP_DIFF_UNKNOWN], "without a verdict"},
                 {of_budgets, "with another budget"},
                 {added, "new"},
                 {gone, "gone"}};
    const char *between = "values: ";
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (!parts[i].count)
            continue;
        ep_output_print(out, "%s%zu %s", between, parts[i].count, parts[i].what);
        between = ", ";
    }
    if (counts[EP_DIFF_UNKNOWN])
        ep_output_print(out, "; verdicts on their means take %zu files of each side",
                        ep_rank_test_sum_needed(diff->value_share));
}

/* ---- the table ---- */

#define BOTH_SIDES(of, its_worth)                                                                  \
    {.title = "before", .group = (of), .worth = (its_worth)},                                      \
    {                                                                                              \
        .title = "after", .group = (of), .worth = (its_worth)                                      \
    }

static const struct ep_report_sheet_column columns[COLUMNS] = {
    BOTH_SIDES("calls", 3),
    BOTH_SIDES("total", 2),
    BOTH_SIDES("mean", 0),
    BOTH_SIDES("p99", 1),
    [CHANGE] = {.title = "change"}, /* of the mean */
    [INTERVAL] = {.title = "interval", .worth = 4},
    [VERDICT] = {.title = "verdict"},
};

static struct ep_report_sheet_cell cell_at(const void *context, size_t i, size_t column)
{
    const struct ep_diff *diff = context;
    return (struct ep_report_sheet_cell){figure_of(diff, &diff->values[i], column),
                                         EP_REPORT_SHEET_PLAIN};
}

void ep_report_diff_values_table(struct ep_output *out, const struct ep_diff *diff,
                                 const struct ep_report_sheet_style *style)
{
    size_t count = diff->value_count < MOST_LINES ? diff->value_count : MOST_LINES;
    struct ep_report_sheet_line *lines = count ? calloc(count, sizeof *lines) : NULL;
    bool is_whole = lines != NULL;
    for (size_t i = 0; i < count && is_whole; i++) {
        lines[i].name = ep_report_diff_values_path(diff, i, true);
        is_whole = lines[i].name != NULL;
    }
    if (is_whole) {
        ep_output_text(out, "\n");
        ep_report_sheet_write(
            out, &(struct ep_report_sheet){.style = style,
                                           .title = "value",
                                           .columns = columns,
                                           .column_count = has_verdicts(diff) ? COLUMNS : INTERVAL,
                                           .lines = lines,
                                           .line_count = count,
                                           .cell = cell_at,
                                           .context = diff});
        if (count < diff->value_count)
            ep_output_print(out, "and %zu more: csv has them all\n", diff->value_count - count);
        ep_output_text(out, "\n");
        write_found(out, diff);
        ep_output_text(out, "\n");
    } else if (count) {
        ep_output_fail(out, ENOMEM);
    }
    for (size_t i = 0; lines && i < count; i++)
        free((char *)(uintptr_t)lines[i].name);
    free(lines);
}

/* ---- the page ---- */

static void write_cell(struct ep_output *out, const struct ep_diff *diff,
                       const struct ep_diff_value *value, size_t column, const char *style)
{
    ep_output_print(out, "<td class=\"%s\"><span>%s</span><span>%s</span></td>", style,
                    figure_of(diff, value, column + EP_DIFF_BEFORE).text,
                    figure_of(diff, value, column + EP_DIFF_AFTER).text);
}

void ep_report_diff_values_html(struct ep_output *out, const struct ep_diff *diff)
{
    size_t count = diff->value_count < MOST_LINES ? diff->value_count : MOST_LINES;
    if (count == 0)
        return;
    ep_output_text(out, "<section id=\"values\"><h2>Values <small>before above after; the change "
                        "is that of the mean</small></h2>\n<p>");
    write_found(out, diff);
    ep_output_text(out, "</p>\n<table class=\"diff\" aria-label=\"Values\"><thead><tr>"
                        "<th scope=\"col\">value</th><th scope=\"col\">change</th>"
                        "<th scope=\"col\" class=\"judged\">mean</th>"
                        "<th scope=\"col\" class=\"wide\">total</th>"
                        "<th scope=\"col\" class=\"wide\">p99</th>"
                        "<th scope=\"col\" class=\"wide\">calls</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < count; i++) {
        const struct ep_diff_value *value = &diff->values[i];
        char *path = ep_report_diff_values_path(diff, i, true);
        if (!path)
            ep_output_fail(out, ENOMEM);
        ep_output_text(out, "<tr class=\"h0\"><th scope=\"row\">");
        ep_report_html_cells_text(out, path ? path : "");
        free(path);
        ep_output_print(out, "</th><td class=\"change\"><b>%s</b><span>%s</span></td>",
                        change_of(value).text, is_on_both(value) ? ep_diff_value_word(value) : "");
        write_cell(out, diff, value, MEAN, "judged");
        write_cell(out, diff, value, TOTAL, "wide");
        write_cell(out, diff, value, P99, "wide");
        write_cell(out, diff, value, CALLS, "wide");
        ep_output_text(out, "</tr>\n");
    }
    ep_output_text(out, "</tbody></table>\n");
    ep_report_html_cells_rest(out, diff->value_count - count, " values");
    ep_output_text(out, "</section>\n");
}

/* ---- rows for csv and json ---- */

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
    row.ratio = value->ratio;
    if (!is_on_both(value) || value->is_difference || value->is_of_budgets)
        row.ratio = (struct ep_ratio){.estimate = INFINITY};
    if (is_on_both(value) && !value->is_of_budgets)
        row.change_ns = whole_change(value);
    else if (__builtin_sub_overflow(after, before, &row.change_ns))
        row.change_ns = after < 0 ? INT64_MIN : INT64_MAX;
    return row;
}

const char *ep_report_diff_values_name(const struct ep_diff *diff, size_t i)
{
    const struct ep_diff_value *value = &diff->values[i];
    return value->is_of_budgets ? over_budget : row_of(value)->name;
}
