#include "report_tree_choice.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report_tree_largest.h"
#include "report_tree_longest.h"

enum {
    LEAST_SHARE = 200, /* 1/200 of the whole, 0.5 %, is worth a line */
    /* each row has at most one line of links before it, or of what is left out there, and one
     * for what it leaves out */
    MOST_LINES = 3 * EP_TREE_MOST_ROWS + 1
};

static size_t end_of(const struct eprof_snapshot *snapshot, size_t row)
{
    return snapshot->places[row - snapshot->scope_first].end;
}

/* ---- lines for the rows that are taken, and what they leave out ---- */

/* A line that others stand below, while they are made. */
struct parent {
    size_t end;
    size_t next; /* the child that has no line yet; `end`: all have */
    uint64_t total_ns;
};

/* The parents of the next line; at the bottom, what the roots stand below. */
struct lines {
    struct ep_tree_choice *choice;
    const struct eprof_snapshot *snapshot;
    struct parent parents[2 * EP_TREE_MOST_ROWS + 1];
    size_t depth;
};

static struct parent *innermost(struct lines *lines)
{
    return &lines->parents[lines->depth];
}

static void add_line(struct lines *lines, struct ep_tree_line line)
{
    const struct parent *parent = innermost(lines);
    line.depth = (uint32_t)lines->depth;
    line.whole_ns = parent->total_ns;
    lines->choice->lines[lines->choice->count++] = line;
}

static void add_row(struct lines *lines, size_t row)
{
    add_line(lines,
             (struct ep_tree_line){.row = row, .part_ns = lines->snapshot->rows[row].total_ns});
}

/* The children before row `end` that have no line; one that is alone stands itself. */
static void add_rest(struct lines *lines, size_t end)
{
    size_t next = innermost(lines)->next;
    struct ep_tree_line rest = {.kind = EP_TREE_REST, .row = next, .left_out = end - next};
    if (rest.left_out == 0)
        return;
    if (rest.left_out == 1) {
        add_row(lines, rest.row);
        return;
    }
    for (size_t row = next; row < end; row = end_of(lines->snapshot, row))
        rest.part_ns += lines->snapshot->rows[row].total_ns;
    add_line(lines, rest);
}

static void leave(struct lines *lines)
{
    add_rest(lines, innermost(lines)->end);
    lines->depth--;
}

/* What follows stands below the line that was added last: `row`, or links of which it is the
 * lowest. */
static void enter(struct lines *lines, size_t row)
{
    size_t end = end_of(lines->snapshot, row);
    innermost(lines)->next = end;
    lines->parents[++lines->depth] = (struct parent){
        .end = end, .next = row + 1, .total_ns = lines->snapshot->rows[row].total_ns};
}

static void add_taken(struct lines *lines, const struct ep_tree_taken_row *taken)
{
    size_t first = taken->row - taken->links_left_out;
    add_rest(lines, first);
    if (first < taken->row) {
        add_line(lines, (struct ep_tree_line){.kind = EP_TREE_CHAIN,
                                              .row = first,
                                              .left_out = taken->links_left_out});
        enter(lines, taken->row - 1);
    }
    add_row(lines, taken->row);
    enter(lines, taken->row);
}

/* From the last line on: one is the last below its parent if none of its depth was seen since
 * one of a lower depth. */
static void mark_last(struct ep_tree_choice *choice)
{
    bool seen[2 * EP_TREE_MOST_ROWS + 1] = {false};
    for (size_t i = choice->count; i-- > 0;) {
        struct ep_tree_line *line = &choice->lines[i];
        line->is_last = !seen[line->depth];
        seen[line->depth] = true;
        memset(&seen[line->depth + 1], 0, sizeof seen - (line->depth + 1) * sizeof seen[0]);
    }
}

static void make_lines(struct ep_tree_choice *choice, const struct eprof_snapshot *snapshot,
                       const struct ep_part *part, const struct ep_tree_taken *taken)
{
    struct lines lines = {.choice = choice, .snapshot = snapshot};
    lines.parents[0] =
        (struct parent){.end = part->end, .next = part->first, .total_ns = choice->whole_ns};
    for (size_t i = 0; i < taken->count; i++) {
        while (taken->rows[i].row >= innermost(&lines)->end)
            leave(&lines);
        add_taken(&lines, &taken->rows[i]);
    }
    while (lines.depth > 0)
        leave(&lines);
    add_rest(&lines, part->end);
    mark_last(choice);
}

/* ---- which rows ---- */

static bool is_by_time(const struct ep_field *order)
{
    return !order || order == ep_field_find("total");
}

/* Rows that were asked for by name are worth a line, whatever their time. */
static void choose(struct ep_tree_choice *choice, const struct eprof_snapshot *snapshot,
                   const struct ep_part *part, size_t most)
{
    struct ep_tree_taken taken;
    uint64_t least_ns = snapshot->is_filtered ? 0 : choice->whole_ns / LEAST_SHARE;
    most = most < EP_TREE_MOST_ROWS ? most : EP_TREE_MOST_ROWS;
    if (is_by_time(snapshot->order))
        ep_report_tree_longest_take(&taken, snapshot, part, least_ns, most);
    else
        ep_report_tree_largest_take(&taken, snapshot, part, most);
    make_lines(choice, snapshot, part, &taken);
}

static void choose_all(struct ep_tree_choice *choice, const struct eprof_snapshot *snapshot,
                       const struct ep_part *part)
{
    for (size_t row = part->first; row < part->end; row++) {
        const struct ep_tree_place *place = &snapshot->places[row - snapshot->scope_first];
        bool is_root = place->parent == SIZE_MAX;
        choice->lines[choice->count++] = (struct ep_tree_line){
            .kind = EP_TREE_ROW,
            .is_last = place->end == (is_root ? part->end : end_of(snapshot, place->parent)),
            .depth = place->depth,
            .row = row,
            .part_ns = snapshot->rows[row].total_ns,
            .whole_ns = is_root ? choice->whole_ns : snapshot->rows[place->parent].total_ns,
        };
    }
}

int ep_report_tree_choice_make(struct ep_tree_choice *choice, const struct eprof_snapshot *snapshot,
                               const struct ep_part *part, size_t most)
{
    size_t lines = snapshot->is_chosen ? part->end - part->first : MOST_LINES;
    *choice = (struct ep_tree_choice){.whole_ns = ep_part_whole(snapshot, part).total_ns,
                                      .lines = malloc(lines * sizeof *choice->lines)};
    if (!choice->lines) {
        errno = ENOMEM;
        return -1;
    }
    if (snapshot->is_chosen)
        choose_all(choice, snapshot, part);
    else
        choose(choice, snapshot, part, most);
    return 0;
}

void ep_report_tree_choice_free(struct ep_tree_choice *choice)
{
    free(choice->lines);
    choice->lines = NULL;
}
