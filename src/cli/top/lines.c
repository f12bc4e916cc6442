#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/wide.h"
#include "cli/top/top.h"

/* ---- the view ---- */

bool ep_top_lines_view_has(const struct ep_top_view *view, const char *name)
{
    if (strpbrk(view->filter, "*?["))
        return fnmatch(view->filter, name, 0) == 0;
    return strstr(name, view->filter) != NULL;
}

void ep_top_lines_view_fit(struct ep_top_view *view, size_t lines)
{
    size_t last = lines > view->room && view->room > 0 ? lines - view->room : 0;
    if (view->first > last)
        view->first = last;
}

/* ---- columns ---- */

/* Without room the columns of the least worth are left out first. The rates stay longest; of the
 * others total and mean are worth more than total/s and `now`. */
static const struct ep_report_sheet_column columns[EP_TOP_COLUMNS] = {
    [EP_TOP_SELF_RATE] = {.title = "self/s", .worth = 9},
    [EP_TOP_TOTAL_RATE] = {.title = "total/s", .worth = 5},
    [EP_TOP_CALLS_RATE] = {.title = "calls/s", .worth = 8},
    [EP_TOP_NOW] = {.title = "now", .worth = 4},
    [EP_TOP_MEAN] = {.title = "mean", .worth = 6},
    [EP_TOP_P99] = {.title = "p99", .worth = 3},
    [EP_TOP_SELF] = {.title = "self", .worth = 1},
    [EP_TOP_TOTAL] = {.title = "total", .worth = 7},
    [EP_TOP_CALLS] = {.title = "calls", .worth = 2},
    [EP_TOP_CPU] = {.title = "cpu", .worth = 6},
    [EP_TOP_WAIT] = {.title = "wait", .worth = 6},
    [EP_TOP_NAME] = {.title = "name"},
};

enum ep_top_column ep_top_lines_column_find(const char *name)
{
    enum ep_top_column column = 0;
    while (column < EP_TOP_COLUMNS && strcmp(columns[column].title, name) != 0)
        column++;
    return column;
}

const char *ep_top_lines_column_name(enum ep_top_column column)
{
    return columns[column].title;
}

static uint64_t known(uint64_t ns)
{
    return ns == EPROF_UNKNOWN ? 0 : ns;
}

/* A value has no times to be sorted by. */
static uint64_t value_of(enum ep_top_column column, const struct ep_top_line *line)
{
    const struct ep_growth *growth = line->growth;
    if (ep_columns_is_of_values(line->row))
        return column == EP_TOP_CALLS        ? line->row->calls
               : column == EP_TOP_CALLS_RATE ? growth->calls
                                             : 0;
    const uint64_t values[EP_TOP_COLUMNS] = {
        [EP_TOP_SELF_RATE] = growth->self_ns,
        [EP_TOP_TOTAL_RATE] = growth->total_ns,
        [EP_TOP_CALLS_RATE] = growth->calls,
        [EP_TOP_NOW] = growth->timed ? growth->total_ns / growth->timed : 0,
        [EP_TOP_MEAN] = line->row->mean_ns,
        [EP_TOP_P99] = ep_report_format_is_known(line->row, offsetof(struct eprof_row, p99_ns))
                           ? line->row->p99_ns
                           : 0,
        [EP_TOP_SELF] = line->row->self_ns,
        [EP_TOP_TOTAL] = line->row->total_ns,
        [EP_TOP_CALLS] = line->row->calls,
        [EP_TOP_CPU] = known(line->row->cpu_ns),
        [EP_TOP_WAIT] = known(line->row->wait_ns),
    };
    return values[column];
}

/* A figure from its tenths, with one digit after the point below 10: 0.5, 12, 67890. Zero is 0, not
 * 0.0. */
static struct ep_report_figure short_figure(double tenths)
{
    enum { LEAST_WHOLE_TENTHS = 100 };
    uint64_t rounded = tenths < 0x1p63 ? (uint64_t)(tenths + 0.5) : UINT64_MAX >> 1;
    if (tenths > 0 && rounded < LEAST_WHOLE_TENTHS)
        return ep_report_format_decimal(rounded, 1);
    return ep_report_format_decimal((rounded + 5) / 10, 0);
}

/* Where in a row the time of a column is; SIZE_MAX: it is computed, or no time. */
static size_t offset_of(enum ep_top_column column)
{
    switch (column) {
    case EP_TOP_MEAN:
        return offsetof(struct eprof_row, mean_ns);
    case EP_TOP_P99:
        return offsetof(struct eprof_row, p99_ns);
    case EP_TOP_SELF:
        return offsetof(struct eprof_row, self_ns);
    case EP_TOP_TOTAL:
        return offsetof(struct eprof_row, total_ns);
    case EP_TOP_CPU:
        return offsetof(struct eprof_row, cpu_ns);
    case EP_TOP_WAIT:
        return offsetof(struct eprof_row, wait_ns);
    default:
        return SIZE_MAX;
    }
}

/* A figure that grows, since the last frame. The rate of a time is a share of one processor: 100 %
 * is one second of time in each second. */
static struct ep_report_figure recent_figure(enum ep_top_column column,
                                             const struct ep_top_line *line, uint64_t elapsed_ns)
{
    const double tenths_per_second = 1e10;
    static const struct ep_report_figure unknown = {"-"};
    double value = (double)value_of(column, line);
    if (ep_columns_is_of_values(line->row) && column != EP_TOP_CALLS_RATE)
        return unknown;
    if (column == EP_TOP_NOW)
        return line->growth->timed ? ep_report_format_duration(value_of(column, line)) : unknown;
    if (!elapsed_ns)
        return unknown;
    if (column == EP_TOP_CALLS_RATE)
        return short_figure(value / (double)elapsed_ns * tenths_per_second);
    struct ep_report_figure rate =
        ep_report_format_around("", short_figure(value / (double)elapsed_ns * 1000), " %");
    return line->row->estimated ? ep_report_format_estimate(rate) : rate;
}

static struct ep_report_figure figure_of(enum ep_top_column column, const struct ep_top_line *line,
                                         uint64_t elapsed_ns)
{
    size_t offset = offset_of(column);
    if (column == EP_TOP_CALLS)
        return ep_report_format_decimal(line->row->calls, 0);
    if (offset == SIZE_MAX)
        return recent_figure(column, line, elapsed_ns);
    bool is_value = ep_columns_is_of_values(line->row);
    if (is_value && (column == EP_TOP_MEAN || column == EP_TOP_P99 || column == EP_TOP_TOTAL))
        return ep_report_format_value(line->row, offset, false);
    if (is_value || ep_columns_value(line->row, offset) == EPROF_UNKNOWN)
        return (struct ep_report_figure){"-"};
    return ep_report_format_row_time(line->row, &line->mark, offset, false);
}

/* ---- the lines, in their order ---- */

static void add(struct ep_top_lines *lines, const struct ep_top_view *view, struct ep_top_line line)
{
    if (!ep_top_lines_view_has(view, line.row->name))
        return;
    line.key = value_of(view->sort, &line);
    lines->at[lines->count++] = line;
    lines->instances += strcmp(line.row->kind, "instance") == 0;
    lines->functions += strcmp(line.row->kind, "function") == 0;
    lines->scopes += strcmp(line.row->kind, "scope") == 0;
    lines->values += ep_columns_is_of_values(line.row);
}

static int by_name(const void *a, const void *b)
{
    const struct ep_top_line *x = a, *y = b;
    int order = strcmp(x->row->name, y->row->name);
    return order ? order : (x->number > y->number) - (x->number < y->number);
}

/* Lines with equal figures, such as those of regions without calls now, are sorted by self time. */
static int by_figure(const void *a, const void *b)
{
    const struct ep_top_line *x = a, *y = b;
    if (x->key != y->key)
        return x->key > y->key ? -1 : 1;
    bool x_is_value = ep_columns_is_of_values(x->row);
    bool y_is_value = ep_columns_is_of_values(y->row);
    if (x_is_value != y_is_value)
        return x_is_value ? 1 : -1;
    if (x->row->self_ns != y->row->self_ns)
        return x->row->self_ns > y->row->self_ns ? -1 : 1;
    return by_name(a, b);
}

int ep_top_lines_make(struct ep_top_lines *lines, const struct ep_top_sight *sight,
                      const struct ep_top_view *view)
{
    const struct eprof_snapshot *snapshot = sight->snapshot;
    size_t rows = view->by_path ? snapshot->diagnostic_first : snapshot->scope_first;
    size_t tops = view->by_path ? 0 : snapshot->top_count;
    *lines = (struct ep_top_lines){
        .at = calloc(rows + tops + snapshot->value_count + 1, sizeof *lines->at)};
    if (!lines->at) {
        errno = ENOMEM;
        return -1;
    }
    for (size_t i = 0; i < rows; i++) {
        struct ep_top_line line = {.row = &snapshot->rows[i],
                                   .growth = &sight->growths.rows[i],
                                   .number = i,
                                   .mark = ep_rows_instance_mark(snapshot)};
        if (i >= snapshot->scope_first)
            line.mark = snapshot->positions[i - snapshot->scope_first].mark;
        add(lines, view, line);
    }
    for (size_t i = 0; i < tops; i++)
        add(lines, view,
            (struct ep_top_line){.row = &snapshot->tops[i],
                                 .growth = &sight->growths.tops[i],
                                 .number = i,
                                 .mark = snapshot->top_marks[i]});
    for (size_t i = 0; i < snapshot->value_count; i++)
        add(lines, view,
            (struct ep_top_line){
                .row = &snapshot->values[i], .growth = &sight->growths.values[i], .number = i});
    qsort(lines->at, lines->count, sizeof *lines->at,
          view->sort == EP_TOP_NAME ? by_name : by_figure);
    return 0;
}

void ep_top_lines_free(struct ep_top_lines *lines)
{
    free(lines->at);
    *lines = (struct ep_top_lines){.at = NULL};
}

/* ---- the list ---- */

enum { NAME_WIDTH_LEAST = 24 }; /* so that columns rarely move from frame to frame */

struct list {
    const struct ep_top_sight *sight;
    const struct ep_top_line *lines; /* those that are shown */
    size_t count;
    struct ep_report_sheet_line *shown;
};

static struct ep_report_sheet_cell cell_at(const void *context, size_t i, size_t column)
{
    const struct list *list = context;
    return (struct ep_report_sheet_cell){
        .figure = figure_of((enum ep_top_column)column, &list->lines[i], list->sight->elapsed_ns),
        .colour = column == EP_TOP_SELF_RATE ? list->shown[i].colour : EP_REPORT_SHEET_PLAIN};
}

/* A region has its name, with its location if another has the same; a path has all names from the
 * root. False: no memory. */
static bool make_lines(const struct list *list, bool by_path, uint64_t whole_ns)
{
    bool is_whole = true;
    for (size_t i = 0; i < list->count && is_whole; i++) {
        const struct ep_top_line *line = &list->lines[i];
        struct ep_report_sheet_line *shown = &list->shown[i];
        shown->colour = ep_report_sheet_heat(line->growth->self_ns, whole_ns);
        shown->mark = line->mark;
        if (ep_columns_is_of_values(line->row))
            shown->name = line->row->path;
        else if (by_path)
            shown->name = ep_rows_path(list->sight->snapshot, line->number);
        else
            shown->row = line->row;
        is_whole = shown->row || shown->name;
    }
    return is_whole;
}

static void write_sheet(struct ep_output *out, const struct list *list,
                        const struct ep_top_view *view, const struct ep_report_sheet_style *style,
                        size_t line_count)
{
    const char *name = view->by_path ? "path" : "name";
    char title[16]; /* of the column that lines are sorted by */
    struct ep_report_sheet_column shown[EP_TOP_COLUMNS];
    snprintf(title, sizeof title, "[%s]", columns[view->sort].title);
    bool has_cpu = list->sight->snapshot->conversion.has_cpu || view->sort == EP_TOP_CPU ||
                   view->sort == EP_TOP_WAIT;
    memcpy(shown, columns, sizeof shown);
    shown[view->sort] = (struct ep_report_sheet_column){.title = title};
    ep_report_sheet_write(out, &(struct ep_report_sheet){
                                   .style = style,
                                   .title = view->sort == EP_TOP_NAME ? title : name,
                                   .columns = shown,
                                   .column_count = has_cpu ? EP_TOP_FIGURES : EP_TOP_CPU,
                                   .lines = list->shown,
                                   .line_count = line_count,
                                   .name_width_least = NAME_WIDTH_LEAST,
                                   .cell = cell_at,
                                   .context = list,
                               });
}

void ep_top_lines_list(struct ep_output *out, const struct ep_top_sight *sight,
                       const struct ep_top_lines *lines, const struct ep_top_view *view,
                       const struct ep_report_sheet_style *style, bool says_rest)
{
    uint64_t whole_ns = 0; /* the self time of all regions, for the colours */
    size_t below = lines->count - view->first;
    struct list list = {.sight = sight,
                        .lines = lines->at + view->first,
                        .count = below < view->room ? below : view->room};
    below -= list.count;
    list.shown = calloc(list.count + 1, sizeof *list.shown);
    for (size_t i = 0; i < lines->count; i++)
        whole_ns = ep_saturating_add(whole_ns, lines->at[i].growth->self_ns);
    if (list.shown && make_lines(&list, view->by_path, whole_ns)) {
        struct ep_report_sheet_line *rest = &list.shown[list.count];
        rest->is_alone = true;
        ep_report_sheet_line_rest(rest, ep_report_sheet_gap(style), below, "more");
        write_sheet(out, &list, view, style, list.count + (says_rest && below > 0));
    } else {
        ep_output_fail(out, ENOMEM);
    }
    free(list.shown);
}
