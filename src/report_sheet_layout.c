#include "report_sheet_layout.h"

#include <string.h>

#include "escape_name.h"
#include "report_label.h"

enum {
    NAME_LEAST = 24, /* columns of figures are left out so that names have so much, */
    NAME_MOST = 100  /* and so much where nothing tells how wide a line may be */
};

static void widen(size_t *width, size_t needed)
{
    if (*width < needed)
        *width = needed;
}

/* ---- figures ---- */

size_t ep_report_sheet_layout_width(const struct ep_report_sheet_layout *layout, size_t first,
                                    size_t end)
{
    size_t width = 0;
    for (size_t c = first; c < end; c++)
        if (layout->width[c])
            width += EP_REPORT_SHEET_GAP + layout->width[c];
    return width;
}

size_t ep_report_sheet_layout_group_end(const struct ep_report_sheet *sheet, size_t first)
{
    const char *group = sheet->columns[first].group;
    size_t end = first + 1;
    while (group && end < sheet->column_count && sheet->columns[end].group &&
           strcmp(sheet->columns[end].group, group) == 0)
        end++;
    return end;
}

/* What stands above columns may be wider than they are. */
static void measure_groups(struct ep_report_sheet_layout *layout,
                           const struct ep_report_sheet *sheet)
{
    for (size_t c = 0, end; c < sheet->column_count; c = end) {
        end = ep_report_sheet_layout_group_end(sheet, c);
        size_t width = ep_report_sheet_layout_width(layout, c, end);
        size_t needed =
            sheet->columns[c].group ? EP_REPORT_SHEET_GAP + strlen(sheet->columns[c].group) : 0;
        if (width < needed)
            layout->width[c] += needed - width;
    }
}

static void measure_columns(struct ep_report_sheet_layout *layout,
                            const struct ep_report_sheet *sheet)
{
    for (size_t c = 0; c < sheet->column_count; c++) {
        layout->width[c] = strlen(sheet->columns[c].title);
        for (size_t i = 0; i < sheet->line_count; i++)
            if (!sheet->line(sheet->context, i)->is_alone)
                widen(&layout->width[c], strlen(sheet->cell(sheet->context, i, c).figure.text));
    }
    measure_groups(layout, sheet);
}

/* ---- names ---- */

size_t ep_report_sheet_layout_name_width(const struct ep_report_sheet_line *line)
{
    return line->row ? ep_report_label_width(line->row, line->is_ambiguous)
                     : ep_escape_name_width(line->name ? line->name : line->text);
}

static size_t width_needed(const struct ep_report_sheet *sheet)
{
    size_t width = ep_escape_name_width(sheet->title);
    widen(&width, sheet->name_width_least);
    for (size_t i = 0; i < sheet->line_count; i++) {
        const struct ep_report_sheet_line *line = sheet->line(sheet->context, i);
        if (!line->is_alone)
            widen(&width,
                  ep_escape_name_width(line->branches) + ep_report_sheet_layout_name_width(line));
    }
    return width;
}

static bool fits(const struct ep_report_sheet_layout *layout, const struct ep_report_sheet *sheet,
                 size_t name_width)
{
    size_t columns = sheet->style->columns;
    size_t figures = ep_report_sheet_layout_width(layout, 0, sheet->column_count);
    return !columns || name_width + figures <= columns;
}

/* What the figures leave for the names. */
static size_t room(const struct ep_report_sheet_layout *layout, const struct ep_report_sheet *sheet)
{
    size_t columns = sheet->style->columns;
    size_t figures = ep_report_sheet_layout_width(layout, 0, sheet->column_count);
    if (!columns)
        return NAME_MOST;
    return columns > figures + EP_REPORT_SHEET_SMALLEST ? columns - figures
                                                        : EP_REPORT_SHEET_SMALLEST;
}

/* Leaves out the columns of the least worth; false where all must stay. */
static bool leave_out(struct ep_report_sheet_layout *layout, const struct ep_report_sheet *sheet)
{
    unsigned least = 0;
    for (size_t c = 0; c < sheet->column_count; c++) {
        unsigned worth = sheet->columns[c].worth;
        if (layout->width[c] && worth && (!least || worth < least))
            least = worth;
    }
    for (size_t c = 0; least && c < sheet->column_count; c++)
        if (sheet->columns[c].worth == least)
            layout->width[c] = 0;
    return least != 0;
}

struct ep_report_sheet_layout ep_report_sheet_layout_of(const struct ep_report_sheet *sheet)
{
    struct ep_report_sheet_layout layout;
    size_t needed = width_needed(sheet);
    size_t least = needed < NAME_LEAST ? needed : NAME_LEAST;
    measure_columns(&layout, sheet);
    while (!fits(&layout, sheet, least) && leave_out(&layout, sheet))
        continue;
    layout.name_width = needed < room(&layout, sheet) ? needed : room(&layout, sheet);
    return layout;
}
