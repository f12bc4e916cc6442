#include "report/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/wide.h"
#include "report/chain.h"
#include "report/chosen.h"
#include "report/format.h"
#include "report/head.h"
#include "report/sheet.h"
#include "report/tree_choice.h"
#include "report/walk.h"
#include "snapshot/columns.h"

struct tree {
    struct ep_output *out;
    const struct eprof_snapshot *snapshot;
    struct ep_report_sheet_style style;
    size_t most_rows;
};

static bool is_of_processes(const struct ep_report_sheet_column *column)
{
    for (size_t i = 0; i < EP_PROCESS_FIELDS; i++)
        if (column->offset == ep_columns_of_processes[i].offset)
            return true;
    return false;
}

/* The columns that were chosen, or those of the sheet; %parent only if it was asked for. The lines
 * of a list have no parent, and how their sums over call paths are spread over processes is not
 * known. */
static size_t columns_of(const struct tree *tree, const struct ep_report_sheet *sheet, bool is_list,
                         struct ep_report_sheet_column columns[EP_REPORT_SHEET_MOST_COLUMNS])
{
    const struct ep_snapshot_options *options = &tree->snapshot->options;
    struct ep_report_sheet_column chosen[EP_CHOSEN_COLUMNS];
    size_t chosen_count = ep_report_chosen_columns(&options->columns, chosen), count = 0;
    const struct ep_report_sheet_column *all = chosen_count ? chosen : sheet->columns;
    bool has_parents = !is_list && (chosen_count || options->parent_shares);
    for (size_t c = 0; c < (chosen_count ? chosen_count : sheet->column_count); c++)
        if ((!all[c].is_parent_share || has_parents) && !(is_list && is_of_processes(&all[c])))
            columns[count++] = all[c];
    return count;
}

/* Adds the column that rows are sorted by. Returns the width of the names. */
static size_t write_sheet(const struct tree *tree, struct ep_report_sheet sheet, bool is_list)
{
    struct ep_report_sheet_column columns[EP_REPORT_SHEET_MOST_COLUMNS];
    size_t count = columns_of(tree, &sheet, is_list, columns);
    sheet.style = &tree->style;
    sheet.columns = columns;
    sheet.column_count = ep_report_sheet_order(columns, count, tree->snapshot->order);
    return ep_report_sheet_write(tree->out, &sheet);
}

/* The line of a row. The colour shows the share of its self time. */
static struct ep_report_sheet_line line_of(const struct tree *tree, const struct eprof_row *row,
                                           struct ep_site_mark mark, uint64_t whole_ns)
{
    mark.is_ambiguous |= tree->snapshot->options.locations;
    return (struct ep_report_sheet_line){.row = row,
                                         .mark = mark,
                                         .colour = ep_report_sheet_heat(row->self_ns, whole_ns),
                                         .whole_ns = whole_ns};
}

/* ---- the top functions below a tree, by self time or the order asked for ---- */

enum { TOPS_SHOWN = 10 }; /* where no number was asked for */

/* The widest default title; the names of a tree are at least as wide, so that both sheets align. */
#define TOPS_TITLE "top functions by self time"

static const struct ep_report_sheet_column top_columns[] = {
    EP_REPORT_SHEET_COUNT(calls, false),           EP_REPORT_SHEET_TIME("total", total_ns, 0),
    EP_REPORT_SHEET_SHARE("%total", total_ns, 0),  EP_REPORT_SHEET_TIME("self", self_ns, 0),
    EP_REPORT_SHEET_SHARE("self%", self_ns, 0),    EP_REPORT_SHEET_RARE_TIME("cpu", cpu_ns, 5),
    EP_REPORT_SHEET_RARE_TIME("wait", wait_ns, 5),
};

static void write_tops(const struct tree *tree, const struct ep_part *part, size_t name_width)
{
    const struct eprof_snapshot *snapshot = tree->snapshot;
    const struct ep_field *order = snapshot->order;
    uint64_t whole_ns = ep_rows_part_whole(snapshot, part).total_ns;
    size_t count = part->top_end - part->top_first;
    size_t shown = snapshot->is_chosen || count <= TOPS_SHOWN + 1 ? count : TOPS_SHOWN;
    struct ep_report_sheet_line *lines = malloc((shown + 1) * sizeof *lines);
    char title[48] = TOPS_TITLE;
    if (!lines) {
        ep_output_fail(tree->out, ENOMEM);
        return;
    }
    if (order)
        snprintf(title, sizeof title, "top functions by %s%s", order->name,
                 strcmp(order->name, "self") == 0 || strcmp(order->name, "total") == 0 ? " time"
                                                                                       : "");
    struct ep_report_sheet_line *rest = &lines[shown];
    *rest = (struct ep_report_sheet_line){.has_part = true, .whole_ns = whole_ns};
    ep_report_sheet_line_rest(rest, ep_report_sheet_gap(&tree->style), count - shown, "more");
    for (size_t i = 0; i < count; i++) {
        const struct eprof_row *row = &snapshot->tops[part->top_first + i];
        if (i < shown)
            lines[i] = line_of(tree, row, snapshot->top_marks[part->top_first + i], whole_ns);
        else
            rest->part_ns = ep_saturating_add(rest->part_ns, row->self_ns);
    }
    ep_output_text(tree->out, "\n");
    write_sheet(tree,
                (struct ep_report_sheet){.title = title,
                                         .columns = top_columns,
                                         .column_count = sizeof top_columns / sizeof top_columns[0],
                                         .part_offset = offsetof(struct eprof_row, self_ns),
                                         .lines = lines,
                                         .line_count = shown + (shown < count),
                                         .name_width_least = name_width},
                true);
    free(lines);
}

/* ---- the tree ---- */

enum {
    THREAD_LEAST_ROWS = 20 /* threads share the rows of one tree, but each has at least so many */
};

static const struct ep_report_sheet_column tree_columns[] = {
    EP_REPORT_SHEET_COUNT(calls, false),
    EP_REPORT_SHEET_OUTERMOST,
    EP_REPORT_SHEET_TIME("total", total_ns, 0),
    EP_REPORT_SHEET_SHARE("%total", total_ns, 0),
    EP_REPORT_SHEET_PARENT_SHARE,
    EP_REPORT_SHEET_TIME("self", self_ns, 0),
    EP_REPORT_SHEET_SHARE("self%", self_ns, 4),
    EP_REPORT_SHEET_RARE_TIME("cpu", cpu_ns, 6),
    EP_REPORT_SHEET_RARE_TIME("wait", wait_ns, 6),
    EP_REPORT_SHEET_TIME("mean", mean_ns, 5),
    EP_REPORT_SHEET_TIME("p50", p50_ns, 1),
    EP_REPORT_SHEET_TIME("p99", p99_ns, 3),
    EP_REPORT_SHEET_TIME("max", max_ns, 2),
    EP_REPORT_SHEET_RATE(4),
    EP_REPORT_SHEET_RARE_COUNT("imbalance", imbalance_millionths, 6),
    EP_REPORT_SHEET_RARE_COUNT("slowest", process_slowest, 6),
    EP_REPORT_SHEET_COUNT(errors, true),
    EP_REPORT_SHEET_COUNT(open, true),
};

/* The names of the rows that share a line, to be freed; NULL: no memory. */
static char *names_of(const struct tree *tree, const struct ep_tree_line *chosen)
{
    struct ep_report_chain chain = {.count = 0};
    for (size_t row = chosen->row; row <= chosen->last; row++)
        ep_report_chain_add(&chain, &tree->snapshot->rows[row],
                            tree->snapshot->options.locations ||
                                ep_rows_position(tree->snapshot, row)->mark.is_ambiguous);
    return ep_report_chain_text(&chain, " > ", ep_report_sheet_gap(&tree->style));
}

static struct ep_report_sheet_line line_at(const struct tree *tree,
                                           const struct ep_tree_line *chosen, uint64_t whole_ns)
{
    bool is_chain = chosen->kind == EP_TREE_CHAIN;
    struct ep_report_sheet_line line;
    if (chosen->kind == EP_TREE_ROW) {
        line = line_of(tree, &tree->snapshot->rows[chosen->last],
                       ep_rows_position(tree->snapshot, chosen->last)->mark, whole_ns);
        line.parent_ns = chosen->parent_ns;
        if (chosen->last > chosen->row)
            line.name = names_of(tree, chosen);
        return line;
    }
    line = (struct ep_report_sheet_line){.is_alone = is_chain,
                                         .has_part = !is_chain,
                                         .part_ns = chosen->part_ns,
                                         .parent_ns = chosen->parent_ns,
                                         .whole_ns = whole_ns};
    ep_report_sheet_line_rest(&line, ep_report_sheet_gap(&tree->style), chosen->left_out,
                              is_chain ? "scopes, each only in the one before" : "more");
    return line;
}

static void make_lines(const struct tree *tree, struct ep_report_sheet_line *lines,
                       const struct ep_tree_choice *choice)
{
    bool goes_on[EP_REPORT_SHEET_LEVELS + 1] = {false};
    for (size_t i = 0; i < choice->count; i++) {
        const struct ep_tree_line *chosen = &choice->lines[i];
        lines[i] = line_at(tree, chosen, choice->whole_ns);
        if (chosen->last > chosen->row && !lines[i].name)
            ep_output_fail(tree->out, ENOMEM);
        /* the number of a level also counts the links left out */
        ep_report_sheet_line_branches(&lines[i], &tree->style, goes_on, chosen->depth,
                                      ep_rows_position(tree->snapshot, chosen->row)->depth,
                                      chosen->is_last);
    }
}

/* Returns the width of the names. */
static size_t write_calls(const struct tree *tree, const struct ep_part *part)
{
    struct ep_tree_choice choice;
    struct ep_report_sheet_line *lines = NULL;
    struct ep_whole whole = ep_rows_part_whole(tree->snapshot, part);
    size_t width = 0;
    if (ep_report_tree_choice_make(&choice, tree->snapshot, part, tree->most_rows) == 0)
        lines = malloc((choice.count + 1) * sizeof *lines);
    if (lines) {
        make_lines(tree, lines, &choice);
        width = write_sheet(
            tree,
            (struct ep_report_sheet){.title = whole.functions == whole.sites ? "function" : "scope",
                                     .columns = tree_columns,
                                     .column_count = sizeof tree_columns / sizeof tree_columns[0],
                                     .part_offset = offsetof(struct eprof_row, total_ns),
                                     .lines = lines,
                                     .line_count = choice.count,
                                     .name_width_least = strlen(TOPS_TITLE)},
            false);
    } else {
        ep_output_fail(tree->out, ENOMEM);
    }
    for (size_t i = 0; lines && i < choice.count; i++)
        free((char *)(uintptr_t)lines[i].name);
    free(lines);
    ep_report_tree_choice_free(&choice);
    return width;
}

/* ---- one tree for all threads, or one for each ---- */

/* The number of rows that a view asked for; the other rows are ancestors of those. */
static size_t count_chosen(const struct eprof_snapshot *snapshot, const struct ep_part *part)
{
    size_t count = 0;
    for (size_t row = part->first; row < part->end; row++)
        count += !ep_rows_position(snapshot, row)->is_around;
    return count;
}

/* "12 scopes", "3 functions and 9 scopes" */
static void write_sites(struct ep_output *out, const struct ep_whole *whole)
{
    size_t scopes = whole->sites - whole->functions;
    if (whole->functions > 0)
        ep_output_count(out, whole->functions, "function");
    if (whole->functions > 0 && scopes > 0)
        ep_output_text(out, " and ");
    if (scopes > 0 || whole->functions == 0)
        ep_output_count(out, scopes, "scope");
}

/* "12 scopes on 57 call paths, 1.23 s", for a view "57 call paths (20 chosen)" */
static void write_sum(const struct tree *tree, const struct ep_part *part)
{
    struct ep_whole whole = ep_rows_part_whole(tree->snapshot, part);
    write_sites(tree->out, &whole);
    ep_output_text(tree->out, " on ");
    ep_output_count(tree->out, whole.positions, "call path");
    if (tree->snapshot->wholes)
        ep_output_print(tree->out, " (%zu chosen)", count_chosen(tree->snapshot, part));
    ep_output_print(tree->out, ", %s%s",
                    ep_report_format_time(whole.total_ns, tree->style.in_ticks, false).text,
                    tree->style.in_ticks ? " ticks" : "");
}

static void write_part(const struct tree *tree, const struct ep_part *part)
{
    ep_output_text(tree->out, "\n");
    write_tops(tree, part, write_calls(tree, part));
}

static void end_title(const struct tree *tree)
{
    ep_output_text(tree->out, ", source ");
    ep_escape_name(tree->out, tree->snapshot->source);
    if (tree->style.in_ticks && tree->snapshot->ticks_per_us > 0) {
        ep_output_text(tree->out, ", ");
        ep_report_format_rate(tree->out, tree->snapshot->ticks_per_us);
    }
    ep_output_text(tree->out, "\n");
    ep_report_format_origin(tree->out, tree->snapshot, tree->style.columns,
                            ep_report_sheet_gap(&tree->style));
    ep_report_head_write(tree->out, tree->snapshot);
}

static void write_merged(const struct tree *tree)
{
    struct ep_part all = {.end = tree->snapshot->scope_first};
    ep_rows_part_next(tree->snapshot, &all);
    ep_output_text(tree->out, "\neProf Tree: ");
    write_sum(tree, &all);
    end_title(tree);
    write_part(tree, &all);
}

static void write_threads(struct tree *tree)
{
    const struct eprof_snapshot *snapshot = tree->snapshot;
    size_t threads = ep_report_walk_trees(snapshot);
    struct ep_part part = {.end = snapshot->scope_first};
    if (tree->most_rows / threads < THREAD_LEAST_ROWS)
        tree->most_rows = THREAD_LEAST_ROWS;
    else
        tree->most_rows /= threads;
    ep_output_text(tree->out, "\neProf Tree: ");
    ep_output_count(tree->out, threads, "thread");
    end_title(tree);
    while (ep_rows_part_next(snapshot, &part)) {
        ep_output_text(tree->out, "\n");
        ep_escape_name(tree->out, snapshot->rows[part.first].thread);
        ep_output_text(tree->out, ": ");
        write_sum(tree, &part);
        ep_output_text(tree->out, "\n");
        write_part(tree, &part);
    }
}

/* Where a reader meets what else there is. */
static void write_hint(const struct tree *tree)
{
    bool has_threads = tree->snapshot->run.threads > 1;
    if (tree->snapshot->hint == EP_HINT_OPTIONS)
        ep_output_print(tree->out,
                        "more: eprof report --callers NAME, --histogram NAME, --columns LIST, "
                        "--depth N, %s--where, --format html\n",
                        has_threads ? "--thread NAME, " : "");
    if (tree->snapshot->hint == EP_HINT_ITEMS)
        ep_output_print(tree->out,
                        "more: EPROF=%shtml=FILE, table; or eprof run PROGRAM, then eprof report "
                        "--callers NAME, --histogram NAME\n",
                        has_threads ? "tree:threads, " : "");
}

void ep_report_tree(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    struct tree tree = {.out = out,
                        .snapshot = snapshot,
                        .style = ep_report_sheet_style_of(out, snapshot->options.ticks),
                        .most_rows = EP_TREE_MOST_ROWS};
    bool has_scopes = snapshot->scope_first < snapshot->diagnostic_first;
    out->is_ascii = !tree.style.is_utf8;
    if (has_scopes && snapshot->options.threads) {
        write_threads(&tree);
    } else if (has_scopes) {
        write_merged(&tree);
    } else {
        ep_output_text(out, "\neProf Tree: no scopes\n");
        ep_report_format_origin(out, snapshot, tree.style.columns,
                                ep_report_sheet_gap(&tree.style));
        ep_report_head_write(out, snapshot);
    }
    ep_report_values_write(out, snapshot, &tree.style);
    if (snapshot->scope_first > 0)
        ep_output_print(out, "\n%zu row%s of instances: see the table\n", snapshot->scope_first,
                        snapshot->scope_first == 1 ? "" : "s");
    ep_report_notes_write(out, snapshot);
    if (has_scopes)
        write_hint(&tree);
}
