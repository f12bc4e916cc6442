#include "report.h"

#include <inttypes.h>
#include <string.h>

/*
 * The beginning of the table is fixed, programs read it: the header, the rule,
 * and rows of "%d: %-12s%7llu%15llu". These are the widths of that form.
 */
enum { ID_WIDTH = 1, NAME_WIDTH = 12, CALLS_WIDTH = 7, MEAN_WIDTH = 15, RULE_WIDTH = 51 };

/* What stands between two of the further columns. */
enum { GAP_WIDTH = 2 };

/* A column behind the fixed ones. */
struct column {
    const char *title;
    size_t offset; /* in struct eprof_row */
    bool is_duration;
    bool (*is_worth_it)(const struct eprof_row *row); /* shown if it is for any row; NULL: always */
};

static bool has_untimed(const struct eprof_row *row)
{
    return row->timed != row->calls;
}

static bool has_errors(const struct eprof_row *row)
{
    return row->errors != 0;
}

static bool has_open(const struct eprof_row *row)
{
    return row->open != 0;
}

static const struct column columns[] = {
    {"total", offsetof(struct eprof_row, total_ns), true, NULL},
    {"min", offsetof(struct eprof_row, min_ns), true, NULL},
    {"p50", offsetof(struct eprof_row, p50_ns), true, NULL},
    {"p90", offsetof(struct eprof_row, p90_ns), true, NULL},
    {"p99", offsetof(struct eprof_row, p99_ns), true, NULL},
    {"p99.9", offsetof(struct eprof_row, p999_ns), true, NULL},
    {"max", offsetof(struct eprof_row, max_ns), true, NULL},
    {"stddev", offsetof(struct eprof_row, stddev_ns), true, NULL},
    {"timed", offsetof(struct eprof_row, timed), false, has_untimed},
    {"errors", offsetof(struct eprof_row, errors), false, has_errors},
    {"open", offsetof(struct eprof_row, open), false, has_open},
};

enum { COLUMNS = sizeof columns / sizeof columns[0] };

/* A table is written in two walks: the first finds the widths. */
struct table {
    struct ep_output *out;
    const struct eprof_row *rows;
    size_t row_count;
    bool in_ticks;
    bool has_threads;
    size_t id_width, name_width, calls_width, mean_width, thread_width;
    size_t width[COLUMNS]; /* 0: not shown */
};

/* ---------------------------------------------------------------- figures -- */

/* 20 digits of 2^64 with room for a point and a unit. */
struct figure {
    char text[28];
};

static uint64_t divide_rounded(uint64_t value, uint64_t divisor)
{
    return value / divisor + (value % divisor >= divisor - divisor / 2);
}

/* value / 10^places; made of integers, since %f asks the locale for its point. */
static struct figure decimal_figure(uint64_t value, unsigned places, const char *unit)
{
    static const unsigned powers[] = {1, 10, 100, 1000};
    struct figure figure;
    if (places)
        snprintf(figure.text, sizeof figure.text, "%" PRIu64 ".%0*u%s", value / powers[places],
                 (int)places, (unsigned)(value % powers[places]), unit);
    else
        snprintf(figure.text, sizeof figure.text, "%" PRIu64 "%s", value, unit);
    return figure;
}

/* Three digits, in the unit that fits: 1.23 us, 12.3 us, 123 us, 1.23 ms. The
 * second is the largest unit and takes all the digits that it needs. */
static struct figure duration_figure(uint64_t ns)
{
    static const char *const units[] = {" ns", " us", " ms", " s"};
    const unsigned second = 9; /* 10^9 ns */
    unsigned exponent = 0;
    uint64_t step_ns = 1; /* 10^exponent, what the last digit stands for */
    while (exponent < second && divide_rounded(ns, step_ns) >= 1000) {
        exponent++;
        step_ns *= 10;
    }
    /* a unit begins with two digits behind the point and ends with none */
    return decimal_figure(divide_rounded(ns, step_ns), (second - exponent) % 3,
                          units[(exponent + 2) / 3]);
}

/* usec/call, three digits behind the point below 100; or ticks/call. */
static struct figure mean_figure(const struct table *table, const struct eprof_row *row)
{
    if (table->in_ticks)
        return decimal_figure(row->mean_ns, 0, "");
    if (row->mean_ns < 100 * 1000)
        return decimal_figure(row->mean_ns, 3, "");
    return decimal_figure(divide_rounded(row->mean_ns, 1000), 0, "");
}

static struct figure column_figure(const struct table *table, const struct column *column,
                                   const struct eprof_row *row)
{
    uint64_t value = ep_report_value(row, column->offset);
    if (!column->is_duration)
        return decimal_figure(value, 0, "");
    /* nothing was measured, which is not the same as nothing passed */
    if (row->timed == 0)
        return (struct figure){"-"};
    return table->in_ticks ? decimal_figure(value, 0, "") : duration_figure(value);
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
        widen(&table->id_width, id_digits(row));
        widen(&table->name_width, ep_output_name_width(row->name));
        widen(&table->thread_width, ep_output_name_width(row->thread));
    }
    /* the numbers come after the names: one that would touch its left neighbour
     * is too long, even if it is not longer than its column */
    for (size_t i = 0; i < table->row_count; i++) {
        const struct eprof_row *row = &table->rows[i];
        size_t calls = strlen(decimal_figure(row->calls, 0, "").text);
        bool is_name_full = ep_output_name_width(row->name) == table->name_width;
        widen(&table->calls_width, calls + is_name_full);
        widen(&table->mean_width, strlen(mean_figure(table, row).text) + 1);
    }
}

static bool is_shown(const struct table *table, const struct column *column)
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
        const struct column *column = &columns[c];
        if (!is_shown(table, column))
            continue;
        table->width[c] = strlen(column->title);
        for (size_t i = 0; i < table->row_count; i++)
            widen(&table->width[c], strlen(column_figure(table, column, &table->rows[i]).text));
    }
}

static size_t header_width(const struct table *table)
{
    size_t width =
        table->id_width + strlen(": ") + table->name_width + table->calls_width + table->mean_width;
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
    ep_output_name(out, name);
    ep_output_repeat(out, ' ', width - ep_output_name_width(name));
}

/* "calls" stands one column further right than the numbers below it: so does the
 * fixed form. */
static void write_header(const struct table *table)
{
    struct ep_output *out = table->out;
    write_left(out, "ID", table->id_width + strlen(": "));
    write_left(out, "name", table->name_width);
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

static void write_row(const struct table *table, const struct eprof_row *row)
{
    struct ep_output *out = table->out;
    ep_output_print(out, "%*d: ", (int)table->id_width, row->id);
    write_left(out, row->name, table->name_width);
    write_right(out, decimal_figure(row->calls, 0, "").text, table->calls_width);
    write_right(out, mean_figure(table, row).text, table->mean_width);
    if (table->has_threads) {
        ep_output_repeat(out, ' ', GAP_WIDTH);
        write_left(out, row->thread, table->thread_width);
    }
    for (size_t c = 0; c < COLUMNS; c++)
        if (table->width[c])
            write_right(out, column_figure(table, &columns[c], row).text,
                        GAP_WIDTH + table->width[c]);
    ep_output_text(out, "\n");
}

static void write_table(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    struct table table = {
        .out = out,
        .rows = snapshot->rows,
        .row_count = snapshot->trouble_first,
        .in_ticks = snapshot->options.ticks,
        .has_threads = snapshot->options.threads,
        .id_width = ID_WIDTH,
        .name_width = NAME_WIDTH,
        .calls_width = CALLS_WIDTH,
        .mean_width = MEAN_WIDTH,
        .thread_width = strlen("thread"),
    };
    measure_fixed(&table);
    measure_further(&table);
    ep_output_text(out, "\neProf Result:\n\n");
    write_header(&table);
    write_rule(&table);
    for (size_t i = 0; i < table.row_count; i++)
        write_row(&table, &table.rows[i]);
}

/* ------------------------------------------------- how far it can be trusted -- */

static void write_probe(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    bool raw = snapshot->options.raw;
    if (snapshot->pair_ns > 0) {
        ep_output_text(out, "; an empty pair costs ");
        ep_output_decimal(out, snapshot->pair_ns, 1);
        ep_output_text(out, " ns");
    }
    if (snapshot->inside_ns > 0) {
        ep_output_text(out, snapshot->pair_ns > 0 ? ", of which " : "; of an empty pair ");
        ep_output_decimal(out, snapshot->inside_ns, 1);
        ep_output_text(out, raw ? " ns are read inside (not taken off)"
                                : " ns would be read inside (taken off)");
    }
}

/* What is not known is left out. */
static void write_source(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    double ticks_per_us = snapshot->ticks_per_us;
    ep_output_text(out, "\nsource ");
    ep_output_name(out, snapshot->source);
    if (ticks_per_us > 0) {
        /* a slow source's rate would have no digits left */
        bool is_slow = ticks_per_us < 1;
        ep_output_text(out, ": ");
        ep_output_decimal(out, is_slow ? ticks_per_us * 1e6 : ticks_per_us, 1);
        ep_output_text(out, is_slow ? " ticks/s" : " ticks/us");
    }
    if (snapshot->resolution_ns > 0) {
        ep_output_text(out, ticks_per_us > 0 ? ", resolution " : ": resolution ");
        ep_output_decimal(out, snapshot->resolution_ns, 1);
        ep_output_text(out, " ns");
    }
    write_probe(out, snapshot);
    ep_output_text(out, "\n");
}

/* What a user reads of trouble: what happened, and what to do about it. */
struct advice {
    const char *name;
    const char *one;
    const char *many;
    const char *remedy;
};

static const struct advice advices[] = {
    {"unbalanced", "stop without a start on its thread", "stops without a start on their thread",
     "for a region that ends on another thread use eprof_record()"},
    {"bad_handles", "call with a handle of no instance", "calls with a handle of no instance",
     "it was freed, or eprof_alloc() had returned -1"},
    {"unknown_labels", "call of eprof_free() with a label that is not there",
     "calls of eprof_free() with a label that is not there",
     "compare it with the label that eprof_alloc() was given"},
    {"lost", "call that could not be recorded", "calls that could not be recorded",
     "the figures above are without them"},
    {"out_of_cells", "call lost for want of memory", "calls lost for want of memory",
     "release instances that are done with, or give the process more memory"},
    {"forced_closes", "region whose end never came", "regions whose end never came",
     "look for a longjmp() out of it, or a missing eprof_leave()"},
    {"stray_keeps", "call of eprof_keep() without an eprof_hold()",
     "calls of eprof_keep() without an eprof_hold()", "both belong on one thread"},
    {"clock", "pair with an impossible length", "pairs with an impossible length",
     "the clock went back or jumped; they count as calls and errors only; try another source"},
    {"items_not_understood", "item of EPROF or eprof_setup() that was not carried out",
     "items of EPROF or eprof_setup() that were not carried out",
     "a line on stderr named each of them"},
};

static const struct advice *find_advice(const char *name)
{
    for (size_t i = 0; i < sizeof advices / sizeof advices[0]; i++)
        if (strcmp(advices[i].name, name) == 0)
            return &advices[i];
    return NULL;
}

static void write_trouble(struct ep_output *out, const struct eprof_row *row)
{
    const struct advice *advice = find_advice(row->name);
    ep_output_print(out, "%" PRIu64 " ", row->calls);
    if (!advice) {
        ep_output_name(out, row->name);
        ep_output_text(out, "\n");
        return;
    }
    ep_output_print(out, "%s (%s): %s\n", row->calls == 1 ? advice->one : advice->many,
                    advice->name, advice->remedy);
}

void ep_report_table(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    write_table(out, snapshot);
    write_source(out, snapshot);
    for (size_t i = snapshot->trouble_first; i < snapshot->row_count; i++)
        write_trouble(out, &snapshot->rows[i]);
}
