#include "report.h"

#include <string.h>

#include "escape_name.h"
#include "report_column.h"
#include "report_label.h"
#include "report_origin.h"
#include "report_rate.h"
#include "report_trouble.h"

/*
 * The beginning of the table is fixed, programs read it: the header, the rule,
 * and rows of "%d: %-12s%7llu%15llu". These are the widths of that form.
 */
enum { ID_WIDTH = 1, NAME_WIDTH = 12, CALLS_WIDTH = 7, MEAN_WIDTH = 15, RULE_WIDTH = 51 };

/* What stands between two of the further columns. */
enum { GAP_WIDTH = 2 };

/* Scopes are indented by so much for each level, down to a level from which on its number
 * stands before the name; and more than so many rows nobody reads who has not asked for them. */
enum { INDENT_WIDTH = 2, INDENT_LEVELS = 24, MOST_SCOPES = 1000 };

static bool has_untimed(const struct eprof_row *row)
{
    return row->timed != row->calls;
}

/* An instance has nothing inside it. */
static bool is_nested(const struct eprof_row *row)
{
    return strcmp(row->kind, "instance") != 0;
}

static const struct ep_report_column columns[] = {
    {"self", offsetof(struct eprof_row, self_ns), true, is_nested},
    {"total", offsetof(struct eprof_row, total_ns), true, NULL},
    {"min", offsetof(struct eprof_row, min_ns), true, NULL},
    {"p50", offsetof(struct eprof_row, p50_ns), true, NULL},
    {"p90", offsetof(struct eprof_row, p90_ns), true, NULL},
    {"p99", offsetof(struct eprof_row, p99_ns), true, NULL},
    {"p99.9", offsetof(struct eprof_row, p999_ns), true, NULL},
    {"max", offsetof(struct eprof_row, max_ns), true, NULL},
    {"stddev", offsetof(struct eprof_row, stddev_ns), true, NULL},
    {"timed", offsetof(struct eprof_row, timed), false, has_untimed},
    {"errors", offsetof(struct eprof_row, errors), false, ep_report_column_has_errors},
    {"open", offsetof(struct eprof_row, open), false, ep_report_column_has_open},
};

enum { COLUMNS = sizeof columns / sizeof columns[0] };

/* A table of instances, or of scopes. It is written in two walks: the first finds the widths. */
struct table {
    struct ep_output *out;
    const struct eprof_row *rows;
    const struct ep_tree_place *places; /* of the rows; NULL: they are instances */
    size_t row_count;
    bool in_ticks;
    bool has_threads;
    size_t id_width, name_width, calls_width, mean_width, thread_width;
    size_t width[COLUMNS]; /* 0: not shown */
};

static struct ep_report_figure calls_figure(const struct eprof_row *row)
{
    return ep_report_figure_decimal(row->calls, 0);
}

/* usec/call or ticks/call */
static struct ep_report_figure mean_figure(const struct table *table, const struct eprof_row *row)
{
    return table->in_ticks ? ep_report_figure_decimal(row->mean_ns, 0)
                           : ep_report_figure_usec(row->mean_ns);
}

/* ------------------------------------------------------------------ names -- */

/* What stands before a scope's name: blanks, or from a level on its number. */
struct indent {
    size_t width;
    char level[28];
};

static struct indent indent_of(const struct table *table, size_t i)
{
    struct indent indent = {0, ""};
    size_t depth = table->places ? table->places[i].depth : 0;
    if (depth > INDENT_LEVELS)
        snprintf(indent.level, sizeof indent.level, "%zu> ", depth);
    indent.width = INDENT_WIDTH * (depth < INDENT_LEVELS ? depth : INDENT_LEVELS);
    return indent;
}

static const struct ep_site_mark *mark_of(const struct table *table, size_t i)
{
    static const struct ep_site_mark none;
    return table->places ? &table->places[i].mark : &none;
}

static struct ep_report_figure figure_of(const struct table *table, size_t c, size_t i)
{
    return ep_report_column_figure(&columns[c], &table->rows[i], mark_of(table, i),
                                   table->in_ticks);
}

static bool is_ambiguous(const struct table *table, size_t i)
{
    return mark_of(table, i)->is_ambiguous;
}

static size_t name_width(const struct table *table, size_t i)
{
    struct indent indent = indent_of(table, i);
    return indent.width + strlen(indent.level) +
           ep_report_label_width(&table->rows[i], is_ambiguous(table, i));
}

static void write_name(const struct table *table, size_t i)
{
    struct indent indent = indent_of(table, i);
    ep_output_repeat(table->out, ' ', indent.width);
    ep_output_text(table->out, indent.level);
    ep_report_label_write(table->out, &table->rows[i], is_ambiguous(table, i),
                          table->name_width - indent.width - strlen(indent.level), "");
}

/* ----------------------------------------------------------------- widths -- */

static void widen(size_t *width, size_t needed)
{
    if (*width < needed)
        *width = needed;
}

static size_t id_digits(const struct eprof_row *row)
{
    return (size_t)snprintf(NULL, 0, "%d", row->id);
}

static void measure_fixed(struct table *table)
{
    for (size_t i = 0; i < table->row_count; i++) {
        const struct eprof_row *row = &table->rows[i];
        if (!table->places)
            widen(&table->id_width, id_digits(row));
        widen(&table->name_width, name_width(table, i));
        widen(&table->thread_width, ep_escape_name_width(row->thread));
    }
    /* the numbers come after the names: one that would touch its left neighbour
     * is too long, even if it is not longer than its column */
    for (size_t i = 0; i < table->row_count; i++) {
        const struct eprof_row *row = &table->rows[i];
        size_t calls = strlen(calls_figure(row).text);
        bool is_name_full = name_width(table, i) == table->name_width;
        widen(&table->calls_width, calls + is_name_full);
        widen(&table->mean_width, strlen(mean_figure(table, row).text) + 1);
    }
}

static bool is_shown(const struct table *table, const struct ep_report_column *column)
{
    if (!column->is_worth_it)
        return true;
    for (size_t i = 0; i < table->row_count; i++)
        if (column->is_worth_it(&table->rows[i]))
            return true;
    return false;
}

static void measure_further(struct table *table)
{
    for (size_t c = 0; c < COLUMNS; c++) {
        const struct ep_report_column *column = &columns[c];
        if (!is_shown(table, column))
            continue;
        table->width[c] = strlen(column->title);
        for (size_t i = 0; i < table->row_count; i++)
            widen(&table->width[c], strlen(figure_of(table, c, i).text));
    }
}

static size_t header_width(const struct table *table)
{
    size_t width = table->name_width + table->calls_width + table->mean_width;
    if (!table->places)
        width += table->id_width + strlen(": ");
    if (table->has_threads)
        width += GAP_WIDTH + table->thread_width;
    for (size_t c = 0; c < COLUMNS; c++)
        if (table->width[c])
            width += GAP_WIDTH + table->width[c];
    return width;
}

/* ------------------------------------------------------------------ lines -- */

static void write_right(struct ep_output *out, const char *text, size_t width)
{
    ep_output_print(out, "%*s", (int)width, text);
}

static void write_left(struct ep_output *out, const char *name, size_t width)
{
    ep_escape_name(out, name);
    ep_output_repeat(out, ' ', width - ep_escape_name_width(name));
}

/* Above the names: what all rows are. */
static const char *title_of(const struct table *table)
{
    if (!table->places)
        return "name";
    for (size_t i = 0; i < table->row_count; i++)
        if (strcmp(table->rows[i].kind, "function") != 0)
            return "scope";
    return "function";
}

/* "calls" stands one column further right than the numbers below it: so does the
 * fixed form. */
static void write_header(const struct table *table)
{
    struct ep_output *out = table->out;
    if (!table->places)
        write_left(out, "ID", table->id_width + strlen(": "));
    write_left(out, title_of(table), table->name_width);
    write_right(out, "calls", table->calls_width + 1);
    write_right(out, table->in_ticks ? "ticks/call" : "usec/call", table->mean_width - 1);
    if (table->has_threads) {
        ep_output_repeat(out, ' ', GAP_WIDTH);
        write_left(out, "thread", table->thread_width);
    }
    for (size_t c = 0; c < COLUMNS; c++)
        if (table->width[c])
            write_right(out, columns[c].title, GAP_WIDTH + table->width[c]);
    ep_output_text(out, "\n");
}

static void write_rule(const struct table *table)
{
    size_t width = RULE_WIDTH;
    widen(&width, header_width(table));
    ep_output_repeat(table->out, '-', width);
    ep_output_text(table->out, "\n");
}

static void write_row(const struct table *table, size_t i)
{
    struct ep_output *out = table->out;
    const struct eprof_row *row = &table->rows[i];
    if (!table->places)
        ep_output_print(out, "%*d: ", (int)table->id_width, row->id);
    write_name(table, i);
    write_right(out, calls_figure(row).text, table->calls_width);
    write_right(out, mean_figure(table, row).text, table->mean_width);
    if (table->has_threads) {
        ep_output_repeat(out, ' ', GAP_WIDTH);
        write_left(out, row->thread, table->thread_width);
    }
    for (size_t c = 0; c < COLUMNS; c++)
        if (table->width[c])
            write_right(out, figure_of(table, c, i).text, GAP_WIDTH + table->width[c]);
    ep_output_text(out, "\n");
}

/* Measures and writes a table whose rows are set. */
static void write_table(struct table *table)
{
    measure_fixed(table);
    measure_further(table);
    write_header(table);
    write_rule(table);
    for (size_t i = 0; i < table->row_count; i++)
        write_row(table, i);
}

static void write_instances(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    struct table table = {
        .out = out,
        .rows = snapshot->rows,
        .row_count = snapshot->scope_first,
        .in_ticks = snapshot->options.ticks,
        .has_threads = snapshot->options.threads,
        .id_width = ID_WIDTH,
        .name_width = NAME_WIDTH,
        .calls_width = CALLS_WIDTH,
        .mean_width = MEAN_WIDTH,
        .thread_width = strlen("thread"),
    };
    write_table(&table);
}

/* The name has the room of the ID as well, so that the columns of both tables meet. */
static void write_scopes(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    size_t count = snapshot->trouble_first - snapshot->scope_first;
    struct table table = {
        .out = out,
        .rows = &snapshot->rows[snapshot->scope_first],
        .places = snapshot->places,
        .row_count = count < MOST_SCOPES || snapshot->is_chosen ? count : MOST_SCOPES,
        .in_ticks = snapshot->options.ticks,
        .has_threads = snapshot->options.threads,
        .name_width = ID_WIDTH + strlen(": ") + NAME_WIDTH,
        .calls_width = CALLS_WIDTH,
        .mean_width = MEAN_WIDTH,
        .thread_width = strlen("thread"),
    };
    write_table(&table);
    if (count > table.row_count)
        ep_output_print(out, "and %zu more: csv has them all\n", count - table.row_count);
}

/* Below the rows: what is above them is fixed. */
static void write_origin(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    if (snapshot->command)
        ep_output_text(out, "\n");
    ep_report_origin_write(out, snapshot, 0, "");
}

/* Programs read it as it is where times are in ns. */
static void write_title(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    ep_output_text(out, "\neProf Result:");
    if (snapshot->options.ticks && snapshot->ticks_per_us > 0) {
        ep_output_text(out, " ");
        ep_report_rate_write(out, snapshot->ticks_per_us);
    }
    ep_output_text(out, "\n\n");
}

void ep_report_table(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    bool has_instances = snapshot->scope_first > 0;
    bool has_scopes = snapshot->scope_first < snapshot->trouble_first;
    write_title(out, snapshot);
    if (has_instances || !has_scopes)
        write_instances(out, snapshot);
    if (has_instances && has_scopes)
        ep_output_text(out, "\n");
    if (has_scopes)
        write_scopes(out, snapshot);
    write_origin(out, snapshot);
    ep_report_trouble_write(out, snapshot);
}
