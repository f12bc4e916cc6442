#include "report_tree_longest.h"

#include <stdlib.h>

enum {
    MOST_CHILDREN = 20, /* of one parent */
    LINKS_SHOWN = 6,    /* of a chain, before it is cut, */
    LINKS_CUT = 6       /* if so many more follow */
};

/* A row that may be taken next: its parent and the siblings before it have been. */
struct candidate {
    size_t row;
    size_t links_left_out; /* as of what is taken */
    uint32_t place;        /* among its siblings, from 1 */
    uint32_t links;        /* taken ones right above */
};

/* The candidates, as a heap by time. One that is taken puts two in: its first child and its next
 * sibling. */
struct choosing {
    const struct eprof_row *rows;
    const struct ep_tree_place *places;
    size_t scope_first; /* the row that the first place belongs to */
    size_t end;
    uint64_t least_ns;
    struct candidate heap[EP_TREE_MOST_ROWS + 1];
    size_t waiting;
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
    const struct ep_tree_taken_row *x = a, *y = b;
    return (x->row > y->row) - (x->row < y->row);
}

void ep_report_tree_longest_take(struct ep_tree_taken *taken, const struct eprof_snapshot *snapshot,
                                 const struct ep_part *part, uint64_t least_ns, size_t most)
{
    struct choosing choosing = {.rows = snapshot->rows,
                                .places = snapshot->places,
                                .scope_first = snapshot->scope_first,
                                .end = part->end,
                                .least_ns = least_ns};
    taken->count = 0;
    put(&choosing, (struct candidate){.row = part->first, .place = 1});
    while (choosing.waiting > 0 && taken->count < most) {
        struct candidate next = take(&choosing);
        taken->rows[taken->count++] = (struct ep_tree_taken_row){next.row, next.links_left_out};
        put_child(&choosing, &next);
        put_sibling(&choosing, &next);
    }
    qsort(taken->rows, taken->count, sizeof taken->rows[0], by_row);
}
