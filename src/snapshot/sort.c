#include "snapshot/sort.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "snapshot/making.h"

static struct ep_sort_item root_of(const struct eprof_row *row, const struct ep_field *field,
                                   size_t index)
{
    return (struct ep_sort_item){.order = ep_columns_order_of(row, field),
                                 .index = (uint32_t)index,
                                 .parent = EP_MAP_NONE,
                                 .rows = 1};
}

/* Siblings are adjacent, and after their parent. Roots come first: EP_MAP_NONE + 1 is 0. */
static int by_order(const void *a, const void *b)
{
    const struct ep_sort_item *x = a, *y = b;
    if (x->parent != y->parent)
        return x->parent + 1 < y->parent + 1 ? -1 : 1;
    if (x->order.value != y->order.value)
        return x->order.value > y->order.value ? -1 : 1;
    int order = strcmp(x->order.text, y->order.text);
    if (order == 0)
        order = (x->site > y->site) - (x->site < y->site);
    return order ? order : (x->index > y->index) - (x->index < y->index);
}

int ep_sort_keep_first(const struct eprof_row *rows, size_t count, const struct ep_field *field,
                       size_t most, bool *is_kept)
{
    struct ep_sort_item *items = malloc((count + 1) * sizeof *items);
    size_t flagged = 0;
    if (!items) {
        errno = ENOMEM;
        return -1;
    }
    for (size_t i = 0; i < count; i++)
        if (is_kept[i])
            items[flagged++] = root_of(&rows[i], field, i);
    qsort(items, flagged, sizeof *items, by_order);
    for (size_t i = most; i < flagged; i++)
        is_kept[items[i].index] = false;
    free(items);
    return 0;
}

void ep_sort_walk(struct ep_sort_item *items, size_t count, uint32_t *positions)
{
    uint32_t next = 0;
    qsort(items, count, sizeof *items, by_order);
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && items[i].parent != items[i - 1].parent)
            next = positions[items[i].parent] + 1;
        positions[items[i].index] = next;
        next += items[i].rows;
    }
}

/* The new indices of `count` rows from `first` on. `positions`: NULL for a list. */
static int order(const struct eprof_row *rows, const struct ep_tree_position *positions,
                 size_t first, size_t count, const struct ep_field *field, uint32_t *moved)
{
    struct ep_sort_item *items = malloc((count + 1) * sizeof *items);
    if (!items)
        return -1;
    for (size_t i = 0; i < count; i++) {
        items[i] = root_of(&rows[first + i], field, i);
        if (positions)
            items[i].rows = (uint32_t)(positions[i].end - first - i);
        if (positions && positions[i].parent != SIZE_MAX)
            items[i].parent = (uint32_t)(positions[i].parent - first);
    }
    ep_sort_walk(items, count, &moved[first]);
    for (size_t i = 0; i < count; i++)
        moved[first + i] += (uint32_t)first;
    free(items);
    return 0;
}

int ep_sort_rows(struct eprof_snapshot *snapshot, const struct ep_field *field, unsigned which)
{
    struct ep_part part = {.end = snapshot->scope_first};
    size_t rows = snapshot->diagnostic_first, all = rows + snapshot->top_count;
    uint32_t *moved = malloc((all + 1) * sizeof *moved);
    int result = moved ? 0 : -1;
    for (size_t i = 0; moved && i < all; i++)
        moved[i] = (uint32_t)(i < rows ? i : i - rows);
    if (result == 0 && which & EP_SORT_INSTANCES)
        result = order(snapshot->rows, NULL, 0, snapshot->scope_first, field, moved);
    while (result == 0 && ep_rows_part_next(snapshot, &part)) {
        if (which & EP_SORT_SCOPES)
            result = order(snapshot->rows, ep_rows_position(snapshot, part.first), part.first,
                           part.end - part.first, field, moved);
        if (result == 0 && which & EP_SORT_TOPS)
            result = order(snapshot->tops, NULL, part.top_first, part.top_end - part.top_first,
                           field, &moved[rows]);
    }
    if (result == 0 && which & (EP_SORT_INSTANCES | EP_SORT_SCOPES))
        result = ep_rows_move(snapshot, moved);
    if (result == 0 && which & EP_SORT_TOPS)
        result = ep_rows_move_tops(snapshot, &moved[rows]);
    free(moved);
    if (result != 0)
        errno = ENOMEM;
    return result;
}
