#include "report_tree_largest.h"

#include <stdlib.h>
#include <string.h>

struct largest {
    uint64_t value[EP_TREE_MOST_ROWS];
    size_t row[EP_TREE_MOST_ROWS]; /* the largest first */
    size_t count;
};

/* What is less than all is no more than one comparison: siblings come with the largest first. */
static void add(struct largest *largest, size_t most, uint64_t value, size_t row)
{
    size_t at = largest->count;
    if (at == most && value <= largest->value[at - 1])
        return;
    if (at == most)
        at--;
    for (; at > 0 && value > largest->value[at - 1]; at--) {
        largest->value[at] = largest->value[at - 1];
        largest->row[at] = largest->row[at - 1];
    }
    largest->value[at] = value;
    largest->row[at] = row;
    if (largest->count < most)
        largest->count++;
}

static size_t parent_of(const struct eprof_snapshot *snapshot, size_t row)
{
    return snapshot->places[row - snapshot->scope_first].parent;
}

static bool is_taken(const struct ep_tree_taken *taken, size_t row)
{
    for (size_t i = 0; i < taken->count; i++)
        if (taken->rows[i].row == row)
            return true;
    return false;
}

/* Of a row that is too deep for all it is in, as much is taken from the root on as there is
 * room for. */
static void take(struct ep_tree_taken *taken, const struct eprof_snapshot *snapshot, size_t row,
                 size_t most)
{
    size_t above = row, levels = 0;
    for (; above != SIZE_MAX && !is_taken(taken, above); above = parent_of(snapshot, above))
        levels++;
    for (; levels > most - taken->count; levels--)
        row = parent_of(snapshot, row);
    for (; levels > 0; levels--) {
        taken->rows[taken->count++] = (struct ep_tree_taken_row){row, 0};
        row = parent_of(snapshot, row);
    }
}

static int by_row(const void *a, const void *b)
{
    const struct ep_tree_taken_row *x = a, *y = b;
    return (x->row > y->row) - (x->row < y->row);
}

void ep_report_tree_largest_take(struct ep_tree_taken *taken, const struct eprof_snapshot *snapshot,
                                 const struct ep_part *part, size_t most)
{
    struct largest largest = {.count = 0};
    const struct ep_field *order = snapshot->order;
    if (order->is_word)
        order = ep_field_find("total");
    for (size_t row = part->first; row < part->end; row++)
        add(&largest, most, ep_field_value(&snapshot->rows[row], order->offset), row);
    taken->count = 0;
    for (size_t i = 0; i < largest.count; i++)
        take(taken, snapshot, largest.row[i], most);
    qsort(taken->rows, taken->count, sizeof taken->rows[0], by_row);
}
