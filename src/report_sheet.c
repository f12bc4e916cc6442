#include "report_sheet.h"

#include <string.h>

#include "escape_name.h"
#include "report_label.h"
#include "terminal.h"

enum {
    GAP_WIDTH = 2,    /* between two columns */
    NAME_LEAST = 24,  /* columns of figures are left out so that names have so much, */
    NAME_MOST = 100,  /* and so much where nothing tells how wide a line may be */
    NAME_SMALLEST = 8 /* at any price */
};

/* Select graphic rendition, ECMA-48, 8.3.117. */
#define PLAIN "\033[0m"
#define BOLD "\033[1m"
#define DIM "\033[2m"
#define YELLOW "\033[33m"
#define BOLD_RED "\033[1;31m"

/* A sheet is written in two walks: the first finds the widths. */
struct layout {
    struct ep_output *out;
    const struct ep_report_sheet *sheet;
    size_t name_width;
    size_t width[EP_REPORT_SHEET_MOST_COLUMNS]; /* 0: not shown */
};

struct ep_report_sheet_style ep_report_sheet_style_of(const struct ep_output *out, bool in_ticks)
{
    return (struct ep_report_sheet_style){.is_utf8 = ep_terminal_is_utf8(),
                                          .is_colour = ep_terminal_has_colour(out->stream),
                                          .in_ticks = in_ticks,
                                          .columns = ep_terminal_columns(out->stream)};
}

const char *ep_report_sheet_gap(const struct ep_report_sheet_style *style)
{
    return style->is_utf8 ? "\xE2\x80\xA6" : "..."; /* U+2026 */
}

/* ---- figures ---- */

static struct ep_report_figure part_figure(const struct ep_report_sheet *sheet, uint64_t part_ns)
{
    return sheet->style->in_ticks ? ep_report_figure_decimal(part_ns, 0)
                                  : ep_report_figure_duration(part_ns);
}

/* What stands in a column of a line; an empty text where there is nothing. */
static struct ep_report_figure figure_of(const struct ep_report_sheet *sheet, size_t c,
                                         const struct ep_report_sheet_line *line)
{
    const struct ep_report_column *column = &sheet->columns[c].figure;
    if (column->offset == EP_REPORT_SHEET_SHARE && line->has_part)
        return ep_report_figure_share(line->part_ns, line->whole_ns);
    if (line->row)
        return ep_report_column_figure(column, line->row, &line->mark, sheet->style->in_ticks);
    if (column->offset == sheet->part_offset && line->has_part)
        return part_figure(sheet, line->part_ns);
    return (struct ep_report_figure){""};
}

/* ---- widths ---- */

static void widen(size_t *width, size_t needed)
{
    if (*width < needed)
        *width = needed;
}

static bool is_shown(const struct ep_report_sheet *sheet, size_t c)
{
    const struct ep_report_column *column = &sheet->columns[c].figure;
    if (!column->is_worth_it)
        return true;
    for (size_t i = 0; i < sheet->line_count; i++)
        if (sheet->lines[i].row && column->is_worth_it(sheet->lines[i].row))
            return true;
    return false;
}

static void measure_columns(struct layout *layout)
{
    const struct ep_report_sheet *sheet = layout->sheet;
    for (size_t c = 0; c < sheet->column_count; c++) {
        if (!is_shown(sheet, c))
            continue;
        layout->width[c] = strlen(sheet->columns[c].figure.title);
        for (size_t i = 0; i < sheet->line_count; i++)
            widen(&layout->width[c], strlen(figure_of(sheet, c, &sheet->lines[i]).text));
    }
}

static size_t figures_width(const struct layout *layout)
{
    size_t width = 0;
    for (size_t c = 0; c < layout->sheet->column_count; c++)
        if (layout->width[c])
            width += GAP_WIDTH + layout->width[c];
    return width;
}

static size_t name_width_of(const struct ep_report_sheet_line *line)
{
    return line->row ? ep_report_label_width(line->row, line->mark.is_ambiguous)
                     : ep_escape_name_width(line->text);
}

/* A text without figures has the whole line for itself. */
static bool has_figures(const struct ep_report_sheet_line *line)
{
    return line->row || line->has_part;
}

static size_t width_needed(const struct ep_report_sheet *sheet)
{
    size_t width = ep_escape_name_width(sheet->title);
    widen(&width, sheet->name_width_least);
    for (size_t i = 0; i < sheet->line_count; i++)
        if (has_figures(&sheet->lines[i]))
            widen(&width,
                  ep_escape_name_width(sheet->lines[i].branches) + name_width_of(&sheet->lines[i]));
    return width;
}

/* What the figures leave for the names. */
static size_t room(const struct layout *layout)
{
    size_t columns = layout->sheet->style->columns, figures = figures_width(layout);
    if (!columns)
        return NAME_MOST;
    return columns > figures + NAME_SMALLEST ? columns - figures : NAME_SMALLEST;
}

/* Leaves out the column of the least worth; false where all must stay. */
static bool leave_one_out(struct layout *layout)
{
    const struct ep_report_sheet_column *columns = layout->sheet->columns;
    size_t least = SIZE_MAX;
    for (size_t c = 0; c < layout->sheet->column_count; c++)
        if (layout->width[c] && columns[c].worth &&
            (least == SIZE_MAX || columns[c].worth < columns[least].worth))
            least = c;
    if (least != SIZE_MAX)
        layout->width[least] = 0;
    return least != SIZE_MAX;
}

static void measure(struct layout *layout)
{
    size_t needed = width_needed(layout->sheet);
    size_t least = needed < NAME_LEAST ? needed : NAME_LEAST;
    measure_columns(layout);
    while (room(layout) < least && leave_one_out(layout))
        continue;
    layout->name_width = needed < room(layout) ? needed : room(layout);
}

/* ---- lines ---- */

static void begin(const struct layout *layout, const char *colour)
{
    if (layout->sheet->style->is_colour)
        ep_output_text(layout->out, colour);
}

static void end(const struct layout *layout)
{
    begin(layout, PLAIN);
}

static const char *colour_of(enum ep_report_sheet_heat heat)
{
    return heat == EP_REPORT_SHEET_HOT ? BOLD_RED : heat == EP_REPORT_SHEET_WARM ? YELLOW : "";
}

static void write_header(const struct layout *layout)
{
    const struct ep_report_sheet *sheet = layout->sheet;
    const char *gap = ep_report_sheet_gap(sheet->style);
    begin(layout, BOLD);
    ep_escape_name_cut(layout->out, sheet->title, layout->name_width, gap);
    for (size_t c = 0; c < sheet->column_count; c++)
        if (layout->width[c])
            ep_output_print(layout->out, "%*s", (int)(GAP_WIDTH + layout->width[c]),
                            sheet->columns[c].figure.title);
    end(layout);
    ep_output_text(layout->out, "\n");
}

static void write_rule(const struct layout *layout)
{
    size_t width = layout->name_width + figures_width(layout);
    begin(layout, DIM);
    if (layout->sheet->style->is_utf8)
        while (width-- > 0)
            ep_output_text(layout->out, "\xE2\x94\x80"); /* U+2500 */
    else
        ep_output_repeat(layout->out, '-', width);
    end(layout);
    ep_output_text(layout->out, "\n");
}

static void write_figure(const struct layout *layout, size_t c,
                         const struct ep_report_sheet_line *line)
{
    struct ep_report_figure figure = figure_of(layout->sheet, c, line);
    bool is_self = layout->sheet->columns[c].figure.offset == offsetof(struct eprof_row, self_ns);
    bool is_coloured = is_self && line->heat != EP_REPORT_SHEET_COLD;
    ep_output_repeat(layout->out, ' ', GAP_WIDTH + layout->width[c] - strlen(figure.text));
    if (is_coloured)
        begin(layout, colour_of(line->heat));
    ep_output_text(layout->out, figure.text);
    if (is_coloured)
        end(layout);
}

static void write_row(const struct layout *layout, const struct ep_report_sheet_line *line,
                      size_t width)
{
    const char *gap = ep_report_sheet_gap(layout->sheet->style);
    if (line->heat != EP_REPORT_SHEET_COLD)
        begin(layout, colour_of(line->heat));
    ep_report_label_write(layout->out, line->row, line->mark.is_ambiguous, width, gap);
    if (line->heat != EP_REPORT_SHEET_COLD)
        end(layout);
    for (size_t c = 0; c < layout->sheet->column_count; c++)
        if (layout->width[c])
            write_figure(layout, c, line);
}

/* A line ends with its last figure, or its text. */
static void write_text(const struct layout *layout, const struct ep_report_sheet_line *line,
                       size_t width)
{
    size_t blanks = 0, own = ep_escape_name_width(line->text);
    begin(layout, DIM);
    if (!has_figures(line))
        width = own < width + figures_width(layout) ? own : width + figures_width(layout);
    ep_escape_name_cut(layout->out, line->text, width, ep_report_sheet_gap(layout->sheet->style));
    for (size_t c = 0; c < layout->sheet->column_count; c++) {
        struct ep_report_figure figure = figure_of(layout->sheet, c, line);
        blanks += layout->width[c] ? GAP_WIDTH + layout->width[c] - strlen(figure.text) : 0;
        if (!layout->width[c] || !*figure.text)
            continue;
        ep_output_repeat(layout->out, ' ', blanks);
        ep_output_text(layout->out, figure.text);
        blanks = 0;
    }
    end(layout);
}

/* What the branches leave of the name's width; where that is next to nothing, the figures
 * stand further right. */
static size_t width_behind(const struct layout *layout, size_t branches, size_t needed)
{
    size_t left = layout->name_width > branches ? layout->name_width - branches : 0;
    size_t least = needed < NAME_SMALLEST ? needed : NAME_SMALLEST;
    return left > least ? left : least;
}

static void write_line(const struct layout *layout, const struct ep_report_sheet_line *line)
{
    size_t width = width_behind(layout, ep_escape_name_width(line->branches), name_width_of(line));
    if (*line->branches) {
        begin(layout, DIM);
        ep_output_text(layout->out, line->branches);
        end(layout);
    }
    if (line->row)
        write_row(layout, line, width);
    else
        write_text(layout, line, width);
    ep_output_text(layout->out, "\n");
}

size_t ep_report_sheet_write(struct ep_output *out, const struct ep_report_sheet *sheet)
{
    struct layout layout = {.out = out, .sheet = sheet};
    measure(&layout);
    write_header(&layout);
    write_rule(&layout);
    for (size_t i = 0; i < sheet->line_count; i++)
        write_line(&layout, &sheet->lines[i]);
    return layout.name_width;
}
