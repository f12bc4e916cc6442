#include "report/tree_choice.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/wide.h"
#include "report/walk.h"
#include "snapshot/sort.h"

enum {
    LEAST_SHARE = 200,  /* 1/200 of the whole, 0.5 %, is worth a line */
    MOST_CHILDREN = 20, /* of one parent */
    LINKS_SHOWN = 6,    /* of a chain, before it is cut */
    LINKS_CUT = 6,      /* a chain is cut if at least so many more links follow */
    LEAST_APART = 200   /* rows whose totals differ by 1/200, 0.5 %, or less may share a line */
};

/* The rows from `first` to before `below`, in place of which there is one line: links that are left
 * out, or rows that share the line. */
struct chain {
    size_t first, below;
    bool is_shown;
};

/* A row that may be shown next: its parent and the siblings before it are shown. */
struct candidate {
    size_t row;
    size_t links_left_out; /* directly above it */
    uint32_t number;       /* among its siblings, from 1 */
    uint32_t links;        /* links shown directly above it */
};

/* Allocated, since it is larger than half of the smallest stack of a thread. */
struct choosing {
    const struct eprof_snapshot *snapshot;
    const struct ep_part *part;
    struct ep_tree_choice *choice;
    bool shows_single; /* a single row is shown, not a remark that one is left out */
    bool shares_lines;
    size_t shown, most;
    uint64_t least_ns;
    struct chain
        chains[2 * EP_TREE_MOST_ROWS]; /* one before each row that is shown, and one of it */
    size_t chain_count;
    struct candidate waiting[EP_TREE_MOST_ROWS + 1];
    size_t waiting_count;
    struct {
        uint64_t value;
        size_t row;
    } largest[EP_TREE_MOST_ROWS]; /* in descending order */
    size_t largest_count;
};

static size_t parent_of(const struct choosing *choosing, size_t row)
{
    return ep_rows_position(choosing->snapshot, row)->parent;
}

static size_t end_of(const struct choosing *choosing, size_t row)
{
    return ep_rows_position(choosing->snapshot, row)->end;
}

/* Where the last sibling of a row ends. */
static size_t siblings_end(const struct choosing *choosing, size_t row)
{
    size_t parent = parent_of(choosing, row);
    return parent == SIZE_MAX ? choosing->part->end : end_of(choosing, parent);
}

static bool *shown_flag(const struct choosing *choosing, size_t row)
{
    return &choosing->choice->is_shown[row - choosing->part->first];
}

static void show(struct choosing *choosing, size_t row)
{
    *shown_flag(choosing, row) = true;
    choosing->shown++;
}

/* ---- the rows with the most time: from the roots down, always the longest row that is not shown
 * and whose parent is shown ---- */

/* Rows with equal time keep their order. */
static bool is_before(const struct choosing *choosing, size_t a, size_t b)
{
    const struct eprof_row *rows = choosing->snapshot->rows;
    uint64_t a_ns = rows[a].total_ns, b_ns = rows[b].total_ns;
    return a_ns != b_ns ? a_ns > b_ns : a < b;
}

static void put(struct choosing *choosing, struct candidate candidate)
{
    if (choosing->snapshot->rows[candidate.row].total_ns >= choosing->least_ns)
        choosing->waiting[choosing->waiting_count++] = candidate;
}

static struct candidate take_longest(struct choosing *choosing)
{
    struct candidate *longest = choosing->waiting, taken;
    for (size_t i = 1; i < choosing->waiting_count; i++)
        if (is_before(choosing, choosing->waiting[i].row, longest->row))
            longest = &choosing->waiting[i];
    taken = *longest;
    *longest = choosing->waiting[--choosing->waiting_count];
    return taken;
}

/* Whether a row is a link: it has one child and next to no self time, so it only says that the
 * child was called through it. */
static bool is_link(const struct choosing *choosing, size_t row)
{
    size_t end = end_of(choosing, row);
    return end > row + 1 && end_of(choosing, row + 1) == end &&
           choosing->snapshot->rows[row].self_ns <= choosing->least_ns;
}

/* Whether the rows of a call path from `first` on say the same: each has the calls of the one
 * before, and all time but next to nothing. Open calls, errors, recursion and a time that is not
 * known belong to one row. */
static bool says_the_same(const struct choosing *choosing, size_t first, size_t row)
{
    const struct eprof_row *a = &choosing->snapshot->rows[first],
                           *b = &choosing->snapshot->rows[row];
    uint64_t apart_ns =
        a->total_ns > b->total_ns ? a->total_ns - b->total_ns : b->total_ns - a->total_ns;
    return a->calls == b->calls && b->outermost == b->calls && b->open == 0 && b->errors == 0 &&
           b->timed > 0 && a->estimated == b->estimated && apart_ns <= a->total_ns / LEAST_APART &&
           b->self_ns <= b->total_ns;
}

/* The last row of the chain of only children that shares a line with `first`. */
static size_t last_of_line(const struct choosing *choosing, size_t first)
{
    size_t row = first, end = end_of(choosing, first);
    bool may_begin = choosing->shares_lines && says_the_same(choosing, first, first);
    while (may_begin && row + 1 < end && end_of(choosing, row + 1) == end &&
           says_the_same(choosing, first, row + 1))
        row++;
    return row;
}

/* Returns the last row of its line. */
static size_t show_line(struct choosing *choosing, size_t row)
{
    size_t last = last_of_line(choosing, row);
    show(choosing, row);
    if (last == row)
        return row;
    memset(shown_flag(choosing, row), true, last - row + 1);
    choosing->chains[choosing->chain_count++] = (struct chain){row, last + 1, true};
    return last;
}

static void put_child(struct choosing *choosing, const struct candidate *parent)
{
    struct candidate child = {.row = parent->row + 1, .number = 1};
    if (end_of(choosing, parent->row) == child.row)
        return;
    if (is_link(choosing, parent->row))
        child.links = parent->links + 1;
    if (child.links >= LINKS_SHOWN) {
        size_t below = child.row;
        while (is_link(choosing, below))
            below++;
        if (below - child.row >= LINKS_CUT)
            child =
                (struct candidate){.row = below, .links_left_out = below - child.row, .number = 1};
    }
    put(choosing, child);
}

/* Rows below a chain need no check: such a row has no sibling, since its parent has one child. */
static void put_sibling(struct choosing *choosing, const struct candidate *before)
{
    size_t row = end_of(choosing, before->row);
    if (row < siblings_end(choosing, before->row) && before->number < MOST_CHILDREN)
        put(choosing, (struct candidate){.row = row, .number = before->number + 1});
}

/* Siblings are in the order of total time. Each row that is shown adds two candidates: its first
 * child and its next sibling. */
static void show_longest(struct choosing *choosing)
{
    put(choosing, (struct candidate){.row = choosing->part->first, .number = 1});
    while (choosing->waiting_count > 0 && choosing->shown < choosing->most) {
        struct candidate next = take_longest(choosing);
        if (next.links_left_out > 0)
            choosing->chains[choosing->chain_count++] =
                (struct chain){next.row - next.links_left_out, next.row, false};
        put_sibling(choosing, &next);
        next.row = show_line(choosing, next.row);
        put_child(choosing, &next);
    }
}

/* ---- the rows with the largest figure that rows are sorted by, with all their ancestors ---- */

/* A value that is too small costs one comparison. */
static void add_largest(struct choosing *choosing, uint64_t value, size_t row)
{
    size_t at = choosing->largest_count;
    if (at == choosing->most && value <= choosing->largest[at - 1].value)
        return;
    if (at == choosing->most)
        at--;
    else
        choosing->largest_count++;
    for (; at > 0 && value > choosing->largest[at - 1].value; at--)
        choosing->largest[at] = choosing->largest[at - 1];
    choosing->largest[at].value = value;
    choosing->largest[at].row = row;
}

/* If there is no room for a row with all its ancestors, those nearest to the root are shown. */
static void show_with_ancestors(struct choosing *choosing, size_t row)
{
    size_t above = row, levels = 0;
    for (; above != SIZE_MAX && !*shown_flag(choosing, above); above = parent_of(choosing, above))
        levels++;
    for (; levels > choosing->most - choosing->shown; levels--)
        row = parent_of(choosing, row);
    for (; levels > 0; levels--) {
        show(choosing, row);
        row = parent_of(choosing, row);
    }
}

/* Unlike the total time, such a figure of a row does not limit the figures below it, so all rows
 * are inspected. If rows are sorted by a word, the total time is used. */
static void show_largest(struct choosing *choosing)
{
    const struct ep_field *order = choosing->snapshot->order;
    if (order->is_word)
        order = ep_columns_find("total");
    for (size_t row = choosing->part->first; row < choosing->part->end; row++)
        add_largest(choosing, ep_columns_order_of(&choosing->snapshot->rows[row], order).value,
                    row);
    for (size_t i = 0; i < choosing->largest_count; i++)
        show_with_ancestors(choosing, choosing->largest[i].row);
}

/* ---- lines for the rows that are shown, and for those left out between them ---- */

/* The depth as drawn: a chain is one level. */
static uint32_t depth_of(const struct choosing *choosing, size_t row)
{
    uint32_t depth = ep_rows_position(choosing->snapshot, row)->depth;
    for (size_t i = 0; i < choosing->chain_count; i++) {
        const struct chain *chain = &choosing->chains[i];
        if (chain->below <= row && row < end_of(choosing, chain->first))
            depth -= (uint32_t)(chain->below - chain->first - 1);
    }
    return depth;
}

/* NULL: no chain begins there. */
static const struct chain *chain_at(const struct choosing *choosing, size_t row)
{
    for (size_t i = 0; i < choosing->chain_count; i++)
        if (choosing->chains[i].first == row)
            return &choosing->chains[i];
    return NULL;
}

/* Adds the siblings that follow the line's row and are not shown. Returns the row after them. */
static size_t add_siblings(const struct choosing *choosing, struct ep_tree_line *line, size_t end)
{
    size_t row = end_of(choosing, line->row);
    for (; row < end && !*shown_flag(choosing, row); row = end_of(choosing, row))
        line->part_ns = ep_saturating_add(line->part_ns, choosing->snapshot->rows[row].total_ns);
    return row;
}

/* Returns the row of the next line. */
static size_t add_line(const struct choosing *choosing, size_t row)
{
    const struct eprof_row *rows = choosing->snapshot->rows;
    struct ep_tree_choice *choice = choosing->choice;
    struct ep_tree_line *line = &choice->lines[choice->count++];
    const struct chain *chain = chain_at(choosing, row);
    size_t parent = parent_of(choosing, row), next = row + 1;
    size_t end = end_of(choosing, row), last_end = siblings_end(choosing, row);
    *line = (struct ep_tree_line){.row = row,
                                  .last = chain && chain->is_shown ? chain->below - 1 : row,
                                  .depth = depth_of(choosing, row),
                                  .part_ns = rows[row].total_ns,
                                  .parent_ns = parent == SIZE_MAX ? choice->whole_ns
                                                                  : rows[parent].total_ns};
    if (chain) {
        line->kind = chain->is_shown ? EP_TREE_ROW : EP_TREE_CHAIN;
        next = chain->below;
    } else if (!*shown_flag(choosing, row)) {
        next = end = add_siblings(choosing, line, last_end);
        line->kind = choosing->shows_single && end == row + 1 ? EP_TREE_ROW : EP_TREE_REST;
    }
    line->left_out = line->kind == EP_TREE_ROW ? 0 : next - row;
    line->is_last = end == last_end;
    return next;
}

/* ---- making a choice ---- */

/* A row that is shown has at most three lines: its own, one before it for links or siblings left
 * out, and one after it for children left out. NULL: no memory. */
static struct choosing *begin(struct ep_tree_choice *choice, const struct eprof_snapshot *snapshot,
                              const struct ep_part *part, size_t most)
{
    struct choosing *choosing = calloc(1, sizeof *choosing);
    size_t rows = part->end - part->first, lines = most < rows / 3 ? 3 * most + 1 : rows;
    *choice = (struct ep_tree_choice){.whole_ns = ep_rows_part_whole(snapshot, part).total_ns,
                                      .lines = malloc((lines + 1) * sizeof *choice->lines),
                                      .is_shown = calloc(rows + 1, sizeof *choice->is_shown)};
    if (choosing && choice->lines && choice->is_shown) {
        *choosing =
            (struct choosing){.snapshot = snapshot, .part = part, .choice = choice, .most = most};
        return choosing;
    }
    free(choosing);
    return NULL;
}

static int end(struct choosing *choosing, struct ep_tree_choice *choice, int result)
{
    if (result == 0)
        for (size_t row = choosing->part->first; row < choosing->part->end;)
            row = add_line(choosing, row);
    else
        ep_report_tree_choice_free(choice);
    free(choosing);
    errno = result == 0 ? errno : ENOMEM;
    return result;
}

int ep_report_tree_choice_make(struct ep_tree_choice *choice, const struct eprof_snapshot *snapshot,
                               const struct ep_part *part, size_t most)
{
    size_t rows = part->end - part->first,
           limit = most < EP_TREE_MOST_ROWS ? most : EP_TREE_MOST_ROWS;
    struct choosing *choosing = begin(choice, snapshot, part, snapshot->is_chosen ? rows : limit);
    if (!choosing)
        return end(NULL, choice, -1);
    choosing->shows_single = true;
    choosing->shares_lines = !snapshot->is_filtered && !snapshot->order;
    /* rows that were asked for by name are worth a line, even if their time is short */
    choosing->least_ns = snapshot->is_filtered ? 0 : choice->whole_ns / LEAST_SHARE;
    if (snapshot->is_chosen)
        memset(choice->is_shown, true, rows);
    else if (!snapshot->order || snapshot->order == ep_columns_find("total"))
        show_longest(choosing);
    else
        show_largest(choosing);
    return end(choosing, choice, 0);
}

/* A row is left out with its parent if that is not among the longest rows. */
int ep_report_tree_choice_longest(struct ep_tree_choice *choice,
                                  const struct eprof_snapshot *snapshot, const struct ep_part *part,
                                  size_t most)
{
    size_t rows = part->end - part->first;
    struct choosing *choosing = begin(choice, snapshot, part, most);
    if (!choosing)
        return end(NULL, choice, -1);
    memset(choice->is_shown, true, rows);
    int result = ep_sort_keep_first(&snapshot->rows[part->first], rows, ep_columns_find("total"),
                                    most, choice->is_shown);
    for (size_t row = part->first; result == 0 && row < part->end; row++) {
        size_t parent = parent_of(choosing, row);
        if (parent != SIZE_MAX && !*shown_flag(choosing, parent))
            *shown_flag(choosing, row) = false;
    }
    return end(choosing, choice, result);
}

void ep_report_tree_choice_free(struct ep_tree_choice *choice)
{
    free(choice->lines);
    free(choice->is_shown);
    *choice = (struct ep_tree_choice){.lines = NULL};
}
