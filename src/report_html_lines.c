#include "report_html_lines.h"

#include <errno.h>
#include <stdlib.h>

struct making {
    const struct eprof_snapshot *snapshot;
    const struct ep_part *part;
    bool *is_shown; /* of each row of the part */
    struct ep_tree_choice *choice;
};

static int by_size(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x < y) - (x > y);
}

/* The time that `most` rows have, and no more than `most` have more than. */
static int find_least(const struct making *making, size_t most, uint64_t *least_ns)
{
    size_t rows = making->part->end - making->part->first;
    *least_ns = 0;
    if (rows <= most)
        return 0;
    uint64_t *totals = malloc(rows * sizeof *totals);
    if (!totals)
        return -1;
    for (size_t i = 0; i < rows; i++)
        totals[i] = making->snapshot->rows[making->part->first + i].total_ns;
    qsort(totals, rows, sizeof *totals, by_size);
    *least_ns = totals[most - 1];
    free(totals);
    return 0;
}

static const struct ep_tree_place *place_of(const struct making *making, size_t row)
{
    return &making->snapshot->places[row - making->snapshot->scope_first];
}

/* Those with more, and of equals the first; none without its parent. */
static void choose(const struct making *making, size_t most, uint64_t least_ns)
{
    size_t first = making->part->first, left = most;
    for (size_t row = first; row < making->part->end; row++)
        left -= left > 0 && making->snapshot->rows[row].total_ns > least_ns;
    for (size_t row = first; row < making->part->end; row++) {
        uint64_t total_ns = making->snapshot->rows[row].total_ns;
        size_t parent = place_of(making, row)->parent;
        bool is_below = parent == SIZE_MAX || making->is_shown[parent - first];
        bool is_equal = total_ns == least_ns && left > 0;
        making->is_shown[row - first] = is_below && (total_ns > least_ns || is_equal);
        left -= is_below && is_equal;
    }
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
    struct making making = {snapshot, part, calloc(rows + 1, sizeof *making.is_shown), choice};
    uint64_t least_ns;
    int result = choice->lines && making.is_shown ? find_least(&making, most, &least_ns) : -1;
    if (result == 0) {
        choose(&making, most, least_ns);
        make_lines(&making);
    } else {
        errno = ENOMEM;
    }
    free(making.is_shown);
    return result;
}
