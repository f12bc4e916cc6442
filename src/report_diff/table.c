#include "report_diff/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "report/format.h"
#include "report/head.h"
#include "report/report.h"
#include "report/sheet.h"
#include "report_diff/format.h"

enum { COLUMNS_MOST = EP_REPORT_DIFF_FIELDS + 4 };

struct table {
    const struct ep_diff *diff;
    size_t shown[COLUMNS_MOST]; /* the columns, by their numbers below */
    size_t shown_count;
    struct ep_report_sheet_style style;
    struct ep_report_sheet_line *lines; /* the rows, and one for rows left out */
    size_t row_count, line_count;
};

/* ---- columns: the numbers of calls and times of both sides are those of the fields of csv ---- */

enum { DIFFERENCE = EP_REPORT_DIFF_FIELDS, CHANGE, INTERVAL, VERDICT, COLUMNS };
_Static_assert(COLUMNS == (int)COLUMNS_MOST, "all columns may be shown");

/* Without room p99 is left out first, then the mean, which follows from total and calls. */
enum worth {
    ALWAYS,
    WORTH_P99,
    WORTH_MEAN,
    WORTH_CPU,
    WORTH_CALLS,
    WORTH_SELF,
    WORTH_TOTAL,
    WORTH_DIFFERENCE,
    WORTH_INTERVAL
};

#define BOTH_SIDES(of, its_worth)                                                                  \
    {.title = "before", .group = (of), .worth = (its_worth)},                                      \
    {                                                                                              \
        .title = "after", .group = (of), .worth = (its_worth)                                      \
    }

static const struct ep_report_sheet_column columns[COLUMNS] = {
    BOTH_SIDES("calls", WORTH_CALLS),
    BOTH_SIDES("total", WORTH_TOTAL),
    BOTH_SIDES("self", WORTH_SELF),
    BOTH_SIDES("mean", WORTH_MEAN),
    BOTH_SIDES("p99", WORTH_P99),
    [EP_REPORT_DIFF_CPU] = BOTH_SIDES("cpu", WORTH_CPU),
    BOTH_SIDES("wait", WORTH_CPU),
    [DIFFERENCE] = {.title = "difference", .worth = WORTH_DIFFERENCE},
    [CHANGE] = {.title = "change"},
    [INTERVAL] = {.title = "interval", .worth = WORTH_INTERVAL},
    [VERDICT] = {.title = "verdict"},
};

/* ---- cells ---- */

static struct ep_report_figure figure_of(const struct ep_diff_row *row, size_t column)
{
    const struct ep_report_figure empty = {""};
    switch (column) {
    case DIFFERENCE:
        return ep_report_diff_format_figure_difference(row->change_ns);
    case CHANGE:
        return ep_report_diff_format_figure_change(row);
    case INTERVAL:
        return ep_report_diff_format_figure_interval(row);
    case VERDICT: /* the change says "new" or "gone" */
        return row->verdict == EP_DIFF_UNKNOWN
                   ? empty
                   : ep_report_format_around(ep_diff_verdict_word(row), empty, "");
    default:
        return ep_report_diff_format_field_figure(row, column);
    }
}

static struct ep_report_sheet_cell cell_at(const void *context, size_t i, size_t at)
{
    const struct table *table = context;
    const struct ep_diff_row *row = &table->diff->rows[i];
    size_t c = table->shown[at];
    struct ep_report_sheet_cell cell = {.figure = figure_of(row, c)};
    /* a colour needs evidence; the verdict says the same in words */
    if (c == CHANGE || c == VERDICT)
        cell.colour = row->verdict == EP_DIFF_SLOWER   ? EP_REPORT_SHEET_RED
                      : row->verdict == EP_DIFF_FASTER ? EP_REPORT_SHEET_GREEN
                                                       : EP_REPORT_SHEET_PLAIN;
    return cell;
}

/* ---- lines ---- */

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
    ep_report_sheet_line_rest(rest, ep_report_sheet_gap(&table->style), left_out, "more");
}

/* Processor time is shown if it can be compared. */
static void choose_columns(struct table *table)
{
    size_t times = ep_diff_has_cpu(table->diff) ? EP_DIFF_TIMES : EP_DIFF_CPU;
    size_t end = ep_report_diff_format_has_intervals(table->diff) ? COLUMNS : INTERVAL;
    for (size_t field = 0; field < EP_DIFF_SIDES; field++)
        table->shown[table->shown_count++] = EP_REPORT_DIFF_CALLS + field;
    for (size_t time = 0; time < times; time++)
        for (size_t side = 0; side < EP_DIFF_SIDES; side++)
            table->shown[table->shown_count++] =
                ep_report_diff_format_field_of((enum ep_diff_figure)time) + side;
    for (size_t column = DIFFERENCE; column < end; column++)
        table->shown[table->shown_count++] = column;
}

/* The judged time always stays, with its change and the verdict. */
static void write_sheet(struct ep_output *out, const struct table *table)
{
    struct ep_report_sheet_column shown[COLUMNS];
    size_t judged = ep_report_diff_format_field_of(ep_diff_judged(table->diff));
    for (size_t i = 0; i < table->shown_count; i++) {
        size_t column = table->shown[i];
        shown[i] = columns[column];
        if (column == judged + EP_DIFF_BEFORE || column == judged + EP_DIFF_AFTER)
            shown[i].worth = ALWAYS;
    }
    ep_report_sheet_write(out, &(struct ep_report_sheet){.style = &table->style,
                                                         .title = "region",
                                                         .columns = shown,
                                                         .column_count = table->shown_count,
                                                         .lines = table->lines,
                                                         .line_count = table->line_count,
                                                         .cell = cell_at,
                                                         .context = table});
}

static void write_rows(struct ep_output *out, struct table *table)
{
    char **labels = ep_report_diff_format_labels_make(table->diff, table->row_count);
    table->lines = malloc((table->row_count + 1) * sizeof *table->lines);
    if (labels && table->lines) {
        choose_columns(table);
        make_lines(table, labels);
        write_sheet(out, table);
    } else {
        ep_output_fail(out, ENOMEM);
    }
    ep_report_diff_format_labels_free(labels, table->row_count);
    free(table->lines);
}

/* ---- head and foot ---- */

/* "before: a.eprof, of ./server --port 80, process 4711, 2026-11-21 17:34:07" */
static void write_origin(struct ep_output *out, const struct table *table, enum ep_diff_side side,
                         const char *name)
{
    const char *gap = ep_report_sheet_gap(&table->style);
    size_t terminal = table->style.columns, used = strlen("before: ");
    ep_output_print(out, "%-8s", side == EP_DIFF_BEFORE ? "before:" : "after:");
    if (name) {
        size_t width = ep_escape_name_width(name), most = terminal / 3;
        width = terminal && width > most ? most : width;
        ep_escape_name_cut(out, name, width, gap);
        ep_output_text(out, " ");
        used += width + 1;
    }
    size_t left = terminal > used ? terminal - used : 1;
    ep_report_format_origin(out, table->diff->sides[side], terminal ? left : 0, gap);
}

/* The head of both sides: what each run took, and what profiling cost in it. Of several files it is
 * the average, as their sums would depend on the number of files. */
enum { WALL, COVER, CPU, THREADS, OVERHEAD, OVERHEAD_SHARE, RUN_COLUMNS };

static const struct ep_report_sheet_column run_columns[RUN_COLUMNS] = {
    [WALL] = {.title = "wall time"},     [COVER] = {.title = "in scopes", .worth = 2},
    [CPU] = {.title = "processor time"}, [THREADS] = {.title = "threads", .worth = 1},
    [OVERHEAD] = {.title = "overhead"},  [OVERHEAD_SHARE] = {.title = "overhead%", .worth = 2},
};

static struct ep_report_figure average_of(uint64_t sum_ns, size_t files)
{
    if (sum_ns == EPROF_UNKNOWN)
        return (struct ep_report_figure){""};
    return ep_report_format_duration(sum_ns / (files ? files : 1));
}

static struct ep_report_sheet_cell run_cell_at(const void *context, size_t side, size_t column)
{
    const struct ep_diff *diff = context;
    const struct eprof_snapshot *snapshot = diff->sides[side];
    size_t files = diff->files[side];
    const struct ep_report_figure figures[RUN_COLUMNS] = {
        [WALL] = average_of(snapshot->run.wall_ns, files),
        [COVER] = ep_report_head_cover(snapshot),
        [CPU] = average_of(snapshot->run.cpu_ns, files),
        [THREADS] = ep_report_format_decimal(snapshot->run.threads, 0),
        [OVERHEAD] = average_of(snapshot->run.overhead_ns, files),
        [OVERHEAD_SHARE] = ep_report_head_overhead_share(snapshot),
    };
    struct ep_report_figure none = {"-"};
    return (struct ep_report_sheet_cell){*figures[column].text ? figures[column] : none,
                                         EP_REPORT_SHEET_PLAIN};
}

static void write_runs(struct ep_output *out, const struct table *table)
{
    const struct ep_diff *diff = table->diff;
    const struct ep_report_sheet_line lines[EP_DIFF_SIDES] = {
        {.name = ep_report_diff_format_sides[EP_DIFF_BEFORE]},
        {.name = ep_report_diff_format_sides[EP_DIFF_AFTER]}};
    bool is_average = diff->files[EP_DIFF_BEFORE] > 1 || diff->files[EP_DIFF_AFTER] > 1;
    if (!ep_report_head_is_known(diff->sides[EP_DIFF_BEFORE]) &&
        !ep_report_head_is_known(diff->sides[EP_DIFF_AFTER]))
        return;
    ep_report_sheet_write(out,
                          &(struct ep_report_sheet){.style = &table->style,
                                                    .title = is_average ? "average run" : "run",
                                                    .columns = run_columns,
                                                    .column_count = RUN_COLUMNS,
                                                    .lines = lines,
                                                    .line_count = EP_DIFF_SIDES,
                                                    .cell = run_cell_at,
                                                    .context = diff});
    for (enum ep_diff_side side = 0; side < EP_DIFF_SIDES; side++)
        if (*ep_report_head_moment(diff->sides[side]))
            ep_output_print(out, "times of the run %s are %s\n", ep_report_diff_format_sides[side],
                            ep_report_head_moment(diff->sides[side]));
    ep_output_text(out, "\n");
}

static void write_head(struct ep_output *out, const struct table *table,
                       const struct ep_report_diff_options *options)
{
    ep_output_text(out, "\neProf Diff: ");
    ep_report_diff_format_summary_title(out, table->diff);
    ep_output_text(out, "\n");
    for (enum ep_diff_side side = 0; side < EP_DIFF_SIDES; side++)
        write_origin(out, table, side, options->names[side]);
    ep_output_text(out, "\n");
    write_runs(out, table);
}

static void write_foot(struct ep_output *out, const struct table *table)
{
    ep_output_text(out, "\n");
    ep_report_diff_format_summary_found(out, table->diff);
    ep_output_text(out, "\n");
    ep_report_diff_format_summary_trust(out, table->diff);
    ep_output_text(out, "\n");
    for (enum ep_diff_side side = 0; side < EP_DIFF_SIDES; side++) {
        ep_output_print(out, "\n%s:", ep_report_diff_format_sides[side]);
        ep_report_notes_write(out, table->diff->sides[side]); /* begins with a newline */
    }
}

void ep_report_diff_table(struct ep_output *out, const struct ep_diff *diff,
                          const struct ep_report_diff_options *options, size_t rows)
{
    struct table table = {
        .diff = diff, .style = ep_report_sheet_style_of(out, false), .row_count = rows};
    out->is_ascii = !table.style.is_utf8;
    write_head(out, &table, options);
    write_rows(out, &table);
    ep_report_diff_values_table(out, diff, &table.style);
    write_foot(out, &table);
}
