#include "report_sheet_rows.h"

#include "report_heat.h"

/* Those of the columns that are worth it. */
struct shown {
    const struct ep_report_sheet_rows *rows;
    size_t count;
    const struct ep_report_column *figures[EP_REPORT_SHEET_MOST_COLUMNS];
    struct ep_report_sheet_column columns[EP_REPORT_SHEET_MOST_COLUMNS];
};

struct ep_report_sheet_rows_line ep_report_sheet_rows_line_of(const struct eprof_row *row,
                                                              struct ep_site_mark mark,
                                                              uint64_t whole_ns)
{
    return (struct ep_report_sheet_rows_line){
        .line = {.row = row,
                 .is_ambiguous = mark.is_ambiguous,
                 .colour = ep_report_heat_of(row->self_ns, whole_ns)},
        .mark = mark};
}

static bool is_worth_it(const struct ep_report_sheet_rows *rows,
                        const struct ep_report_column *column)
{
    if (!column->is_worth_it)
        return true;
    for (size_t i = 0; i < rows->line_count; i++)
        if (rows->lines[i].line.row && column->is_worth_it(rows->lines[i].line.row))
            return true;
    return false;
}

static void choose_columns(struct shown *shown)
{
    const struct ep_report_sheet_rows *rows = shown->rows;
    for (size_t c = 0; c < rows->column_count; c++) {
        const struct ep_report_column *figure = &rows->columns[c].figure;
        if (!is_worth_it(rows, figure))
            continue;
        shown->figures[shown->count] = figure;
        shown->columns[shown->count++] = (struct ep_report_sheet_column){
            .title = figure->title, .worth = rows->columns[c].worth};
    }
}

static const struct ep_report_sheet_line *line_at(const void *context, size_t i)
{
    const struct shown *shown = context;
    return &shown->rows->lines[i].line;
}

static struct ep_report_figure part_figure(const struct ep_report_sheet_rows *rows,
                                           uint64_t part_ns)
{
    return rows->style->in_ticks ? ep_report_figure_decimal(part_ns, 0)
                                 : ep_report_figure_duration(part_ns);
}

static struct ep_report_figure figure_of(const struct ep_report_sheet_rows *rows,
                                         const struct ep_report_column *column,
                                         const struct ep_report_sheet_rows_line *line)
{
    if (column->offset == EP_REPORT_SHEET_SHARE && line->has_part)
        return ep_report_figure_share(line->part_ns, line->whole_ns);
    if (line->line.row)
        return ep_report_column_figure(column, line->line.row, &line->mark, rows->style->in_ticks);
    if (column->offset == rows->part_offset && line->has_part)
        return part_figure(rows, line->part_ns);
    return (struct ep_report_figure){""};
}

/* Self time is what makes a row hot. */
static struct ep_report_sheet_cell cell_at(const void *context, size_t i, size_t c)
{
    const struct shown *shown = context;
    const struct ep_report_sheet_rows_line *line = &shown->rows->lines[i];
    bool is_self = shown->figures[c]->offset == offsetof(struct eprof_row, self_ns);
    return (struct ep_report_sheet_cell){.figure = figure_of(shown->rows, shown->figures[c], line),
                                         .colour =
                                             is_self ? line->line.colour : EP_REPORT_SHEET_PLAIN};
}

size_t ep_report_sheet_rows_write(struct ep_output *out, const struct ep_report_sheet_rows *rows)
{
    struct shown shown = {.rows = rows};
    choose_columns(&shown);
    return ep_report_sheet_write(
        out, &(struct ep_report_sheet){.style = rows->style,
                                       .title = rows->title,
                                       .columns = shown.columns,
                                       .column_count = shown.count,
                                       .line_count = rows->line_count,
                                       .name_width_least = rows->name_width_least,
                                       .line = line_at,
                                       .cell = cell_at,
                                       .context = &shown});
}
