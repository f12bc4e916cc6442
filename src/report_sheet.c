#include "report_sheet.h"

#include <string.h>

#include "escape_name.h"
#include "report_label.h"
#include "report_sheet_layout.h"
#include "terminal.h"

/* Select graphic rendition, ECMA-48, 8.3.117. */
#define PLAIN "\033[0m"
#define BOLD "\033[1m"
#define DIM "\033[2m"
#define GREEN "\033[32m"
#define YELLOW "\033[33m"
#define BOLD_RED "\033[1;31m"

struct writing {
    struct ep_output *out;
    const struct ep_report_sheet *sheet;
    struct ep_report_sheet_layout layout;
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

/* ---- colours ---- */

static void begin(const struct writing *writing, const char *rendition)
{
    if (writing->sheet->style->is_colour)
        ep_output_text(writing->out, rendition);
}

static void end(const struct writing *writing)
{
    begin(writing, PLAIN);
}

static void begin_colour(const struct writing *writing, enum ep_report_sheet_colour colour)
{
    static const char *const renditions[] = {[EP_REPORT_SHEET_YELLOW] = YELLOW,
                                             [EP_REPORT_SHEET_RED] = BOLD_RED,
                                             [EP_REPORT_SHEET_GREEN] = GREEN};
    if (colour != EP_REPORT_SHEET_PLAIN)
        begin(writing, renditions[colour]);
}

static void end_colour(const struct writing *writing, enum ep_report_sheet_colour colour)
{
    if (colour != EP_REPORT_SHEET_PLAIN)
        end(writing);
}

/* ---- what stands above the lines ---- */

/* Each group in the middle above its columns. */
static void write_groups(const struct writing *writing)
{
    const struct ep_report_sheet *sheet = writing->sheet;
    size_t blanks = writing->layout.name_width;
    bool has_groups = false;
    for (size_t c = 0, last; c < sheet->column_count; c = last) {
        last = ep_report_sheet_layout_group_end(sheet, c);
        size_t width = ep_report_sheet_layout_width(&writing->layout, c, last);
        const char *group = width ? sheet->columns[c].group : NULL;
        if (!group) {
            blanks += width;
            continue;
        }
        /* a group of which columns were left out may be wider than the rest */
        size_t own = EP_REPORT_SHEET_GAP + strlen(group), around = width > own ? width - own : 0;
        size_t before = (around + 1) / 2;
        ep_output_repeat(writing->out, ' ', blanks + EP_REPORT_SHEET_GAP + before);
        begin(writing, BOLD);
        ep_output_text(writing->out, group);
        end(writing);
        blanks = around - before;
        has_groups = true;
    }
    if (has_groups)
        ep_output_text(writing->out, "\n");
}

static void write_header(const struct writing *writing)
{
    const struct ep_report_sheet *sheet = writing->sheet;
    const struct ep_report_sheet_layout *layout = &writing->layout;
    const char *gap = ep_report_sheet_gap(sheet->style);
    begin(writing, BOLD);
    ep_escape_name_cut(writing->out, sheet->title, layout->name_width, gap);
    for (size_t c = 0; c < sheet->column_count; c++)
        if (layout->width[c])
            ep_output_print(writing->out, "%*s", (int)(EP_REPORT_SHEET_GAP + layout->width[c]),
                            sheet->columns[c].title);
    end(writing);
    ep_output_text(writing->out, "\n");
}

static size_t whole_width(const struct writing *writing)
{
    return writing->layout.name_width +
           ep_report_sheet_layout_width(&writing->layout, 0, writing->sheet->column_count);
}

static void write_rule(const struct writing *writing)
{
    size_t width = whole_width(writing);
    begin(writing, DIM);
    if (writing->sheet->style->is_utf8)
        while (width-- > 0)
            ep_output_text(writing->out, "\xE2\x94\x80"); /* U+2500 */
    else
        ep_output_repeat(writing->out, '-', width);
    end(writing);
    ep_output_text(writing->out, "\n");
}

/* ---- lines ---- */

/* The line ends with its last figure. */
static void write_cells(const struct writing *writing, size_t i)
{
    const struct ep_report_sheet *sheet = writing->sheet;
    size_t blanks = 0;
    for (size_t c = 0; c < sheet->column_count; c++) {
        size_t width = writing->layout.width[c];
        if (!width)
            continue;
        struct ep_report_sheet_cell cell = sheet->cell(sheet->context, i, c);
        blanks += EP_REPORT_SHEET_GAP + width - strlen(cell.figure.text);
        if (!*cell.figure.text)
            continue;
        ep_output_repeat(writing->out, ' ', blanks);
        begin_colour(writing, cell.colour);
        ep_output_text(writing->out, cell.figure.text);
        end_colour(writing, cell.colour);
        blanks = 0;
    }
}

static void write_name(const struct writing *writing, const struct ep_report_sheet_line *line,
                       size_t width)
{
    const char *gap = ep_report_sheet_gap(writing->sheet->style);
    begin_colour(writing, line->colour);
    if (line->row)
        ep_report_label_write(writing->out, line->row, line->is_ambiguous, width, gap);
    else
        ep_escape_name_cut(writing->out, line->name, width, gap);
    end_colour(writing, line->colour);
}

static void write_remark(const struct writing *writing, size_t i,
                         const struct ep_report_sheet_line *line, size_t width)
{
    size_t own = ep_escape_name_width(line->text), whole = whole_width(writing);
    if (line->is_alone)
        width = own < whole ? own : whole;
    begin(writing, DIM);
    ep_escape_name_cut(writing->out, line->text, width, ep_report_sheet_gap(writing->sheet->style));
    if (!line->is_alone)
        write_cells(writing, i);
    end(writing);
}

/* What the branches leave of the name's width; where that is next to nothing, the figures
 * stand further right. */
static size_t width_behind(const struct writing *writing, size_t branches, size_t needed)
{
    size_t name = writing->layout.name_width, left = name > branches ? name - branches : 0;
    size_t least = needed < EP_REPORT_SHEET_SMALLEST ? needed : EP_REPORT_SHEET_SMALLEST;
    return left > least ? left : least;
}

static void write_line(const struct writing *writing, size_t i)
{
    const struct ep_report_sheet_line *line = writing->sheet->line(writing->sheet->context, i);
    size_t width = width_behind(writing, ep_escape_name_width(line->branches),
                                ep_report_sheet_layout_name_width(line));
    if (*line->branches) {
        begin(writing, DIM);
        ep_output_text(writing->out, line->branches);
        end(writing);
    }
    if (line->row || line->name) {
        write_name(writing, line, width);
        write_cells(writing, i);
    } else {
        write_remark(writing, i, line, width);
    }
    ep_output_text(writing->out, "\n");
}

size_t ep_report_sheet_write(struct ep_output *out, const struct ep_report_sheet *sheet)
{
    const struct writing writing = {
        .out = out, .sheet = sheet, .layout = ep_report_sheet_layout_of(sheet)};
    write_groups(&writing);
    write_header(&writing);
    write_rule(&writing);
    for (size_t i = 0; i < sheet->line_count; i++)
        write_line(&writing, i);
    return writing.layout.name_width;
}
