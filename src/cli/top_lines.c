#include "top_lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- which ---- */

static void add(struct ep_top_lines *lines, const struct ep_top_view *view, struct ep_top_line line)
{
    if (!ep_top_view_has(view, line.row->name))
        return;
    lines->at[lines->count++] = line;
    lines->instances += strcmp(line.row->kind, "instance") == 0;
    lines->functions += strcmp(line.row->kind, "function") == 0;
    lines->scopes += strcmp(line.row->kind, "scope") == 0;
}

static void add_rows(struct ep_top_lines *lines, const struct ep_top_sight *sight,
                     const struct ep_top_view *view, size_t first, size_t end)
{
    const struct eprof_snapshot *snapshot = sight->snapshot;
    for (size_t i = first; i < end; i++) {
        struct ep_top_line line = {
            .row = &snapshot->rows[i], .growth = &sight->growths.rows[i], .number = i};
        if (i >= snapshot->scope_first)
            line.mark = snapshot->places[i - snapshot->scope_first].mark;
        add(lines, view, line);
    }
}

static void add_tops(struct ep_top_lines *lines, const struct ep_top_sight *sight,
                     const struct ep_top_view *view)
{
    const struct eprof_snapshot *snapshot = sight->snapshot;
    for (size_t i = 0; i < snapshot->top_count; i++)
        add(lines, view,
            (struct ep_top_line){.row = &snapshot->tops[i],
                                 .growth = &sight->growths.tops[i],
                                 .number = i,
                                 .mark = snapshot->top_marks[i]});
}

/* ---- the order ---- */

static int by_name(const void *a, const void *b)
{
    const struct ep_top_line *x = a, *y = b;
    int order = strcmp(x->row->name, y->row->name);
    return order ? order : (x->number > y->number) - (x->number < y->number);
}

/* What is equal, since nothing happens there now, by its time in all. */
static int by_figure(const void *a, const void *b, void *column)
{
    const enum ep_top_column key = *(const enum ep_top_column *)column;
    const struct ep_top_line *x = a, *y = b;
    uint64_t left = ep_top_column_value(key, x), right = ep_top_column_value(key, y);
    if (left == right) {
        left = x->row->self_ns;
        right = y->row->self_ns;
    }
    return left == right ? by_name(a, b) : left > right ? -1 : 1;
}

int ep_top_lines_make(struct ep_top_lines *lines, const struct ep_top_sight *sight,
                      const struct ep_top_view *view)
{
    const struct eprof_snapshot *snapshot = sight->snapshot;
    enum ep_top_column column = view->sort;
    *lines = (struct ep_top_lines){
        .at = calloc(snapshot->trouble_first + snapshot->top_count + 1, sizeof *lines->at)};
    if (!lines->at) {
        errno = ENOMEM;
        return -1;
    }
    add_rows(lines, sight, view, 0,
             view->by_path ? snapshot->trouble_first : snapshot->scope_first);
    if (!view->by_path)
        add_tops(lines, sight, view);
    if (column == EP_TOP_NAME)
        qsort(lines->at, lines->count, sizeof *lines->at, by_name);
    else
        qsort_r(lines->at, lines->count, sizeof *lines->at, by_figure, &column);
    return 0;
}

void ep_top_lines_free(struct ep_top_lines *lines)
{
    free(lines->at);
    *lines = (struct ep_top_lines){.at = NULL};
}
