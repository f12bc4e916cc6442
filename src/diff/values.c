/*
 * diff/values.c - the values of both sides, matched by path
 *
 * They have no verdicts: a number may be good or bad, and its unit need not be a time.
 */
#include "diff/values.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

static int compare(const struct eprof_row *x, const struct eprof_row *y)
{
    int order = strcmp(x->path, y->path);
    return order ? order : strcmp(x->unit, y->unit);
}

/* Values of one path are matched in the order of their lines. */
static int by_path(const void *a, const void *b)
{
    const struct eprof_row *const *x = a, *const *y = b;
    int order = compare(*x, *y);
    if (order == 0)
        order = ((*x)->line > (*y)->line) - ((*x)->line < (*y)->line);
    return order ? order : (*x > *y) - (*x < *y);
}

/* The values of a side that are compared, sorted; to be freed. NULL: no memory. */
static const struct eprof_row **sorted(const struct ep_diff *diff, enum ep_diff_side side,
                                       size_t *count)
{
    const struct eprof_snapshot *snapshot = diff->sides[side];
    const char *filter = diff->options.filter;
    const struct eprof_row **rows = malloc((snapshot->value_count + 1) * sizeof(void *));
    *count = 0;
    for (size_t i = 0; rows && i < snapshot->value_count; i++)
        if (!filter || fnmatch(filter, snapshot->values[i].name, 0) == 0)
            rows[(*count)++] = &snapshot->values[i];
    if (*count)
        qsort(rows, *count, sizeof *rows, by_path);
    return rows;
}

int ep_diff_values_match(struct ep_diff *diff)
{
    size_t counts[EP_DIFF_SIDES], at[EP_DIFF_SIDES] = {0};
    const struct eprof_row **rows[EP_DIFF_SIDES];
    for (enum ep_diff_side side = 0; side < EP_DIFF_SIDES; side++)
        rows[side] = sorted(diff, side, &counts[side]);
    bool is_whole = rows[EP_DIFF_BEFORE] && rows[EP_DIFF_AFTER];
    if (is_whole)
        diff->values =
            calloc(counts[EP_DIFF_BEFORE] + counts[EP_DIFF_AFTER] + 1, sizeof *diff->values);
    while (diff->values && (at[EP_DIFF_BEFORE] < counts[EP_DIFF_BEFORE] ||
                            at[EP_DIFF_AFTER] < counts[EP_DIFF_AFTER])) {
        struct ep_diff_value *value = &diff->values[diff->value_count++];
        bool has_before = at[EP_DIFF_BEFORE] < counts[EP_DIFF_BEFORE];
        bool has_after = at[EP_DIFF_AFTER] < counts[EP_DIFF_AFTER];
        int order = has_before && has_after ? compare(rows[EP_DIFF_BEFORE][at[EP_DIFF_BEFORE]],
                                                      rows[EP_DIFF_AFTER][at[EP_DIFF_AFTER]])
                                            : has_after - has_before;
        if (order <= 0)
            value->at[EP_DIFF_BEFORE] = rows[EP_DIFF_BEFORE][at[EP_DIFF_BEFORE]++];
        if (order >= 0)
            value->at[EP_DIFF_AFTER] = rows[EP_DIFF_AFTER][at[EP_DIFF_AFTER]++];
    }
    free(rows[EP_DIFF_BEFORE]);
    free(rows[EP_DIFF_AFTER]);
    return diff->values ? 0 : -1;
}
