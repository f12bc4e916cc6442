#include "snapshot_keep.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Children stand behind their parents. */
void ep_keep_ancestors(struct eprof_snapshot *snapshot, bool *is_kept)
{
    struct ep_tree_place *places = snapshot->places;
    size_t first = snapshot->scope_first;
    for (size_t row = snapshot->trouble_first; row-- > first;) {
        size_t parent = places[row - first].parent;
        if (!is_kept[row] || parent == SIZE_MAX || is_kept[parent])
            continue;
        is_kept[parent] = true;
        places[parent - first].is_around = true;
    }
}

/* Where a row goes, or what follows it if it is left out: `moved` has one more than there are
 * rows, so that the end of a tree is found in it too. */
static void count(size_t *moved, const bool *is_kept, size_t rows)
{
    moved[0] = 0;
    for (size_t row = 0; row < rows; row++)
        moved[row + 1] = moved[row] + is_kept[row];
}

static void move_instance(struct eprof_snapshot *snapshot, size_t row, size_t moved)
{
    snapshot->rows[moved] = snapshot->rows[row];
    if (snapshot->instance_places)
        snapshot->instance_places[moved] = snapshot->instance_places[row];
}

/* Down to its new index, so that those of lower rows are done with. */
static void move_scope(struct eprof_snapshot *snapshot, size_t row, const bool *is_kept,
                       const size_t *moved)
{
    size_t first = moved[snapshot->scope_first];
    struct ep_tree_place place = snapshot->places[row - snapshot->scope_first];
    bool has_parent = place.parent != SIZE_MAX && is_kept[place.parent];
    place.parent = has_parent ? moved[place.parent] : SIZE_MAX;
    place.depth = has_parent ? snapshot->places[place.parent - first].depth + 1 : 0;
    place.end = moved[place.end];
    snapshot->places[moved[row] - first] = place;
    snapshot->rows[moved[row]] = snapshot->rows[row];
}

int ep_keep_rows(struct eprof_snapshot *snapshot, const bool *is_kept)
{
    size_t rows = snapshot->trouble_first, scope_first = snapshot->scope_first;
    size_t troubles = snapshot->row_count - rows;
    size_t *moved = malloc((rows + 1) * sizeof *moved);
    if (!moved) {
        errno = ENOMEM;
        return -1;
    }
    count(moved, is_kept, rows);
    for (size_t row = 0; row < scope_first; row++)
        if (is_kept[row])
            /* NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): count() has set it */
            move_instance(snapshot, row, moved[row]);
    for (size_t row = scope_first; row < rows; row++)
        if (is_kept[row])
            move_scope(snapshot, row, is_kept, moved);
    if (troubles > 0)
        memmove(&snapshot->rows[moved[rows]], &snapshot->rows[rows],
                troubles * sizeof *snapshot->rows);
    /* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign): count() has set it */
    snapshot->scope_first = moved[scope_first];
    snapshot->trouble_first = moved[rows];
    snapshot->row_count = moved[rows] + troubles;
    free(moved);
    return 0;
}

void ep_keep_tops(struct eprof_snapshot *snapshot, const bool *is_kept)
{
    size_t kept = 0;
    for (size_t i = 0; i < snapshot->top_count; i++)
        if (is_kept[i]) {
            snapshot->tops[kept] = snapshot->tops[i];
            snapshot->top_marks[kept++] = snapshot->top_marks[i];
        }
    snapshot->top_count = kept;
}
