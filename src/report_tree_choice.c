#include "report_tree_choice.h"

#include <stdlib.h>
#include <string.h>

enum {
    LEAST_SHARE = 200,  /* 1/200 of the whole, 0.5 %, is worth a line */
    MOST_CHILDREN = 20, /* of one parent */
    LINKS_SHOWN = 6,    /* of a chain, before it is cut, */
    LINKS_CUT = 6       /* if so many more follow */
};

/* A row that may be chosen next: its parent and the siblings before it have been. */
struct candidate {
    size_t row;
    size_t links_left_out; /* between its last chosen ancestor and itself */
    uint32_t place;        /* among its siblings, from 1 */
    uint32_t links;        /* chosen ones right above */
};

/* The candidates, as a heap by time, and those that were taken. A candidate taken puts two
 * in: its first child and its next sibling. */
struct choosing {
    const struct eprof_row *rows;
    const struct ep_tree_place *places;
    size_t scope_first; /* the row that the first place belongs to */
    size_t first, end, most;
    uint64_t least_ns;
    struct candidate heap[EP_TREE_MOST_ROWS + 1];
    size_t waiting;
    struct candidate taken[EP_TREE_MOST_ROWS];
    size_t count;
};

/* ---- a heap with the longest at its top; of equals, the one that stands first ---- */

static bool is_before(const struct choosing *choosing, size_t a, size_t b)
{
    uint64_t a_ns = choosing->rows[a].total_ns, b_ns = choosing->rows[b].total_ns;
    return a_ns != b_ns ? a_ns > b_ns : a < b;
}

static void swap(struct candidate *a, struct candidate *b)
{
    struct candidate kept = *a;
    *a = *b;
    *b = kept;
}

static void put(struct choosing *choosing, struct candidate candidate)
{
    struct candidate *heap = choosing->heap;
    if (choosing->rows[candidate.row].total_ns < choosing->least_ns)
        return;
    size_t at = choosing->waiting++;
    heap[at] = candidate;
    for (; at > 0 && is_before(choosing, heap[at].row, heap[(at - 1) / 2].row); at = (at - 1) / 2)
        swap(&heap[at], &heap[(at - 1) / 2]);
}

static struct candidate take(struct choosing *choosing)
{
    struct candidate *heap = choosing->heap, top = heap[0];
    heap[0] = heap[--choosing->waiting];
    for (size_t at = 0, child; (child = 2 * at + 1) < choosing->waiting; at = child) {
        if (child + 1 < choosing->waiting &&
            is_before(choosing, heap[child + 1].row, heap[child].row))
            child++;
        if (!is_before(choosing, heap[child].row, heap[at].row))
            break;
        swap(&heap[at], &heap[child]);
    }
    return top;
}

/* ---- choosing ---- */

static const struct ep_tree_place *place_of(const struct choosing *choosing, size_t row)
{
    return &choosing->places[row - choosing->scope_first];
}

static size_t end_of(const struct choosing *choosing, size_t row)
{
    return place_of(choosing, row)->end;
}

/* A row that says no more than that its only child was called through it. */
static bool is_link(const struct choosing *choosing, size_t row)
{
    return end_of(choosing, row) > row + 1 && end_of(choosing, row + 1) == end_of(choosing, row) &&
           choosing->rows[row].self_ns <= choosing->least_ns;
}

static void put_child(struct choosing *choosing, const struct candidate *parent)
{
    struct candidate child = {.row = parent->row + 1, .place = 1};
    if (end_of(choosing, parent->row) == child.row)
        return;
    if (is_link(choosing, parent->row))
        child.links = parent->links + 1;
    if (child.links >= LINKS_SHOWN) {
        size_t behind = child.row;
        while (is_link(choosing, behind))
            behind++;
        if (behind - child.row >= LINKS_CUT)
            child =
                (struct candidate){.row = behind, .links_left_out = behind - child.row, .place = 1};
    }
    put(choosing, child);
}

static void put_sibling(struct choosing *choosing, const struct candidate *before)
{
    /* what was reached through a chain has no sibling: its parent has one child */
    size_t parent = place_of(choosing, before->row)->parent;
    size_t row = end_of(choosing, before->row);
    size_t end = parent == SIZE_MAX ? choosing->end : end_of(choosing, parent);
    if (row < end && before->place < MOST_CHILDREN)
        put(choosing, (struct candidate){.row = row, .place = before->place + 1});
}

static int by_row(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    return (x->row > y->row) - (x->row < y->row);
}

static void choose(struct choosing *choosing)
{
    put(choosing, (struct candidate){.row = choosing->first, .place = 1});
    while (choosing->waiting > 0 && choosing->count < choosing->most) {
        struct candidate *taken = &choosing->taken[choosing->count++];
        *taken = take(choosing);
        put_child(choosing, taken);
        put_sibling(choosing, taken);
    }
    qsort(choosing->taken, choosing->count, sizeof choosing->taken[0], by_row);
}

/* ---- lines ---- */

/* A line that others stand below, while they are made. */
struct parent {
    size_t end;
    size_t next; /* the child that has no line yet; `end`: all have */
    uint64_t total_ns;
};

/* The parents of the next line; at the bottom, what the roots stand below. */
struct lines {
    struct ep_tree_choice *choice;
    const struct choosing *choosing;
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
             (struct ep_tree_line){.row = row, .part_ns = lines->choosing->rows[row].total_ns});
}

/* What is left of a parent's children; one that is alone stands itself. */
static void add_rest(struct lines *lines)
{
    const struct parent *parent = innermost(lines);
    struct ep_tree_line rest = {
        .kind = EP_TREE_REST, .row = parent->next, .left_out = parent->end - parent->next};
    if (rest.left_out == 0)
        return;
    if (rest.left_out == 1) {
        add_row(lines, rest.row);
        return;
    }
    for (size_t row = rest.row; row < parent->end; row = end_of(lines->choosing, row))
        rest.part_ns += lines->choosing->rows[row].total_ns;
    add_line(lines, rest);
}

static void leave(struct lines *lines)
{
    add_rest(lines);
    lines->depth--;
}

/* What follows stands below the line that was added last: `row`, or links of which it is the
 * lowest. */
static void enter(struct lines *lines, size_t row)
{
    size_t end = end_of(lines->choosing, row);
    innermost(lines)->next = end;
    lines->parents[++lines->depth] = (struct parent){
        .end = end, .next = row + 1, .total_ns = lines->choosing->rows[row].total_ns};
}

static void add_taken(struct lines *lines, const struct candidate *taken)
{
    if (taken->links_left_out > 0) {
        size_t first = taken->row - taken->links_left_out;
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

static void make_lines(struct ep_tree_choice *choice, const struct choosing *choosing)
{
    struct lines lines = {.choice = choice, .choosing = choosing};
    lines.parents[0] = (struct parent){
        .end = choosing->end, .next = choosing->first, .total_ns = choice->whole_ns};
    for (size_t i = 0; i < choosing->count; i++) {
        while (choosing->taken[i].row >= innermost(&lines)->end)
            leave(&lines);
        add_taken(&lines, &choosing->taken[i]);
    }
    while (lines.depth > 0)
        leave(&lines);
    add_rest(&lines);
    mark_last(choice);
}

void ep_report_tree_choice_make(struct ep_tree_choice *choice,
                                const struct eprof_snapshot *snapshot, size_t first, size_t end,
                                size_t most)
{
    struct choosing choosing = {
        .rows = snapshot->rows,
        .places = snapshot->places,
        .scope_first = snapshot->scope_first,
        .first = first,
        .end = end,
        .most = most < EP_TREE_MOST_ROWS ? most : EP_TREE_MOST_ROWS,
    };
    choice->count = 0;
    choice->whole_ns = 0;
    for (size_t row = first; row < end; row = end_of(&choosing, row))
        choice->whole_ns += snapshot->rows[row].total_ns;
    choosing.least_ns = choice->whole_ns / LEAST_SHARE;
    choose(&choosing);
    make_lines(choice, &choosing);
}
