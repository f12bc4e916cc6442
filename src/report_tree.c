#include "report.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "escape_name.h"
#include "report_order.h"
#include "report_origin.h"
#include "report_rate.h"
#include "report_sheet_rows.h"
#include "report_tree_choice.h"
#include "report_tree_taken.h"
#include "report_tree_tops.h"
#include "report_trouble.h"

enum {
    THREAD_LEAST_ROWS = 20, /* threads share the rows of one tree, but each has so many */
    LEVELS_MOST = 16,       /* of branches; below, a level's number stands before the name */
    LEVELS_LEAST = 4,
    LEVEL_BYTES = sizeof "4294967295> ",
    COLUMNS_PER_LEVEL = 10 /* of a terminal: branches take a fifth of it at most */
};

#define FIGURE(title, field)                                                                       \
    {                                                                                              \
        title, offsetof(struct eprof_row, field), true, NULL                                       \
    }
#define SHARE                                                                                      \
    {                                                                                              \
        "share", EP_REPORT_SHEET_SHARE, false, NULL                                                \
    }

static const struct ep_report_sheet_rows_column tree_columns[] = {
    {{"calls", offsetof(struct eprof_row, calls), false, NULL}, 0},
    {FIGURE("total", total_ns), 0},
    {SHARE, 0},
    {FIGURE("self", self_ns), 0},
    {FIGURE("mean", mean_ns), 4},
    {FIGURE("p50", p50_ns), 1},
    {FIGURE("p99", p99_ns), 3},
    {FIGURE("max", max_ns), 2},
    {{"errors", offsetof(struct eprof_row, errors), false, ep_report_column_has_errors}, 0},
    {{"open", offsetof(struct eprof_row, open), false, ep_report_column_has_open}, 0},
};

enum { COLUMNS = sizeof tree_columns / sizeof tree_columns[0] };

struct tree {
    struct ep_output *out;
    const struct eprof_snapshot *snapshot;
    struct ep_report_sheet_style style;
    size_t most_rows;
};

/* ---- branches ---- */

static size_t levels_of(const struct ep_report_sheet_style *style)
{
    size_t levels = style->columns ? style->columns / COLUMNS_PER_LEVEL : LEVELS_MOST;
    if (levels < LEVELS_LEAST)
        return LEVELS_LEAST;
    return levels < LEVELS_MOST ? levels : LEVELS_MOST;
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

/* A level's number is that in the program, links that were left out counted too.
 * `goes_on` tells for each level whether a later line stands on it below the same parent. */
static void draw_branches(const struct tree *tree, struct ep_report_sheet_line *line,
                          const struct ep_tree_line *place, const bool *goes_on)
{
    struct branches branches = branches_of(&tree->style);
    const struct eprof_snapshot *snapshot = tree->snapshot;
    size_t levels = levels_of(&tree->style), depth = place->depth;
    char *at = line->branches;
    for (size_t level = 1; level < depth && level <= levels; level++)
        at = stpcpy(at, goes_on[level] ? branches.along : "  ");
    if (depth > levels)
        snprintf(at, LEVEL_BYTES, "%u> ",
                 (unsigned)snapshot->places[place->row - snapshot->scope_first].depth);
    else if (depth > 0)
        strcpy(at, place->is_last ? branches.last : branches.fork);
}

/* ---- lines ---- */

static void say_left_out(const struct tree *tree, struct ep_report_sheet_line *line, size_t count,
                         const char *what)
{
    snprintf(line->text, sizeof line->text, "%s %zu %s", ep_report_sheet_gap(&tree->style), count,
             what);
}

static void make_line(const struct tree *tree, struct ep_report_sheet_rows_line *line,
                      const struct ep_tree_line *place, uint64_t whole_ns)
{
    const struct eprof_snapshot *snapshot = tree->snapshot;
    *line = (struct ep_report_sheet_rows_line){.line.is_alone = place->kind == EP_TREE_CHAIN};
    if (place->kind == EP_TREE_REST) {
        say_left_out(tree, &line->line, place->left_out, "more");
    } else if (place->kind == EP_TREE_CHAIN) {
        say_left_out(tree, &line->line, place->left_out, "scopes, each only in the one before");
    } else {
        *line = ep_report_sheet_rows_line_of(
            &snapshot->rows[place->row], snapshot->places[place->row - snapshot->scope_first].mark,
            whole_ns);
    }
    line->has_part = place->kind != EP_TREE_CHAIN;
    line->part_ns = place->part_ns;
    line->whole_ns = place->whole_ns;
}

static void make_lines(const struct tree *tree, struct ep_report_sheet_rows_line *lines,
                       const struct ep_tree_choice *choice)
{
    bool goes_on[LEVELS_MOST + 1] = {false};
    for (size_t i = 0; i < choice->count; i++) {
        const struct ep_tree_line *place = &choice->lines[i];
        make_line(tree, &lines[i], place, choice->whole_ns);
        draw_branches(tree, &lines[i].line, place, goes_on);
        if (place->depth <= LEVELS_MOST)
            goes_on[place->depth] = !place->is_last;
    }
}

static size_t write_sheet(const struct tree *tree, const struct ep_part *part,
                          const struct ep_report_sheet_rows_line *lines, size_t count)
{
    struct ep_whole whole = ep_part_whole(tree->snapshot, part);
    struct ep_report_sheet_rows_column columns[COLUMNS + 1];
    memcpy(columns, tree_columns, sizeof tree_columns);
    return ep_report_sheet_rows_write(
        tree->out,
        &(struct ep_report_sheet_rows){
            .style = &tree->style,
            .title = whole.functions == whole.sites ? "function" : "scope",
            .columns = columns,
            .column_count = ep_report_order_show(columns, COLUMNS, tree->snapshot->order),
            .part_offset = offsetof(struct eprof_row, total_ns),
            .lines = lines,
            .line_count = count,
            .name_width_least = strlen(EP_REPORT_TREE_TOPS_TITLE),
        });
}

/* The width that the names had. */
static size_t write_calls(const struct tree *tree, const struct ep_part *part)
{
    struct ep_tree_choice choice;
    struct ep_report_sheet_rows_line *lines = NULL;
    size_t width = 0;
    if (ep_report_tree_choice_make(&choice, tree->snapshot, part, tree->most_rows) == 0)
        lines = malloc((choice.count + 1) * sizeof *lines);
    if (lines) {
        make_lines(tree, lines, &choice);
        width = write_sheet(tree, part, lines, choice.count);
    } else {
        ep_output_fail(tree->out, ENOMEM);
    }
    free(lines);
    ep_report_tree_choice_free(&choice);
    return width;
}

/* ---- a tree for all threads, or one for each ---- */

/* How many rows a view asked for; the others are around those. */
static size_t count_chosen(const struct eprof_snapshot *snapshot, const struct ep_part *part)
{
    size_t count = 0;
    for (size_t row = part->first; row < part->end; row++)
        count += !snapshot->places[row - snapshot->scope_first].is_around;
    return count;
}

static void write_count(struct ep_output *out, size_t count, const char *noun)
{
    ep_output_print(out, "%zu %s%s", count, noun, count == 1 ? "" : "s");
}

/* "12 scopes", "3 functions and 9 scopes" */
static void write_sites(struct ep_output *out, const struct ep_whole *whole)
{
    size_t scopes = whole->sites - whole->functions;
    if (whole->functions > 0)
        write_count(out, whole->functions, "function");
    if (whole->functions > 0 && scopes > 0)
        ep_output_text(out, " and ");
    if (scopes > 0 || whole->functions == 0)
        write_count(out, scopes, "scope");
}

/* "12 scopes at 57 places, 1.23 s", and of a view "57 places (20 chosen)" */
static void write_sum(const struct tree *tree, const struct ep_part *part)
{
    struct ep_whole whole = ep_part_whole(tree->snapshot, part);
    write_sites(tree->out, &whole);
    ep_output_text(tree->out, " at ");
    write_count(tree->out, whole.places, "place");
    if (tree->snapshot->wholes)
        ep_output_print(tree->out, " (%zu chosen)", count_chosen(tree->snapshot, part));
    ep_output_text(tree->out, ", ");
    if (tree->style.in_ticks)
        ep_output_print(tree->out, "%" PRIu64 " ticks", whole.total_ns);
    else
        ep_output_text(tree->out, ep_report_figure_duration(whole.total_ns).text);
}

static void write_part(const struct tree *tree, const struct ep_part *part)
{
    ep_output_text(tree->out, "\n");
    size_t name_width = write_calls(tree, part);
    ep_report_tree_tops_write(tree->out, tree->snapshot, part, &tree->style, name_width);
}

static void end_title(const struct tree *tree)
{
    ep_output_text(tree->out, ", source ");
    ep_escape_name(tree->out, tree->snapshot->source);
    if (tree->style.in_ticks && tree->snapshot->ticks_per_us > 0) {
        ep_output_text(tree->out, ", ");
        ep_report_rate_write(tree->out, tree->snapshot->ticks_per_us);
    }
    ep_output_text(tree->out, "\n");
    ep_report_origin_write(tree->out, tree->snapshot, tree->style.columns,
                           ep_report_sheet_gap(&tree->style));
}

static void write_merged(const struct tree *tree)
{
    struct ep_part all = {.end = tree->snapshot->scope_first};
    ep_part_next(tree->snapshot, &all);
    ep_output_text(tree->out, "\neProf Tree: ");
    write_sum(tree, &all);
    end_title(tree);
    write_part(tree, &all);
}

static size_t count_threads(const struct eprof_snapshot *snapshot)
{
    struct ep_part part = {.end = snapshot->scope_first};
    while (ep_part_next(snapshot, &part))
        continue;
    return part.number;
}

static void write_threads(struct tree *tree)
{
    const struct eprof_snapshot *snapshot = tree->snapshot;
    size_t threads = count_threads(snapshot);
    struct ep_part part = {.end = snapshot->scope_first};
    if (tree->most_rows / threads < THREAD_LEAST_ROWS)
        tree->most_rows = THREAD_LEAST_ROWS;
    else
        tree->most_rows /= threads;
    ep_output_print(tree->out, "\neProf Tree: %zu thread%s", threads, threads == 1 ? "" : "s");
    end_title(tree);
    while (ep_part_next(snapshot, &part)) {
        ep_output_text(tree->out, "\n");
        ep_escape_name(tree->out, snapshot->rows[part.first].thread);
        ep_output_text(tree->out, ": ");
        write_sum(tree, &part);
        ep_output_text(tree->out, "\n");
        write_part(tree, &part);
    }
}

static void write_trees(struct tree *tree)
{
    if (tree->snapshot->options.threads)
        write_threads(tree);
    else
        write_merged(tree);
}

void ep_report_tree(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    struct tree tree = {.out = out,
                        .snapshot = snapshot,
                        .style = ep_report_sheet_style_of(out, snapshot->options.ticks),
                        .most_rows = EP_TREE_MOST_ROWS};
    bool has_scopes = snapshot->scope_first < snapshot->trouble_first;
    out->is_ascii = !tree.style.is_utf8;
    if (has_scopes) {
        write_trees(&tree);
    } else {
        ep_output_text(out, "\neProf Tree: no scopes\n");
        ep_report_origin_write(out, snapshot, tree.style.columns, ep_report_sheet_gap(&tree.style));
    }
    if (snapshot->scope_first > 0)
        ep_output_print(out, "\n%zu row%s of instances: see the table\n", snapshot->scope_first,
                        snapshot->scope_first == 1 ? "" : "s");
    ep_report_trouble_write(out, snapshot);
}
