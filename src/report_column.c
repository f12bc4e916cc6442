#include "report_column.h"

#include "snapshot_field.h"

bool ep_report_column_has_errors(const struct eprof_row *row)
{
    return row->errors != 0;
}

bool ep_report_column_has_open(const struct eprof_row *row)
{
    return row->open != 0;
}

/* Of what lies between the shortest and the longest call nobody asks how well it is known. */
static bool is_sum(const struct ep_report_column *column)
{
    return column->offset == offsetof(struct eprof_row, total_ns) ||
           column->offset == offsetof(struct eprof_row, self_ns);
}

struct ep_report_figure ep_report_column_figure(const struct ep_report_column *column,
                                                const struct eprof_row *row,
                                                const struct ep_site_mark *mark, bool in_ticks)
{
    uint64_t value = ep_field_value(row, column->offset);
    /* nothing was measured, which is not the same as nothing passed; of an open scope there
     * is the time so far */
    if (column->is_duration && row->timed == 0 && value == 0)
        return (struct ep_report_figure){"-"};
    struct ep_report_figure figure = column->is_duration && !in_ticks
                                         ? ep_report_figure_duration(value)
                                         : ep_report_figure_decimal(value, 0);
    return mark->is_thinned && is_sum(column) ? ep_report_figure_estimate(figure) : figure;
}
