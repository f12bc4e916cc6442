#include "report.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report_sheet.h"
#include "report_tree_choice.h"
#include "report_trouble.h"

enum {
    THREAD_LEAST_ROWS = 20, /* threads share the rows of one tree, but each has so many */
    TOPS_SHOWN = 10,        /* functions by self time */
    LEVELS_MOST = 16,       /* of branches; below, a level's number stands before the name */
    LEVELS_LEAST = 4,
    LEVEL_BYTES = sizeof "4294967295> ",
    COLUMNS_PER_LEVEL = 10, /* of a terminal: branches take a fifth of it at most */
    HOT_PERCENT = 20,       /* of all time is a scope's own */
    WARM_PERCENT = 5
};

#define FIGURE(title, field)                                                                       \
    {                                                                                              \
        title, offsetof(struct eprof_row, field), true, NULL                                       \
    }
#define SHARE                                                                                      \
    {                                                                                              \
        "share", EP_REPORT_SHEET_SHARE, false, NULL                                                \
    }

static const struct ep_report_sheet_column tree_columns[] = {
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

static const struct ep_report_sheet_column top_columns[] = {
    {{"calls", offsetof(struct eprof_row, calls), false, NULL}, 0},
    {FIGURE("total", total_ns), 0},
    {FIGURE("self", self_ns), 0},
    {SHARE, 0},
};

static const char tops_title[] = "top functions by self time";

/* The rows of a tree: of all threads together, or of one. */
struct part {
    size_t first, end;         /* rows */
    size_t top_first, top_end; /* of the tops */
};

/* What is too large for the stack of a small thread. */
struct tree {
    struct ep_output *out;
    const struct eprof_snapshot *snapshot;
    struct ep_report_sheet_style style;
    size_t most_rows;
    struct ep_tree_choice choice;
    struct ep_report_sheet_line lines[EP_TREE_MOST_LINES];
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

static enum ep_report_sheet_heat heat_of(uint64_t self_ns, uint64_t whole_ns)
{
    double percent = whole_ns ? (double)self_ns / (double)whole_ns * 100 : 0;
    if (percent >= HOT_PERCENT)
        return EP_REPORT_SHEET_HOT;
    return percent >= WARM_PERCENT ? EP_REPORT_SHEET_WARM : EP_REPORT_SHEET_COLD;
}

static void say_left_out(const struct tree *tree, struct ep_report_sheet_line *line, size_t count,
                         const char *what)
{
    snprintf(line->text, sizeof line->text, "%s %zu %s", ep_report_sheet_gap(&tree->style), count,
             what);
}

static void make_line(const struct tree *tree, struct ep_report_sheet_line *line,
                      const struct ep_tree_line *place)
{
    const struct eprof_snapshot *snapshot = tree->snapshot;
    *line = (struct ep_report_sheet_line){.has_part = place->kind != EP_TREE_CHAIN,
                                          .part_ns = place->part_ns,
                                          .whole_ns = place->whole_ns};
    if (place->kind == EP_TREE_REST) {
        say_left_out(tree, line, place->left_out, "more");
    } else if (place->kind == EP_TREE_CHAIN) {
        say_left_out(tree, line, place->left_out, "scopes, each only in the one before");
    } else {
        line->row = &snapshot->rows[place->row];
        line->is_ambiguous = snapshot->places[place->row - snapshot->scope_first].is_ambiguous;
        line->heat = heat_of(line->row->self_ns, tree->choice.whole_ns);
    }
}

static size_t write_calls(struct tree *tree, const struct part *part)
{
    bool goes_on[LEVELS_MOST + 1] = {false};
    struct ep_tree_choice *choice = &tree->choice;
    ep_report_tree_choice_make(choice, tree->snapshot, part->first, part->end, tree->most_rows);
    for (size_t i = 0; i < choice->count; i++) {
        const struct ep_tree_line *place = &choice->lines[i];
        make_line(tree, &tree->lines[i], place);
        draw_branches(tree, &tree->lines[i], place, goes_on);
        if (place->depth <= LEVELS_MOST)
            goes_on[place->depth] = !place->is_last;
    }
    return ep_report_sheet_write(tree->out,
                                 &(struct ep_report_sheet){
                                     .style = &tree->style,
                                     .title = "scope",
                                     .columns = tree_columns,
                                     .column_count = sizeof tree_columns / sizeof tree_columns[0],
                                     .part_offset = offsetof(struct eprof_row, total_ns),
                                     .lines = tree->lines,
                                     .line_count = choice->count,
                                     .name_width_least = strlen(tops_title),
                                 });
}

/* ---- top functions ---- */

static uint64_t self_of_tops(const struct tree *tree, size_t first, size_t end)
{
    uint64_t self_ns = 0;
    for (size_t i = first; i < end; i++)
        self_ns += tree->snapshot->tops[i].self_ns;
    return self_ns;
}

static size_t make_tops(struct tree *tree, const struct part *part)
{
    const struct eprof_snapshot *snapshot = tree->snapshot;
    uint64_t whole_ns = self_of_tops(tree, part->top_first, part->top_end);
    size_t count = part->top_end - part->top_first;
    size_t shown = count <= TOPS_SHOWN + 1 ? count : TOPS_SHOWN;
    for (size_t i = 0; i < shown; i++) {
        const struct eprof_row *row = &snapshot->tops[part->top_first + i];
        tree->lines[i] = (struct ep_report_sheet_line){
            .row = row,
            .is_ambiguous = snapshot->top_is_ambiguous[part->top_first + i],
            .heat = heat_of(row->self_ns, whole_ns),
            .has_part = true,
            .part_ns = row->self_ns,
            .whole_ns = whole_ns,
        };
    }
    if (shown == count)
        return count;
    struct ep_report_sheet_line *rest = &tree->lines[shown];
    *rest = (struct ep_report_sheet_line){
        .has_part = true,
        .part_ns = self_of_tops(tree, part->top_first + shown, part->top_end),
        .whole_ns = whole_ns,
    };
    say_left_out(tree, rest, count - shown, "more");
    return shown + 1;
}

static void write_tops(struct tree *tree, const struct part *part, size_t name_width)
{
    size_t count = make_tops(tree, part);
    ep_output_text(tree->out, "\n");
    ep_report_sheet_write(tree->out, &(struct ep_report_sheet){
                                         .style = &tree->style,
                                         .title = tops_title,
                                         .columns = top_columns,
                                         .column_count = sizeof top_columns / sizeof top_columns[0],
                                         .part_offset = offsetof(struct eprof_row, self_ns),
                                         .lines = tree->lines,
                                         .line_count = count,
                                         .name_width_least = name_width,
                                     });
}

/* ---- a tree for all threads, or one for each ---- */

/* A tree has its thread's name in a string of its own: so two threads of one name have two. */
static size_t next_tree(const struct eprof_snapshot *snapshot, size_t row)
{
    const char *thread = snapshot->rows[row].thread;
    while (row < snapshot->trouble_first && snapshot->rows[row].thread == thread)
        row = snapshot->places[row - snapshot->scope_first].end;
    return row;
}

static size_t next_tops(const struct eprof_snapshot *snapshot, size_t top, const char *thread)
{
    while (top < snapshot->top_count && snapshot->tops[top].thread == thread)
        top++;
    return top;
}

static uint64_t total_of(const struct eprof_snapshot *snapshot, const struct part *part)
{
    uint64_t total_ns = 0;
    for (size_t row = part->first; row < part->end;
         row = snapshot->places[row - snapshot->scope_first].end)
        total_ns += snapshot->rows[row].total_ns;
    return total_ns;
}

/* "12 scopes at 57 places, 1.23 s" */
static void write_sum(const struct tree *tree, const struct part *part)
{
    size_t scopes = part->top_end - part->top_first, places = part->end - part->first;
    uint64_t total_ns = total_of(tree->snapshot, part);
    ep_output_print(tree->out, "%zu scope%s at %zu place%s, ", scopes, scopes == 1 ? "" : "s",
                    places, places == 1 ? "" : "s");
    if (tree->style.in_ticks)
        ep_output_print(tree->out, "%" PRIu64 " ticks", total_ns);
    else
        ep_output_text(tree->out, ep_report_figure_duration(total_ns).text);
}

static void write_part(struct tree *tree, const struct part *part)
{
    ep_output_text(tree->out, "\n");
    size_t name_width = write_calls(tree, part);
    write_tops(tree, part, name_width);
}

static void write_merged(struct tree *tree)
{
    const struct eprof_snapshot *snapshot = tree->snapshot;
    const struct part all = {snapshot->scope_first, snapshot->trouble_first, 0,
                             snapshot->top_count};
    ep_output_text(tree->out, "\neProf Tree: ");
    write_sum(tree, &all);
    ep_output_text(tree->out, ", source ");
    ep_output_name(tree->out, snapshot->source);
    ep_output_text(tree->out, "\n");
    write_part(tree, &all);
}

static size_t count_threads(const struct eprof_snapshot *snapshot)
{
    size_t count = 0;
    for (size_t row = snapshot->scope_first; row < snapshot->trouble_first; count++)
        row = next_tree(snapshot, row);
    return count;
}

static void write_threads(struct tree *tree)
{
    const struct eprof_snapshot *snapshot = tree->snapshot;
    size_t threads = count_threads(snapshot);
    struct part part = {.end = snapshot->scope_first};
    if (tree->most_rows / threads < THREAD_LEAST_ROWS)
        tree->most_rows = THREAD_LEAST_ROWS;
    else
        tree->most_rows /= threads;
    ep_output_print(tree->out, "\neProf Tree: %zu thread%s, source ", threads,
                    threads == 1 ? "" : "s");
    ep_output_name(tree->out, snapshot->source);
    ep_output_text(tree->out, "\n");
    while (part.end < snapshot->trouble_first) {
        const char *thread = snapshot->rows[part.end].thread;
        part.first = part.end;
        part.end = next_tree(snapshot, part.end);
        part.top_first = part.top_end;
        part.top_end = next_tops(snapshot, part.top_end, thread);
        ep_output_text(tree->out, "\n");
        ep_output_name(tree->out, thread);
        ep_output_text(tree->out, ": ");
        write_sum(tree, &part);
        ep_output_text(tree->out, "\n");
        write_part(tree, &part);
    }
}

static void write_trees(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    struct tree *tree = malloc(sizeof *tree);
    if (!tree) {
        ep_output_fail(out, ENOMEM);
        return;
    }
    tree->out = out;
    tree->snapshot = snapshot;
    tree->style = ep_report_sheet_style_of(out, snapshot->options.ticks);
    out->is_ascii = !tree->style.is_utf8;
    tree->most_rows = EP_TREE_MOST_ROWS;
    if (snapshot->options.threads)
        write_threads(tree);
    else
        write_merged(tree);
    free(tree);
}

void ep_report_tree(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    if (snapshot->scope_first < snapshot->trouble_first)
        write_trees(out, snapshot);
    else
        ep_output_text(out, "\neProf Tree: no scopes\n");
    if (snapshot->scope_first > 0)
        ep_output_print(out, "\n%zu row%s of instances: see the table\n", snapshot->scope_first,
                        snapshot->scope_first == 1 ? "" : "s");
    ep_report_trouble_write(out, snapshot);
}
