#include "report/sheet.h"

#include <string.h>

#include "base/escape.h"
#include "base/terminal.h"
#include "snapshot/columns.h"

/* ---- columns ---- */

struct ep_report_figure ep_report_sheet_column_figure(const struct ep_report_sheet_column *column,
                                                      const struct eprof_row *row,
                                                      const struct ep_site_mark *mark,
                                                      bool in_ticks)
{
    uint64_t value = ep_columns_value(row, column->offset);
    if (column->offset == offsetof(struct eprof_row, per_second))
        return ep_report_format_per_second(row);
    if (column->may_lack && value == EPROF_UNKNOWN)
        return (struct ep_report_figure){"-"};
    if (column->offset == offsetof(struct eprof_row, imbalance_millionths))
        return ep_report_format_decimal((value + 5000) / 10000, 2);
    if (!column->is_duration)
        return ep_report_format_decimal(value, 0);
    struct ep_report_figure figure = ep_report_format_row_time(row, mark, column->offset, in_ticks);
    if (column->offset == offsetof(struct eprof_row, mean_ns))
        return ep_report_format_around(ep_report_format_times(row).text, figure, "");
    return figure;
}

bool ep_report_sheet_column_says(const struct ep_report_sheet_column *column,
                                 const struct eprof_row *row)
{
    if (column->offset == offsetof(struct eprof_row, outermost))
        return ep_report_format_is_recursive(row);
    return ep_columns_value(row, column->offset) != (column->may_lack ? EPROF_UNKNOWN : 0);
}

size_t ep_report_sheet_order(struct ep_report_sheet_column *columns, size_t count,
                             const struct ep_field *order)
{
    if (!order || order->is_word)
        return count;
    for (size_t c = 0; c < count; c++)
        if (columns[c].offset == order->offset && !columns[c].is_share) {
            columns[c].worth = 0;
            columns[c].hides_zeros = false;
            return count;
        }
    columns[count] = (struct ep_report_sheet_column){.title = order->name,
                                                     .offset = order->offset,
                                                     .is_duration = order->is_duration,
                                                     .may_lack = order->may_lack};
    return count + 1;
}

enum ep_report_sheet_colour ep_report_sheet_heat(uint64_t self_ns, uint64_t whole_ns)
{
    switch (ep_report_format_heat(self_ns, whole_ns)) {
    case EP_REPORT_HOTTEST: /* from 20 % on */
        return EP_REPORT_SHEET_RED;
    case 4:
    case 3: /* from 5 % on */
        return EP_REPORT_SHEET_YELLOW;
    default:
        return EP_REPORT_SHEET_PLAIN;
    }
}

/* ---- lines and cells ---- */

void ep_report_sheet_line_rest(struct ep_report_sheet_line *line, const char *gap, size_t left_out,
                               const char *what)
{
    snprintf(line->text, sizeof line->text, "%s %zu %s", gap, left_out, what);
}

enum {
    LEVELS_LEAST = 4,
    LEVEL_BYTES = sizeof "4294967295> ",
    COLUMNS_PER_LEVEL = 10 /* of a terminal: branches take at most a fifth of it */
};

static size_t levels_of(const struct ep_report_sheet_style *style)
{
    size_t levels = style->columns ? style->columns / COLUMNS_PER_LEVEL : EP_REPORT_SHEET_LEVELS;
    if (levels < LEVELS_LEAST)
        return LEVELS_LEAST;
    return ep_report_format_least(levels, EP_REPORT_SHEET_LEVELS);
}

struct branches {
    const char *along, *fork, *last; /* each two columns wide */
};

static struct branches branches_of(const struct ep_report_sheet_style *style)
{
    if (style->is_utf8) /* U+2502; U+251C U+2500; U+2514 U+2500 */
        return (struct branches){"\xE2\x94\x82 ", "\xE2\x94\x9C\xE2\x94\x80",
                                 "\xE2\x94\x94\xE2\x94\x80"};
    return (struct branches){"| ", "|-", "`-"};
}

void ep_report_sheet_line_branches(struct ep_report_sheet_line *line,
                                   const struct ep_report_sheet_style *style,
                                   bool goes_on[EP_REPORT_SHEET_LEVELS + 1], uint32_t depth,
                                   uint32_t number, bool is_last)
{
    struct branches branches = branches_of(style);
    size_t levels = levels_of(style);
    char *at = line->branches;
    for (size_t level = 1; level < depth && level <= levels; level++)
        at = stpcpy(at, goes_on[level] ? branches.along : "  ");
    if (depth > levels)
        snprintf(at, LEVEL_BYTES, "%u> ", (unsigned)number);
    else if (depth > 0)
        strcpy(at, is_last ? branches.last : branches.fork);
    if (depth <= EP_REPORT_SHEET_LEVELS)
        goes_on[depth] = !is_last;
}

static struct ep_report_figure figure_of(const struct ep_report_sheet *sheet,
                                         const struct ep_report_sheet_column *column,
                                         const struct ep_report_sheet_line *line)
{
    bool has_part = !line->row && line->has_part && column->offset == sheet->part_offset;
    uint64_t whole_ns = column->is_parent_share ? line->parent_ns : line->whole_ns;
    if (line->row && column->is_share)
        return ep_report_format_row_share(line->row, column->offset, whole_ns);
    if (line->row)
        return ep_report_sheet_column_figure(column, line->row, &line->mark,
                                             sheet->style->in_ticks);
    if (has_part && column->is_share)
        return ep_report_format_share(line->part_ns, whole_ns);
    if (has_part)
        return ep_report_format_time(line->part_ns, sheet->style->in_ticks, false);
    return (struct ep_report_figure){""};
}

/* The self time has the colour of the name, which it decides. */
static struct ep_report_sheet_cell cell_at(const struct ep_report_sheet *sheet, size_t i, size_t c)
{
    const struct ep_report_sheet_column *column = &sheet->columns[c];
    const struct ep_report_sheet_line *line = &sheet->lines[i];
    if (sheet->cell)
        return sheet->cell(sheet->context, i, c);
    bool is_self = column->offset == offsetof(struct eprof_row, self_ns);
    return (struct ep_report_sheet_cell){figure_of(sheet, column, line),
                                         is_self ? line->colour : EP_REPORT_SHEET_PLAIN};
}

/* The error behind an estimate; empty where a callback gives the cells. */
static struct ep_report_figure error_at(const struct ep_report_sheet *sheet, size_t i, size_t c)
{
    const struct eprof_row *row = sheet->cell ? NULL : sheet->lines[i].row;
    if (!row || sheet->columns[c].is_share)
        return (struct ep_report_figure){""};
    return ep_report_format_error(row, &sheet->lines[i].mark, sheet->columns[c].offset,
                                  sheet->style->in_ticks, sheet->style->is_utf8);
}

/* ---- layout: which columns there is room for, and how wide they are ---- */

enum {
    GAP = 2,         /* blanks between two columns */
    SMALLEST = 8,    /* width that a name always has */
    NAME_LEAST = 24, /* columns are left out until names have at least this width */
    NAME_MOST = 100  /* the largest width where that of a line is not known */
};

struct layout {
    size_t name_width;
    size_t width[EP_REPORT_SHEET_MOST_COLUMNS];       /* 0: not shown */
    size_t error_width[EP_REPORT_SHEET_MOST_COLUMNS]; /* behind it, with a blank; 0: not shown */
};

/* The width of the columns shown from `first` to before `end`, with the gap before each. */
static size_t columns_width(const struct layout *layout, size_t first, size_t end)
{
    size_t width = 0;
    for (size_t c = first; c < end; c++)
        if (layout->width[c])
            width += GAP + layout->width[c] + layout->error_width[c];
    return width;
}

/* The end of the group of columns that begins with `first`; first + 1 without a group. */
static size_t group_end(const struct ep_report_sheet *sheet, size_t first)
{
    const char *group = sheet->columns[first].group;
    size_t end = first + 1;
    while (group && end < sheet->column_count && sheet->columns[end].group &&
           strcmp(sheet->columns[end].group, group) == 0)
        end++;
    return end;
}

/* The title of a group may be wider than its columns. */
static void measure_groups(struct layout *layout, const struct ep_report_sheet *sheet)
{
    for (size_t c = 0, end; c < sheet->column_count; c = end) {
        end = group_end(sheet, c);
        size_t width = columns_width(layout, c, end);
        size_t needed = sheet->columns[c].group ? GAP + strlen(sheet->columns[c].group) : 0;
        if (width < needed)
            layout->width[c] += needed - width;
    }
}

static bool is_worth_it(const struct ep_report_sheet *sheet,
                        const struct ep_report_sheet_column *column)
{
    bool is_worth_it = !column->hides_zeros;
    for (size_t i = 0; i < sheet->line_count && !is_worth_it; i++) {
        const struct eprof_row *row = sheet->lines[i].row;
        is_worth_it = row && ep_report_sheet_column_says(column, row);
    }
    return is_worth_it;
}

static void measure_cell(struct layout *layout, const struct ep_report_sheet *sheet, size_t i,
                         size_t c)
{
    size_t error = ep_escape_name_width(error_at(sheet, i, c).text);
    if (sheet->lines[i].is_alone)
        return;
    ep_report_format_widen(&layout->width[c], strlen(cell_at(sheet, i, c).figure.text));
    ep_report_format_widen(&layout->error_width[c], error ? strlen(" ") + error : 0);
}

static void measure_columns(struct layout *layout, const struct ep_report_sheet *sheet)
{
    for (size_t c = 0; c < sheet->column_count; c++) {
        bool is_shown = is_worth_it(sheet, &sheet->columns[c]);
        layout->width[c] = is_shown ? strlen(sheet->columns[c].title) : 0;
        layout->error_width[c] = 0;
        for (size_t i = 0; i < sheet->line_count && is_shown; i++)
            measure_cell(layout, sheet, i, c);
    }
    measure_groups(layout, sheet);
}

/* The width of a line's name without the branches. */
static size_t name_width(const struct ep_report_sheet_line *line)
{
    if (line->row && !line->name)
        return ep_report_format_label_width(line->row, line->mark.is_ambiguous);
    return ep_escape_name_width(line->name ? line->name : line->text);
}

static size_t width_needed(const struct ep_report_sheet *sheet)
{
    size_t width = ep_escape_name_width(sheet->title);
    ep_report_format_widen(&width, sheet->name_width_least);
    for (size_t i = 0; i < sheet->line_count; i++) {
        const struct ep_report_sheet_line *line = &sheet->lines[i];
        if (!line->is_alone)
            ep_report_format_widen(&width, ep_escape_name_width(line->branches) + name_width(line));
    }
    return width;
}

/* Leaves out the columns of the least worth, at last the errors; false where all must stay. */
static bool leave_out(struct layout *layout, const struct ep_report_sheet *sheet)
{
    unsigned lowest = 0;
    for (size_t c = 0; c < sheet->column_count; c++) {
        unsigned worth = sheet->columns[c].worth;
        if (layout->width[c] && worth && (!lowest || worth < lowest))
            lowest = worth;
    }
    for (size_t c = 0; lowest && c < sheet->column_count; c++)
        if (sheet->columns[c].worth == lowest)
            layout->width[c] = 0;
    bool has_left_out = lowest != 0;
    for (size_t c = 0; !lowest && c < sheet->column_count; c++) {
        has_left_out |= layout->error_width[c] > 0;
        layout->error_width[c] = 0;
    }
    return has_left_out;
}

static struct layout layout_of(const struct ep_report_sheet *sheet)
{
    struct layout layout;
    size_t needed = width_needed(sheet), terminal = sheet->style->columns, figures;
    measure_columns(&layout, sheet);
    do
        figures = columns_width(&layout, 0, sheet->column_count);
    while (terminal && ep_report_format_least(needed, NAME_LEAST) + figures > terminal &&
           leave_out(&layout, sheet));
    size_t room = terminal > figures + SMALLEST ? terminal - figures : SMALLEST;
    layout.name_width = ep_report_format_least(needed, terminal ? room : NAME_MOST);
    return layout;
}

/* ---- writing ---- */

/* Select graphic rendition, ECMA-48, 8.3.117. */
#define PLAIN "\033[0m"
#define BOLD "\033[1m"
#define DIM "\033[2m"

static const char *const colours[] = {[EP_REPORT_SHEET_PLAIN] = "",
                                      [EP_REPORT_SHEET_YELLOW] = "\033[33m",
                                      [EP_REPORT_SHEET_RED] = "\033[1;31m",
                                      [EP_REPORT_SHEET_GREEN] = "\033[32m"};

struct writing {
    struct ep_output *out;
    const struct ep_report_sheet *sheet;
    struct layout layout;
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

/* An empty rendition is that of the terminal. */
static void begin(const struct writing *writing, const char *rendition)
{
    if (writing->sheet->style->is_colour)
        ep_output_text(writing->out, rendition);
}

static void end(const struct writing *writing, const char *rendition)
{
    begin(writing, *rendition ? PLAIN : "");
}

static void write_text(const struct writing *writing, const char *rendition, const char *text)
{
    begin(writing, rendition);
    ep_output_text(writing->out, text);
    end(writing, rendition);
}

/* The title of each group is centred above its columns. */
static void write_groups(const struct writing *writing)
{
    const struct ep_report_sheet *sheet = writing->sheet;
    size_t blanks = writing->layout.name_width;
    bool has_groups = false;
    for (size_t c = 0, last; c < sheet->column_count; c = last) {
        last = group_end(sheet, c);
        size_t width = columns_width(&writing->layout, c, last);
        const char *group = width ? sheet->columns[c].group : NULL;
        if (!group) {
            blanks += width;
            continue;
        }
        /* where columns of a group were left out, its title may be wider than the others */
        size_t own = GAP + strlen(group), around = width > own ? width - own : 0;
        size_t before = (around + 1) / 2;
        ep_output_repeat(writing->out, ' ', blanks + GAP + before);
        write_text(writing, BOLD, group);
        blanks = around - before;
        has_groups = true;
    }
    if (has_groups)
        ep_output_text(writing->out, "\n");
}

static void write_header(const struct writing *writing)
{
    const struct ep_report_sheet *sheet = writing->sheet;
    const struct layout *layout = &writing->layout;
    const char *gap = ep_report_sheet_gap(sheet->style);
    begin(writing, BOLD);
    ep_escape_name_cut(writing->out, sheet->title, layout->name_width, gap);
    for (size_t c = 0, blanks = 0; c < sheet->column_count; c++) {
        if (!layout->width[c])
            continue;
        ep_output_print(writing->out, "%*s", (int)(blanks + GAP + layout->width[c]),
                        sheet->columns[c].title);
        blanks = layout->error_width[c];
    }
    end(writing, BOLD);
    ep_output_text(writing->out, "\n");
}

static size_t whole_width(const struct writing *writing)
{
    return writing->layout.name_width +
           columns_width(&writing->layout, 0, writing->sheet->column_count);
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
    end(writing, DIM);
    ep_output_text(writing->out, "\n");
}

/* Writes the error of a figure, if it is shown. Returns the blanks that are due. */
static size_t write_error(const struct writing *writing, size_t i, size_t c)
{
    size_t width = writing->layout.error_width[c];
    struct ep_report_figure error = error_at(writing->sheet, i, c);
    if (!width || !*error.text)
        return width;
    ep_output_repeat(writing->out, ' ', width - ep_escape_name_width(error.text));
    ep_output_text(writing->out, error.text);
    return 0;
}

/* Writes the figures of a line, without blanks after the last one. */
static void write_cells(const struct writing *writing, size_t i)
{
    const struct ep_report_sheet *sheet = writing->sheet;
    size_t blanks = 0;
    for (size_t c = 0; c < sheet->column_count; c++) {
        size_t width = writing->layout.width[c];
        if (!width)
            continue;
        struct ep_report_sheet_cell cell = cell_at(sheet, i, c);
        blanks += GAP + width - strlen(cell.figure.text);
        if (!*cell.figure.text) {
            blanks += writing->layout.error_width[c];
            continue;
        }
        ep_output_repeat(writing->out, ' ', blanks);
        write_text(writing, colours[cell.colour], cell.figure.text);
        blanks = write_error(writing, i, c);
    }
}

/* The branches take a part of the name's width. Where next to nothing is left, the figures move to
 * the right. */
static size_t width_of(const struct writing *writing, const struct ep_report_sheet_line *line)
{
    size_t branches = ep_escape_name_width(line->branches), name = writing->layout.name_width;
    size_t left = name > branches ? name - branches : 0, needed = name_width(line);
    if (line->is_alone)
        return ep_report_format_least(needed, whole_width(writing));
    ep_report_format_widen(&left, ep_report_format_least(needed, SMALLEST));
    return left;
}

static void write_line(const struct writing *writing, size_t i)
{
    const struct ep_report_sheet_line *line = &writing->sheet->lines[i];
    const char *gap = ep_report_sheet_gap(writing->sheet->style);
    bool is_remark = !line->row && !line->name;
    const char *rendition = is_remark ? DIM : colours[line->colour];
    size_t width = width_of(writing, line);
    if (*line->branches)
        write_text(writing, DIM, line->branches);
    begin(writing, rendition);
    if (line->row && !line->name)
        ep_report_format_label_write(writing->out, line->row, line->mark.is_ambiguous, width, gap);
    else
        ep_escape_name_cut(writing->out, is_remark ? line->text : line->name, width, gap);
    end(writing, is_remark ? "" : rendition);
    if (!line->is_alone)
        write_cells(writing, i);
    end(writing, is_remark ? rendition : "");
    ep_output_text(writing->out, "\n");
}

size_t ep_report_sheet_write(struct ep_output *out, const struct ep_report_sheet *sheet)
{
    const struct writing writing = {.out = out, .sheet = sheet, .layout = layout_of(sheet)};
    write_groups(&writing);
    write_header(&writing);
    write_rule(&writing);
    for (size_t i = 0; i < sheet->line_count; i++)
        write_line(&writing, i);
    return writing.layout.name_width;
}
