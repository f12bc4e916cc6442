#include "report/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/terminal.h"
#include "report/chosen.h"
#include "report/format.h"
#include "report/head.h"
#include "report/sheet.h"
#include "snapshot/part.h"

/* Programs read the beginning of the table, which is fixed: the header, the rule, and rows of
 * "%d: %-12s%7llu%15llu". These are the widths of that form. */
enum { ID_WIDTH = 1, NAME_WIDTH = 12, CALLS_WIDTH = 7, MEAN_WIDTH = 15, RULE_WIDTH = 51 };

enum {
    GAP_WIDTH = 2,      /* before each of the further columns */
    INDENT_WIDTH = 2,   /* of a scope, for each level */
    INDENT_LEVELS = 24, /* below this level its number precedes the name */
    MOST_SCOPES = 1000  /* unless a number of rows was asked for */
};

/* The thread, if shown, comes after calls and mean, and before the further columns. Columns that a
 * reader chose are all further ones. */
enum { CALLS, MEAN, FURTHER };

static const struct ep_report_sheet_column default_columns[] = {
    [CALLS] = EP_REPORT_SHEET_COUNT(calls, false),
    [MEAN] = EP_REPORT_SHEET_TIME("usec/call", mean_ns, 0),
    [FURTHER] = EP_REPORT_SHEET_TIME("self", self_ns, 0),
    EP_REPORT_SHEET_SHARE("self%", self_ns, 0),
    EP_REPORT_SHEET_TIME("total", total_ns, 0),
    EP_REPORT_SHEET_SHARE("%total", total_ns, 0),
    EP_REPORT_SHEET_RARE_TIME("cpu", cpu_ns, 0),
    EP_REPORT_SHEET_RARE_TIME("wait", wait_ns, 0),
    EP_REPORT_SHEET_TIME("min", min_ns, 0),
    EP_REPORT_SHEET_TIME("p50", p50_ns, 0),
    EP_REPORT_SHEET_TIME("p90", p90_ns, 0),
    EP_REPORT_SHEET_TIME("p99", p99_ns, 0),
    EP_REPORT_SHEET_TIME("p99.9", p999_ns, 0),
    EP_REPORT_SHEET_TIME("max", max_ns, 0),
    EP_REPORT_SHEET_TIME("stddev", stddev_ns, 0),
    EP_REPORT_SHEET_RATE(0),
    EP_REPORT_SHEET_OUTERMOST,
    EP_REPORT_SHEET_COUNT(timed, false),
    EP_REPORT_SHEET_COUNT(errors, true),
    EP_REPORT_SHEET_COUNT(open, true),
};

enum { COLUMNS_MOST = EP_REPORT_SHEET_MOST_COLUMNS };

_Static_assert(sizeof default_columns / sizeof default_columns[0] <= COLUMNS_MOST,
               "they have room");

/* A table of instances or of scopes. The first walk measures the widths, the second one writes. */
struct table {
    struct ep_output *out;
    struct ep_report_sheet_column columns[COLUMNS_MOST];
    size_t column_count;
    bool is_chosen; /* by a reader: not the fixed form */
    const struct eprof_row *rows;
    const struct ep_tree_position *positions; /* of the rows; NULL: they are instances */
    const uint64_t *whole_ns; /* for each row of a scope the measured time of its tree */
    size_t row_count;
    struct ep_site_mark instance_mark; /* of each row that is an instance */
    bool in_ticks;
    bool is_utf8;
    bool has_locations;
    bool has_threads;
    size_t id_width, name_width, thread_width;
    size_t width[COLUMNS_MOST];       /* with the gap before it; 0: not shown */
    size_t error_width[COLUMNS_MOST]; /* after it, with a blank; 0: no row has one */
};

/* ---- names ---- */

/* The text before the name of a scope: blanks, and below INDENT_LEVELS the number of its level. */
struct indent {
    char text[INDENT_WIDTH * INDENT_LEVELS + sizeof "4294967295> "];
};

static struct indent indent_of(const struct table *table, size_t i)
{
    struct indent indent;
    unsigned depth = table->positions ? table->positions[i].depth : 0;
    if (depth > INDENT_LEVELS)
        snprintf(indent.text, sizeof indent.text, "%*s%u> ", INDENT_WIDTH * INDENT_LEVELS, "",
                 depth);
    else
        snprintf(indent.text, sizeof indent.text, "%*s", INDENT_WIDTH * (int)depth, "");
    return indent;
}

static const struct ep_site_mark *mark_of(const struct table *table, size_t i)
{
    return table->positions ? &table->positions[i].mark : &table->instance_mark;
}

static bool is_located(const struct table *table, size_t i)
{
    return table->has_locations || mark_of(table, i)->is_ambiguous;
}

static bool is_fixed(const struct table *table, size_t c)
{
    return !table->is_chosen && c < FURTHER;
}

static struct ep_report_figure figure_of(const struct table *table, size_t c, size_t i)
{
    const struct ep_report_sheet_column *columns = table->columns;
    uint64_t mean = table->rows[i].mean_ns;
    if (c == MEAN && is_fixed(table, c))
        return table->in_ticks ? ep_report_format_decimal(mean, 0) : ep_report_format_usec(mean);
    if (columns[c].is_share)
        return ep_report_format_row_share(&table->rows[i], columns[c].offset, table->whole_ns[i]);
    return ep_report_sheet_column_figure(&columns[c], &table->rows[i], mark_of(table, i),
                                         table->in_ticks);
}

/* The first columns have a fixed form. */
static struct ep_report_figure error_of(const struct table *table, size_t c, size_t i)
{
    if (is_fixed(table, c) || table->columns[c].is_share)
        return (struct ep_report_figure){""};
    return ep_report_format_error(&table->rows[i], mark_of(table, i), table->columns[c].offset,
                                  table->in_ticks, table->is_utf8);
}

static size_t name_width(const struct table *table, size_t i)
{
    return strlen(indent_of(table, i).text) +
           ep_report_format_label_width(&table->rows[i], is_located(table, i));
}

/* ---- widths ---- */

static void measure_names(struct table *table)
{
    for (size_t i = 0; i < table->row_count; i++) {
        if (!table->positions)
            ep_report_format_widen(&table->id_width,
                                   (size_t)snprintf(NULL, 0, "%d", table->rows[i].id));
        ep_report_format_widen(&table->name_width, name_width(table, i));
        ep_report_format_widen(&table->thread_width, ep_escape_name_width(table->rows[i].thread));
    }
}

/* Whether a row is a reason to show the column. Timed calls are shown where they differ from all
 * calls; where each call was timed, they are the outermost ones. */
static bool needs(const struct ep_report_sheet_column *column, const struct eprof_row *row)
{
    if (column->offset == offsetof(struct eprof_row, timed))
        return row->timed != row->calls;
    if (column->offset == offsetof(struct eprof_row, outermost))
        return row->estimated && ep_report_format_is_recursive(row);
    return !column->hides_zeros || ep_report_sheet_column_says(column, row);
}

/* Neither self time nor shares are shown for instances: their time is all their own, and they may
 * overlap. */
static bool is_shown(const struct table *table, const struct ep_report_sheet_column *column)
{
    bool is_of_timed = column->offset == offsetof(struct eprof_row, timed);
    if (column->is_share || column->offset == offsetof(struct eprof_row, self_ns))
        return table->positions != NULL && !column->is_parent_share;
    if (table->is_chosen)
        return true;
    bool is_shown = !column->hides_zeros && !is_of_timed;
    for (size_t i = 0; i < table->row_count && !is_shown; i++)
        is_shown = needs(column, &table->rows[i]);
    return is_shown;
}

/* Numbers follow names: a number that would touch its left neighbour is too wide, even if it fits
 * its column. */
static size_t gap_before(const struct table *table, size_t c, size_t i)
{
    if (is_fixed(table, c))
        return c == MEAN ? 1 : name_width(table, i) == table->name_width;
    return GAP_WIDTH;
}

static void measure_cell(struct table *table, size_t c, size_t i)
{
    size_t error = ep_escape_name_width(error_of(table, c, i).text);
    ep_report_format_widen(&table->width[c],
                           gap_before(table, c, i) + strlen(figure_of(table, c, i).text));
    ep_report_format_widen(&table->error_width[c], error ? strlen(" ") + error : 0);
}

static void measure_figures(struct table *table)
{
    for (size_t c = 0; c < table->column_count; c++) {
        if (!is_shown(table, &table->columns[c]))
            continue;
        if (is_fixed(table, c))
            table->width[c] = c == CALLS ? CALLS_WIDTH : MEAN_WIDTH;
        else
            table->width[c] = GAP_WIDTH + strlen(table->columns[c].title);
        for (size_t i = 0; i < table->row_count; i++)
            measure_cell(table, c, i);
    }
}

static size_t header_width(const struct table *table)
{
    size_t width = table->name_width;
    if (!table->positions)
        width += table->id_width + strlen(": ");
    if (table->has_threads)
        width += GAP_WIDTH + table->thread_width;
    for (size_t c = 0; c < table->column_count; c++)
        width += table->width[c] + table->error_width[c];
    return width;
}

/* ---- lines ---- */

static void write_left(struct ep_output *out, const char *name, size_t width)
{
    ep_escape_name(out, name);
    ep_output_repeat(out, ' ', width - ep_escape_name_width(name));
}

enum { HEADER = -1 };

/* The blanks after the last error of a line end at the next column, which every line has. */
static void write_error(const struct table *table, size_t c, ptrdiff_t line)
{
    struct ep_report_figure error = {""};
    if (line != HEADER)
        error = error_of(table, c, (size_t)line);
    ep_output_repeat(table->out, ' ', table->error_width[c] - ep_escape_name_width(error.text));
    ep_output_text(table->out, error.text);
}

/* Writes everything after the name. In the fixed form "calls" ends one column further right than
 * the numbers below it. */
static void write_figures(const struct table *table, ptrdiff_t line)
{
    struct ep_output *out = table->out;
    for (size_t c = 0; c < table->column_count; c++) {
        bool is_before_further = table->is_chosen ? c == 0 : c == FURTHER;
        if (is_before_further && table->has_threads) {
            ep_output_repeat(out, ' ', GAP_WIDTH);
            write_left(out, line == HEADER ? "thread" : table->rows[line].thread,
                       table->thread_width);
        }
        if (!table->width[c])
            continue;
        int shift = !is_fixed(table, c) ? 0 : c == CALLS ? 1 : -1;
        if (line == HEADER)
            ep_output_print(out, "%*s", (int)table->width[c] + shift,
                            shift < 0 && table->in_ticks ? "ticks/call" : table->columns[c].title);
        else
            ep_output_print(out, "%*s", (int)table->width[c],
                            figure_of(table, c, (size_t)line).text);
        write_error(table, c, line);
    }
    ep_output_text(out, "\n");
}

/* The title above the names: the common kind of the rows. */
static const char *title_of(const struct table *table)
{
    if (!table->positions)
        return "name";
    for (size_t i = 0; i < table->row_count; i++)
        if (strcmp(table->rows[i].kind, "function") != 0)
            return "scope";
    return "function";
}

static void write_table(struct table *table)
{
    measure_names(table);
    measure_figures(table);
    size_t rule_width = RULE_WIDTH;
    ep_report_format_widen(&rule_width, header_width(table));
    if (!table->positions)
        write_left(table->out, "ID", table->id_width + strlen(": "));
    write_left(table->out, title_of(table), table->name_width);
    write_figures(table, HEADER);
    ep_output_repeat(table->out, '-', rule_width);
    ep_output_text(table->out, "\n");
    for (size_t i = 0; i < table->row_count; i++) {
        if (!table->positions)
            ep_output_print(table->out, "%*d: ", (int)table->id_width, table->rows[i].id);
        ep_output_text(table->out, indent_of(table, i).text);
        ep_report_format_label_write(table->out, &table->rows[i], is_located(table, i),
                                     table->name_width - strlen(indent_of(table, i).text), "");
        write_figures(table, (ptrdiff_t)i);
    }
}

/* Of instances. A table is large, so that there is one for both: reports take little of a stack. */
static void set_table(struct table *table, struct ep_output *out,
                      const struct eprof_snapshot *snapshot)
{
    *table = (struct table){.out = out,
                            .rows = snapshot->rows,
                            .row_count = snapshot->scope_first,
                            .instance_mark = ep_rows_instance_mark(snapshot),
                            .in_ticks = snapshot->options.ticks,
                            .is_utf8 = ep_terminal_is_utf8(),
                            .has_threads = snapshot->options.threads,
                            .id_width = ID_WIDTH,
                            .name_width = NAME_WIDTH,
                            .thread_width = strlen("thread"),
                            .has_locations = snapshot->options.locations};
    table->column_count = ep_report_chosen_columns(&snapshot->options.columns, table->columns);
    table->is_chosen = table->column_count > 0;
    if (!table->is_chosen) {
        table->column_count = sizeof default_columns / sizeof default_columns[0];
        memcpy(table->columns, default_columns, sizeof default_columns);
    }
}

/* The measured time of the tree of each scope, to be freed; NULL: no memory. */
static uint64_t *measured_times(const struct eprof_snapshot *snapshot)
{
    size_t count = snapshot->diagnostic_first - snapshot->scope_first;
    uint64_t *whole_ns = malloc((count + 1) * sizeof *whole_ns);
    struct ep_part part = {.end = snapshot->scope_first};
    while (whole_ns && ep_rows_part_next(snapshot, &part)) {
        uint64_t total_ns = ep_rows_part_whole(snapshot, &part).total_ns;
        for (size_t row = part.first; row < part.end; row++)
            whole_ns[row - snapshot->scope_first] = total_ns;
    }
    return whole_ns;
}

/* The name also takes the width of the ID, so that the columns of both tables align. */
static void write_scopes(struct table *table, struct ep_output *out,
                         const struct eprof_snapshot *snapshot)
{
    size_t count = snapshot->diagnostic_first - snapshot->scope_first;
    set_table(table, out, snapshot);
    uint64_t *whole_ns = measured_times(snapshot);
    if (!whole_ns) {
        ep_output_fail(out, ENOMEM);
        return;
    }
    table->whole_ns = whole_ns;
    table->rows += snapshot->scope_first;
    table->positions = snapshot->positions;
    table->row_count = count < MOST_SCOPES || snapshot->is_chosen ? count : MOST_SCOPES;
    table->name_width = ID_WIDTH + strlen(": ") + NAME_WIDTH;
    write_table(table);
    free(whole_ns);
    if (count > table->row_count)
        ep_output_print(out, "and %zu more: csv has them all\n", count - table->row_count);
}

/* Programs read this title if times are in ns. */
static void write_title(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    ep_output_text(out, "\neProf Result:");
    if (snapshot->options.ticks && snapshot->ticks_per_us > 0) {
        ep_output_text(out, " ");
        ep_report_format_rate(out, snapshot->ticks_per_us);
    }
    ep_output_text(out, "\n\n");
}

void ep_report_table(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    bool has_instances = snapshot->scope_first > 0;
    bool has_scopes = snapshot->scope_first < snapshot->diagnostic_first;
    struct table table;
    set_table(&table, out, snapshot);
    write_title(out, snapshot);
    if (has_instances || !has_scopes)
        write_table(&table);
    if (has_instances && has_scopes)
        ep_output_text(out, "\n");
    if (has_scopes)
        write_scopes(&table, out, snapshot);
    struct ep_report_sheet_style style = ep_report_sheet_style_of(out, snapshot->options.ticks);
    style.columns = 0;
    style.is_utf8 = false; /* as the tables above */
    ep_report_values_write(out, snapshot, &style);
    /* below, since the text above is fixed */
    if (snapshot->command || ep_report_head_is_known(snapshot))
        ep_output_text(out, "\n");
    ep_report_format_origin(out, snapshot, 0, "");
    ep_report_head_write(out, snapshot);
    ep_report_notes_write(out, snapshot);
}
