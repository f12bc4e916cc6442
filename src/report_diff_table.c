#include "report_diff.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "escape_name.h"
#include "report_diff_figure.h"
#include "report_diff_label.h"
#include "report_diff_summary.h"
#include "report_diff_time.h"
#include "report_origin.h"
#include "report_sheet.h"
#include "report_trouble.h"

enum { ROWS_MOST = 40 }; /* a screenful, where nobody said how many */

/* What a column shows: a figure of one side, or of the change. */
enum subject { CALLS, TIME, DIFFERENCE, CHANGE, INTERVAL, VERDICT };

struct column {
    enum subject subject;
    enum ep_diff_side side;
    const struct ep_report_diff_time *time;
};

enum { COLUMNS_MOST = EP_DIFF_SIDES * (1 + EP_REPORT_DIFF_TIMES) + 4 };

struct table {
    const struct ep_diff *diff;
    struct ep_report_sheet_style style;
    struct ep_report_sheet_line *lines; /* of the rows, and one for those left out */
    size_t row_count, line_count;
    struct column columns[COLUMNS_MOST];
    struct ep_report_sheet_column titles[COLUMNS_MOST];
    size_t column_count;
};

/* ---- columns ---- */

/* Where there is no room: p99 is left out first, then the mean, which total and calls tell; what is
 * judged stays, with its change and the verdict. */
enum worth {
    ALWAYS,
    WORTH_P99,
    WORTH_MEAN,
    WORTH_CALLS,
    WORTH_SELF,
    WORTH_TOTAL,
    WORTH_DIFFERENCE,
    WORTH_INTERVAL
};

static void add_column(struct table *table, struct column column,
                       struct ep_report_sheet_column title)
{
    table->columns[table->column_count] = column;
    table->titles[table->column_count++] = title;
}

static void add_pair(struct table *table, enum subject subject,
                     const struct ep_report_diff_time *time, const char *group, unsigned worth)
{
    for (int side = 0; side < EP_DIFF_SIDES; side++)
        add_column(table, (struct column){subject, (enum ep_diff_side)side, time},
                   (struct ep_report_sheet_column){ep_report_diff_sides[side], group, worth});
}

static void add_change(struct table *table, enum subject subject, const char *title, unsigned worth)
{
    add_column(table, (struct column){.subject = subject},
               (struct ep_report_sheet_column){.title = title, .worth = worth});
}

static void choose_columns(struct table *table)
{
    static const enum worth worths[EP_REPORT_DIFF_TIMES] = {WORTH_TOTAL, WORTH_SELF, WORTH_MEAN,
                                                            WORTH_P99};
    const struct ep_report_diff_time *judged = ep_report_diff_time_judged(table->diff);
    add_pair(table, CALLS, NULL, "calls", WORTH_CALLS);
    for (size_t i = 0; i < EP_REPORT_DIFF_TIMES; i++) {
        const struct ep_report_diff_time *time = &ep_report_diff_times[i];
        add_pair(table, TIME, time, time->name, time == judged ? ALWAYS : worths[i]);
    }
    add_change(table, DIFFERENCE, "difference", WORTH_DIFFERENCE);
    add_change(table, CHANGE, "change", ALWAYS);
    if (ep_diff_has_verdicts(table->diff)) {
        add_change(table, INTERVAL, "interval", WORTH_INTERVAL);
        add_change(table, VERDICT, "verdict", ALWAYS);
    }
}

/* ---- cells ---- */

static struct ep_report_figure side_figure(const struct column *column,
                                           const struct ep_diff_row *row)
{
    const struct ep_diff_figures *figures = &row->figures[column->side];
    if (column->subject == TIME)
        return ep_report_diff_time_figure(column->time, figures);
    return ep_report_diff_is_on(row, column->side) ? ep_report_diff_figure_calls(figures->calls)
                                                   : (struct ep_report_figure){"-"};
}

static struct ep_report_figure word_figure(const char *word)
{
    struct ep_report_figure figure;
    snprintf(figure.text, sizeof figure.text, "%s", word);
    return figure;
}

static struct ep_report_figure figure_of(const struct column *column, const struct ep_diff_row *row)
{
    switch (column->subject) {
    case DIFFERENCE:
        return ep_report_diff_figure_difference(row->change_ns);
    case CHANGE:
        return ep_report_diff_figure_change(row);
    case INTERVAL:
        return ep_report_diff_figure_interval(row);
    case VERDICT: /* of what is new or gone the change tells */
        return word_figure(row->verdict == EP_DIFF_UNKNOWN ? "" : ep_diff_verdict_word(row));
    default:
        return side_figure(column, row);
    }
}

/* Of what there is evidence of; the verdict says the same in words. */
static enum ep_report_sheet_colour colour_of(const struct ep_diff_row *row)
{
    if (row->verdict == EP_DIFF_SLOWER)
        return EP_REPORT_SHEET_RED;
    return row->verdict == EP_DIFF_FASTER ? EP_REPORT_SHEET_GREEN : EP_REPORT_SHEET_PLAIN;
}

static struct ep_report_sheet_cell cell_at(const void *context, size_t i, size_t c)
{
    const struct table *table = context;
    const struct column *column = &table->columns[c];
    const struct ep_diff_row *row = &table->diff->rows[i];
    struct ep_report_sheet_cell cell = {.figure = figure_of(column, row)};
    if (column->subject == CHANGE || column->subject == VERDICT)
        cell.colour = colour_of(row);
    return cell;
}

/* ---- lines ---- */

static const struct ep_report_sheet_line *line_at(const void *context, size_t i)
{
    const struct table *table = context;
    return &table->lines[i];
}

static void make_lines(struct table *table, char *const *labels)
{
    size_t left_out = table->diff->row_count - table->row_count;
    for (size_t i = 0; i < table->row_count; i++)
        table->lines[i] = (struct ep_report_sheet_line){.name = labels[i]};
    table->line_count = table->row_count;
    if (left_out == 0)
        return;
    struct ep_report_sheet_line *rest = &table->lines[table->line_count++];
    *rest = (struct ep_report_sheet_line){.is_alone = true};
    snprintf(rest->text, sizeof rest->text, "%s %zu more", ep_report_sheet_gap(&table->style),
             left_out);
}

static void write_rows(struct ep_output *out, struct table *table)
{
    char **labels = ep_report_diff_labels_make(table->diff, table->row_count);
    table->lines = malloc((table->row_count + 1) * sizeof *table->lines);
    if (labels && table->lines) {
        make_lines(table, labels);
        ep_report_sheet_write(out, &(struct ep_report_sheet){.style = &table->style,
                                                             .title = "region",
                                                             .columns = table->titles,
                                                             .column_count = table->column_count,
                                                             .line_count = table->line_count,
                                                             .line = line_at,
                                                             .cell = cell_at,
                                                             .context = table});
    } else {
        ep_output_fail(out, ENOMEM);
    }
    ep_report_diff_labels_free(labels, table->row_count);
    free(table->lines);
}

/* ---- around them ---- */

/* "before: a.eprof, of ./server --port 80, process 4711, 2026-11-21 17:34:07" */
static void write_origin(struct ep_output *out, const struct table *table, enum ep_diff_side side,
                         const char *name)
{
    const char *gap = ep_report_sheet_gap(&table->style);
    size_t columns = table->style.columns, used = strlen("before: ");
    ep_output_print(out, "%-8s", side == EP_DIFF_BEFORE ? "before:" : "after:");
    if (name) {
        size_t width = ep_escape_name_width(name), most = columns / 3;
        width = columns && width > most ? most : width;
        ep_escape_name_cut(out, name, width, gap);
        ep_output_text(out, " ");
        used += width + 1;
    }
    size_t left = columns > used ? columns - used : 1;
    ep_report_origin_write(out, table->diff->sides[side], columns ? left : 0, gap);
}

static void write_head(struct ep_output *out, const struct table *table,
                       const struct ep_report_diff_options *options)
{
    ep_output_text(out, "\neProf Diff: ");
    ep_report_diff_summary_title(out, table->diff);
    ep_output_text(out, "\n");
    for (int side = 0; side < EP_DIFF_SIDES; side++)
        write_origin(out, table, (enum ep_diff_side)side, options->names[side]);
    ep_output_text(out, "\n");
}

static void write_foot(struct ep_output *out, const struct table *table)
{
    ep_output_text(out, "\n");
    ep_report_diff_summary_found(out, table->diff);
    ep_output_text(out, "\n");
    ep_report_diff_summary_trust(out, table->diff);
    ep_output_text(out, "\n");
    for (int side = 0; side < EP_DIFF_SIDES; side++) {
        ep_output_print(out, "\n%s:", ep_report_diff_sides[side]);
        ep_report_trouble_write(out, table->diff->sides[side]); /* begins with an end of the line */
    }
}

void ep_report_diff_table(struct ep_output *out, const struct ep_diff *diff,
                          const struct ep_report_diff_options *options)
{
    struct table table = {.diff = diff,
                          .style = ep_report_sheet_style_of(out, false),
                          .row_count = ep_report_diff_shown(diff, options, ROWS_MOST)};
    out->is_ascii = !table.style.is_utf8;
    choose_columns(&table);
    write_head(out, &table, options);
    write_rows(out, &table);
    write_foot(out, &table);
}
