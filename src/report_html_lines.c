#include "report_html_lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "snapshot_sort.h"

struct making {
    const struct eprof_snapshot *snapshot;
    const struct ep_part *part;
    bool *is_shown; /* of each row of the part */
    struct ep_tree_choice *choice;
};

static const struct ep_tree_place *place_of(const struct making *making, size_t row)
{
    return &making->snapshot->places[row - making->snapshot->scope_first];
}

/* Those with the most time; none without its parent. */
static int choose(const struct making *making, size_t most)
{
    size_t first = making->part->first, count = making->part->end - first;
    memset(making->is_shown, true, count);
    if (ep_sort_keep_first(&making->snapshot->rows[first], count, ep_field_find("total"), most,
                           making->is_shown) != 0)
        return -1;
    for (size_t i = 0; i < count; i++) {
        size_t parent = place_of(making, first + i)->parent;
        if (parent != SIZE_MAX && !making->is_shown[parent - first])
            making->is_shown[i] = false;
    }
    return 0;
}

static uint64_t whole_of(const struct making *making, size_t row)
{
    size_t parent = place_of(making, row)->parent;
    return parent == SIZE_MAX ? making->choice->whole_ns : making->snapshot->rows[parent].total_ns;
}

static struct ep_tree_line line_of(const struct making *making, size_t row)
{
    return (struct ep_tree_line){.kind = EP_TREE_ROW,
                                 .depth = place_of(making, row)->depth,
                                 .row = row,
                                 .part_ns = making->snapshot->rows[row].total_ns,
                                 .whole_ns = whole_of(making, row)};
}

/* For the siblings from `row` on that are not shown; gives the row behind them. */
static size_t leave_out(const struct making *making, size_t row, struct ep_tree_line *line)
{
    size_t first = making->part->first, parent = place_of(making, row)->parent;
    *line = line_of(making, row);
    line->kind = EP_TREE_REST;
    line->part_ns = 0;
    while (row < making->part->end && !making->is_shown[row - first] &&
           place_of(making, row)->parent == parent) {
        line->part_ns += making->snapshot->rows[row].total_ns;
        line->left_out += place_of(making, row)->end - row;
        row = place_of(making, row)->end;
    }
    return row;
}

static void make_lines(const struct making *making)
{
    struct ep_tree_choice *choice = making->choice;
    for (size_t row = making->part->first; row < making->part->end;) {
        struct ep_tree_line *line = &choice->lines[choice->count++];
        if (making->is_shown[row - making->part->first])
            *line = line_of(making, row++);
        else
            row = leave_out(making, row, line);
    }
}

int ep_report_html_lines_make(struct ep_tree_choice *choice, const struct eprof_snapshot *snapshot,
                              const struct ep_part *part, size_t most)
{
    size_t rows = part->end - part->first;
    *choice = (struct ep_tree_choice){.whole_ns = ep_part_whole(snapshot, part).total_ns,
                                      .lines = malloc(rows * sizeof *choice->lines + 1)};
    struct making making = {snapshot, part, malloc(rows + 1), choice};
    int result = choice->lines && making.is_shown ? choose(&making, most) : -1;
    if (result == 0)
        make_lines(&making);
    else
        errno = ENOMEM;
    free(making.is_shown);
    return result;
}
