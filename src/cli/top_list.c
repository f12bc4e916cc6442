#include "top_list.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report_heat.h"

enum { NAME_WIDTH_LEAST = 24 }; /* so that little moves from frame to frame */

struct list {
    const struct ep_top_sight *sight;
    const struct ep_top_view *view;
    const struct ep_top_line *lines; /* those that are shown */
    size_t count;
    uint64_t whole_ns; /* all regions' own time, for the colours */
    struct ep_report_sheet_line *shown;
};

/* ---- columns ---- */

/* What goes on at the moment is left out last, but the mean and the sum are seen before that of
 * the moment and what is below. */
static const struct ep_report_sheet_column columns[EP_TOP_FIGURES] = {
    [EP_TOP_SELF_RATE] = {"self/s", NULL, 9},   [EP_TOP_TOTAL_RATE] = {"total/s", NULL, 5},
    [EP_TOP_CALLS_RATE] = {"calls/s", NULL, 8}, [EP_TOP_NOW] = {"now", NULL, 4},
    [EP_TOP_MEAN] = {"mean", NULL, 6},          [EP_TOP_P99] = {"p99", NULL, 3},
    [EP_TOP_SELF] = {"self", NULL, 1},          [EP_TOP_TOTAL] = {"total", NULL, 7},
    [EP_TOP_CALLS] = {"calls", NULL, 2},
};

/* Of the column that lines are sorted by. */
struct title {
    char text[16];
};

static struct title title_of(enum ep_top_column column)
{
    struct title title;
    snprintf(title.text, sizeof title.text, "[%s]", ep_top_column_name(column));
    return title;
}

/* ---- lines ---- */

static const struct ep_report_sheet_line *line_at(const void *context, size_t i)
{
    const struct list *list = context;
    return &list->shown[i];
}

static struct ep_report_sheet_cell cell_at(const void *context, size_t i, size_t column)
{
    const struct list *list = context;
    struct ep_report_sheet_cell cell = {.figure = ep_top_column_figure((enum ep_top_column)column,
                                                                       &list->lines[i],
                                                                       list->sight->elapsed_ns)};
    if (column == EP_TOP_SELF_RATE)
        cell.colour = list->shown[i].colour;
    return cell;
}

/* A region has its name, with its place where another has the same; a path all names from the
 * root. False: no memory. */
static bool make_line(struct list *list, size_t i)
{
    const struct ep_top_line *line = &list->lines[i];
    struct ep_report_sheet_line *shown = &list->shown[i];
    *shown = (struct ep_report_sheet_line){
        .row = line->row,
        .is_ambiguous = line->mark.is_ambiguous,
        .colour = ep_report_heat_of(line->growth->self_ns, list->whole_ns)};
    if (!list->view->by_path)
        return true;
    shown->row = NULL;
    shown->name = ep_snapshot_path(list->sight->snapshot, line->number);
    return shown->name != NULL;
}

static bool make_lines(struct list *list, const struct ep_report_sheet_style *style, size_t below)
{
    bool is_whole = true;
    for (size_t i = 0; i < list->count && is_whole; i++)
        is_whole = make_line(list, i);
    struct ep_report_sheet_line *rest = &list->shown[list->count];
    *rest = (struct ep_report_sheet_line){.is_alone = true};
    snprintf(rest->text, sizeof rest->text, "%s %zu more", ep_report_sheet_gap(style), below);
    return is_whole;
}

static void write_sheet(struct ep_output *out, const struct list *list,
                        const struct ep_report_sheet_style *style, size_t line_count)
{
    enum ep_top_column sort = list->view->sort;
    struct title title = title_of(sort);
    const char *name = list->view->by_path ? "path" : "name";
    struct ep_report_sheet_column shown[EP_TOP_FIGURES];
    memcpy(shown, columns, sizeof shown);
    if (sort < EP_TOP_FIGURES)
        shown[sort] = (struct ep_report_sheet_column){title.text, NULL, 0};
    ep_report_sheet_write(out, &(struct ep_report_sheet){
                                   .style = style,
                                   .title = sort < EP_TOP_FIGURES ? name : title.text,
                                   .columns = shown,
                                   .column_count = EP_TOP_FIGURES,
                                   .line_count = line_count,
                                   .name_width_least = NAME_WIDTH_LEAST,
                                   .line = line_at,
                                   .cell = cell_at,
                                   .context = list,
                               });
}

static uint64_t whole_of(const struct ep_top_lines *lines)
{
    uint64_t whole_ns = 0;
    for (size_t i = 0; i < lines->count; i++)
        whole_ns += lines->at[i].growth->self_ns;
    return whole_ns;
}

void ep_top_list_write(struct ep_output *out, const struct ep_top_sight *sight,
                       const struct ep_top_lines *lines, const struct ep_top_view *view,
                       const struct ep_report_sheet_style *style, bool says_rest)
{
    size_t rest = lines->count - view->first;
    struct list list = {.sight = sight,
                        .view = view,
                        .lines = lines->at + view->first,
                        .count = rest < view->room ? rest : view->room,
                        .whole_ns = whole_of(lines)};
    list.shown = calloc(list.count + 1, sizeof *list.shown);
    if (list.shown && make_lines(&list, style, rest - list.count))
        write_sheet(out, &list, style, list.count + (says_rest && rest > list.count));
    else
        ep_output_fail(out, ENOMEM);
    free(list.shown);
}
