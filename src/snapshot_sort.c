#include "snapshot_sort.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "snapshot_part.h"

/* ---- order ---- */

struct entry {
    struct ep_field_order order;
    size_t row;
};

static struct entry entry_of(const struct eprof_row *row, const struct ep_field *field,
                             size_t index)
{
    return (struct entry){ep_field_order_of(row, field), index};
}

static int by_order(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    if (x->order.value != y->order.value)
        return x->order.value > y->order.value ? -1 : 1;
    int order = strcmp(x->order.text, y->order.text);
    return order ? order : (x->row > y->row) - (x->row < y->row);
}

/* Of `count` rows those with a flag, NULL: all; how many they are goes to *sorted. NULL and
 * ENOMEM. */
static struct entry *sorted_entries(const struct eprof_row *rows, const bool *flags, size_t count,
                                    const struct ep_field *field, size_t *sorted)
{
    struct entry *entries = malloc((count + 1) * sizeof *entries);
    *sorted = 0;
    for (size_t i = 0; entries && i < count; i++)
        if (!flags || flags[i])
            entries[(*sorted)++] = entry_of(&rows[i], field, i);
    if (entries)
        qsort(entries, *sorted, sizeof *entries, by_order);
    else
        errno = ENOMEM;
    return entries;
}

int ep_sort_keep_first(const struct eprof_row *rows, size_t count, const struct ep_field *field,
                       size_t most, bool *is_kept)
{
    size_t flagged;
    struct entry *entries = sorted_entries(rows, is_kept, count, field, &flagged);
    if (!entries)
        return -1;
    for (size_t i = most; i < flagged; i++)
        is_kept[entries[i].row] = false;
    free(entries);
    return 0;
}

/* ---- lists ---- */

/* Puts the things of so many bytes, one for each entry, in the order of the entries. */
static int follow(void *things, size_t bytes, const struct entry *entries, size_t count)
{
    char *sorted = malloc(count * bytes + 1);
    if (!sorted)
        return -1;
    for (size_t i = 0; i < count; i++)
        memcpy(sorted + i * bytes, (char *)things + entries[i].row * bytes, bytes);
    memcpy(things, sorted, count * bytes);
    free(sorted);
    return 0;
}

/* `beside`: what goes with each row, so many bytes; NULL: nothing. */
static int sort_list(struct eprof_row *rows, void *beside, size_t beside_bytes, size_t count,
                     const struct ep_field *field)
{
    size_t all;
    struct entry *entries = sorted_entries(rows, NULL, count, field, &all);
    int result = entries ? follow(rows, sizeof *rows, entries, count) : -1;
    if (result == 0 && beside)
        result = follow(beside, beside_bytes, entries, count);
    if (result != 0)
        errno = ENOMEM;
    free(entries);
    return result;
}

int ep_sort_instances(struct eprof_snapshot *snapshot, const struct ep_field *field)
{
    if (snapshot->scope_first == 0)
        return 0;
    return sort_list(snapshot->rows, snapshot->instance_places, sizeof *snapshot->instance_places,
                     snapshot->scope_first, field);
}

int ep_sort_tops(struct eprof_snapshot *snapshot, const struct ep_field *field)
{
    struct ep_part part = {.end = snapshot->scope_first};
    while (ep_part_next(snapshot, &part)) {
        size_t count = part.top_end - part.top_first;
        if (count > 0 &&
            sort_list(&snapshot->tops[part.top_first], &snapshot->top_marks[part.top_first],
                      sizeof *snapshot->top_marks, count, field) != 0)
            return -1;
    }
    return 0;
}

/* ---- trees ---- */

/* Rows count from the first of the tree. */
struct sorting {
    const struct eprof_row *rows;
    const struct ep_tree_place *places;
    size_t first, count;
    struct entry *siblings; /* the roots, then the children of row 0, of row 1 ... */
    size_t *ends;           /* of each of these groups */
    size_t *moved;          /* where a row goes */
    struct eprof_row *sorted_rows;
    struct ep_tree_place *sorted_places;
};

/* Whose children it is among: 0 the roots. */
static size_t group_of(const struct sorting *sorting, size_t row)
{
    size_t parent = sorting->places[row].parent;
    return parent == SIZE_MAX ? 0 : parent - sorting->first + 1;
}

/* A counting sort: `ends` has first the sizes, then the beginnings, and then the ends. */
static void group(struct sorting *sorting, const struct ep_field *field)
{
    size_t begin = 0;
    for (size_t row = 0; row < sorting->count; row++)
        sorting->ends[group_of(sorting, row)]++;
    for (size_t i = 0; i <= sorting->count; i++) {
        size_t size = sorting->ends[i];
        sorting->ends[i] = begin;
        begin += size;
    }
    for (size_t row = 0; row < sorting->count; row++)
        sorting->siblings[sorting->ends[group_of(sorting, row)]++] =
            entry_of(&sorting->rows[row], field, row);
}

/* A parent has its place before its children are looked at, so that one pass does. */
static void place(struct sorting *sorting)
{
    for (size_t i = 0, n = 0; i <= sorting->count; i++) {
        /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): set with its parent */
        size_t size = sorting->ends[i] - n, at = i ? sorting->moved[i - 1] + 1 : 0;
        if (size > 1)
            qsort(&sorting->siblings[n], size, sizeof *sorting->siblings, by_order);
        for (; n < sorting->ends[i]; n++) {
            /* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign): group() has set it */
            size_t row = sorting->siblings[n].row;
            sorting->moved[row] = at;
            at += sorting->places[row].end - sorting->first - row;
        }
    }
}

static void move(struct sorting *sorting)
{
    for (size_t row = 0; row < sorting->count; row++) {
        size_t to = sorting->moved[row];
        struct ep_tree_place *moved = &sorting->sorted_places[to];
        sorting->sorted_rows[to] = sorting->rows[row];
        *moved = sorting->places[row];
        moved->end = to + moved->end - row;
        if (moved->parent != SIZE_MAX)
            moved->parent = sorting->first + sorting->moved[moved->parent - sorting->first];
    }
}

static int begin(struct sorting *sorting)
{
    size_t count = sorting->count;
    sorting->siblings = malloc(count * sizeof *sorting->siblings);
    sorting->ends = calloc(count + 1, sizeof *sorting->ends);
    sorting->moved = malloc(count * sizeof *sorting->moved);
    sorting->sorted_rows = malloc(count * sizeof *sorting->sorted_rows);
    sorting->sorted_places = malloc(count * sizeof *sorting->sorted_places);
    if (sorting->siblings && sorting->ends && sorting->moved && sorting->sorted_rows &&
        sorting->sorted_places)
        return 0;
    errno = ENOMEM;
    return -1;
}

static void end(struct sorting *sorting)
{
    free(sorting->siblings);
    free(sorting->ends);
    free(sorting->moved);
    free(sorting->sorted_rows);
    free(sorting->sorted_places);
}

static int sort_tree(struct eprof_snapshot *snapshot, const struct ep_part *part,
                     const struct ep_field *field)
{
    struct eprof_row *rows = &snapshot->rows[part->first];
    struct ep_tree_place *places = &snapshot->places[part->first - snapshot->scope_first];
    struct sorting sorting = {
        .rows = rows, .places = places, .first = part->first, .count = part->end - part->first};
    int result = begin(&sorting);
    if (result == 0) {
        group(&sorting, field);
        place(&sorting);
        move(&sorting);
        memcpy(rows, sorting.sorted_rows, sorting.count * sizeof *rows);
        memcpy(places, sorting.sorted_places, sorting.count * sizeof *places);
    }
    end(&sorting);
    return result;
}

int ep_sort_scopes(struct eprof_snapshot *snapshot, const struct ep_field *field)
{
    struct ep_part part = {.end = snapshot->scope_first};
    while (ep_part_next(snapshot, &part))
        if (sort_tree(snapshot, &part, field) != 0)
            return -1;
    return 0;
}
