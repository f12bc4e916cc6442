#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "snapshot/making.h"
#include "snapshot/row_sum.h"
#include "snapshot/sort.h"

/* ---- the tops of the rows that a focus kept: the figures of a site come from its tree positions,
 * not from the image ---- */

static int by_site(const void *a, const void *b)
{
    const struct ep_row_sum_part *x = a, *y = b;
    if (x->site != y->site)
        return x->site > y->site ? 1 : -1;
    return (x->row > y->row) - (x->row < y->row);
}

/* Part of a tree has no more sites than the whole, so there is room. */
static int add_part(struct eprof_snapshot *snapshot, const struct ep_part *part)
{
    size_t count = part->end - part->first, next;
    struct eprof_row *rows = &snapshot->rows[part->first];
    const struct ep_tree_position *tree_positions = ep_rows_position(snapshot, part->first);
    struct ep_row_sum_part *positions = malloc(count * sizeof *positions);
    if (!positions) {
        errno = ENOMEM;
        return -1;
    }
    for (size_t i = 0; i < count; i++)
        positions[i] = (struct ep_row_sum_part){tree_positions[i].site, &rows[i]};
    qsort(positions, count, sizeof *positions, by_site);
    for (size_t i = 0; i < count; i = next) {
        for (next = i + 1; next < count && positions[next].site == positions[i].site;)
            next++;
        snapshot->tops[snapshot->top_count] = ep_row_sum_of(&positions[i], next - i);
        struct ep_site_mark *mark = &snapshot->top_marks[snapshot->top_count++];
        *mark = tree_positions[positions[i].row - rows].mark;
        for (size_t at = i + 1; at < next; at++)
            ep_row_sum_add_mark(mark, &tree_positions[positions[at].row - rows].mark);
    }
    free(positions);
    return 0;
}

/* Makes new tops, in the order of self time. */
static int replace_tops(struct eprof_snapshot *snapshot)
{
    struct ep_part part = {.end = snapshot->scope_first};
    snapshot->top_count = 0;
    while (ep_rows_part_next(snapshot, &part))
        if (add_part(snapshot, &part) != 0)
            return -1;
    return ep_sort_rows(snapshot, ep_columns_find("self"), EP_SORT_TOPS);
}

/* ---- the requested path ---- */

/* Its names, from the root. */
struct wanted {
    char *text;
    const char **names;
    size_t count;
};

/* Removes the escapes and replaces each ';' by a NUL. A `\` before any other character stays. */
static int parse(struct wanted *wanted, const char *path)
{
    size_t bytes = strlen(path) + 1;
    char *to = wanted->text = malloc(bytes);
    wanted->names = malloc(bytes * sizeof *wanted->names);
    wanted->count = 0;
    if (!to || !wanted->names)
        return -1;
    wanted->names[wanted->count++] = to;
    for (; *path; path++) {
        if (*path == ';') {
            *to++ = '\0';
            wanted->names[wanted->count++] = to;
            continue;
        }
        if (*path == '\\' && (path[1] == ';' || path[1] == '\\'))
            path++;
        *to++ = *path;
    }
    *to = '\0';
    return 0;
}

static bool is_wanted(const struct wanted *wanted, const struct eprof_snapshot *snapshot,
                      size_t row)
{
    const struct ep_tree_position *tree_positions = snapshot->positions;
    size_t left = wanted->count, first = snapshot->scope_first;
    if (left > 1 && tree_positions[row - first].depth + (size_t)1 != left)
        return false;
    for (; left > 0; row = tree_positions[row - first].parent)
        if (strcmp(snapshot->rows[row].name, wanted->names[--left]) != 0)
            return false;
    return true;
}

/* Moves the values inside a scope to the first ones that are kept. */
static void keep_values(struct eprof_snapshot *snapshot, const char *path, size_t *kept)
{
    size_t bytes = strlen(path);
    for (size_t i = *kept; i < snapshot->value_count; i++) {
        struct eprof_row value = snapshot->values[i];
        struct ep_value_mark mark = snapshot->value_marks[i];
        if (strncmp(value.path, path, bytes) != 0 || value.path[bytes] != ';')
            continue;
        memmove(&snapshot->values[*kept + 1], &snapshot->values[*kept],
                (i - *kept) * sizeof *snapshot->values);
        memmove(&snapshot->value_marks[*kept + 1], &snapshot->value_marks[*kept],
                (i - *kept) * sizeof *snapshot->value_marks);
        snapshot->value_marks[*kept] = mark;
        snapshot->values[(*kept)++] = value;
    }
}

/* The path of a new root is made while its ancestors exist; paths below it continue it. */
static int mark(struct eprof_snapshot *snapshot, const struct wanted *wanted, bool *is_kept)
{
    bool is_found = false;
    size_t values = 0;
    for (size_t row = snapshot->scope_first; row < snapshot->diagnostic_first;) {
        if (!is_wanted(wanted, snapshot, row)) {
            row++;
            continue;
        }
        size_t end = snapshot->positions[row - snapshot->scope_first].end;
        if (!ep_rows_path(snapshot, row))
            return -1;
        memset(&is_kept[row], true, end - row);
        keep_values(snapshot, snapshot->rows[row].path, &values);
        is_found = true;
        row = end;
    }
    snapshot->value_count = values;
    errno = ENOENT;
    return is_found ? 0 : -1;
}

int ep_focus_on(struct eprof_snapshot *snapshot, const char *path)
{
    struct wanted wanted;
    bool *is_kept = calloc(snapshot->diagnostic_first + 1, sizeof *is_kept);
    errno = ENOMEM;
    int result = parse(&wanted, path) == 0 && is_kept ? 0 : -1;
    if (result == 0)
        result = mark(snapshot, &wanted, is_kept);
    if (result == 0)
        result = ep_rows_keep(snapshot, is_kept);
    if (result == 0)
        result = replace_tops(snapshot);
    int error = errno;
    free(wanted.text);
    free(wanted.names);
    free(is_kept);
    errno = error;
    return result;
}
