#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/wide.h"
#include "snapshot/making.h"
#include "snapshot/series.h"
#include "snapshot/sort.h"

/* ---- the tops of the rows that a focus kept ---- */

/* The figures of a site come from its tree positions, not from the image. All are exact except the
 * percentiles: each is the largest of any position. */

/* A position that was never timed has no shortest time. */
static void add_row(struct eprof_row *top, struct eprof_row *row)
{
    uint64_t *const longest[] = {&top->max_ns, &top->p50_ns, &top->p90_ns, &top->p99_ns,
                                 &top->p999_ns};
    const uint64_t longer[] = {row->max_ns, row->p50_ns, row->p90_ns, row->p99_ns, row->p999_ns};
    if (row->timed > 0 && (top->timed == 0 || row->min_ns < top->min_ns))
        top->min_ns = row->min_ns;
    for (size_t i = 0; i < sizeof longer / sizeof longer[0]; i++)
        if (*longest[i] < longer[i])
            *longest[i] = longer[i];
    for (int i = 0; i < EP_SERIES_FIGURES; i++) { /* a sum with an unknown figure is unknown */
        uint64_t *sum = ep_series_figure(top, i);
        *sum = ep_saturating_add(*sum, *ep_series_figure(row, i));
    }
    top->outermost = ep_saturating_add(top->outermost, row->outermost);
    top->estimated |= row->estimated;
}

/* A tree position of a site. */
struct position {
    uint32_t site;
    struct eprof_row *row;
};

/* Sets the mean and the deviation of all calls: the variance of each position and the squared
 * distance of its mean from the common mean are added. */
static void set_mean(struct eprof_row *top, const struct position *positions, size_t count)
{
    struct ep_wide sum = {top->timed / 2, 0}, squares = {0, 0};
    for (size_t i = 0; i < count; i++)
        sum =
            ep_wide_add(sum, ep_wide_multiply(positions[i].row->mean_ns, positions[i].row->timed));
    top->mean_ns = ep_wide_divide(sum, top->timed);
    for (size_t i = 0; i < count; i++) {
        const struct eprof_row *row = positions[i].row;
        uint64_t off =
            row->mean_ns > top->mean_ns ? row->mean_ns - top->mean_ns : top->mean_ns - row->mean_ns;
        struct ep_wide square = ep_wide_add(ep_wide_square(row->stddev_ns), ep_wide_square(off));
        squares = ep_wide_add(squares, ep_wide_multiply_by(square, row->timed));
    }
    double root = ep_wide_root_of(squares, top->timed);
    /* in a damaged file it may exceed 64 bits */
    top->stddev_ns = root < (double)UINT64_MAX ? (uint64_t)(root + 0.5) : UINT64_MAX;
}

/* The calls of each position were drawn independently, so the squares of the errors are added. */
static void set_errors(struct eprof_row *top, const struct position *positions, size_t count)
{
    const double almost_one = 0.999999; /* the root is not exact */
    struct ep_wide squares = {0, 0};
    bool is_known = top->outermost > 0;
    for (size_t i = 0; i < count; i++) {
        is_known &= positions[i].row->total_error_ns != EPROF_UNKNOWN;
        squares = ep_wide_add(squares, ep_wide_square(positions[i].row->total_error_ns));
    }
    double root = ep_wide_root_of(squares, 1) + almost_one;
    is_known &= root < (double)UINT64_MAX;
    top->mean_error_ns = top->total_error_ns = top->estimated ? EPROF_UNKNOWN : 0;
    if (!top->estimated || !is_known)
        return;
    top->total_error_ns = (uint64_t)root;
    top->mean_error_ns =
        top->total_error_ns / top->outermost + (top->total_error_ns % top->outermost != 0);
}

static struct eprof_row top_of(const struct position *positions, size_t count)
{
    struct eprof_row top = *positions[0].row;
    top.path = NULL;
    for (size_t i = 1; i < count; i++)
        add_row(&top, positions[i].row);
    if (count > 1 && top.timed > 0)
        set_mean(&top, positions, count);
    if (count > 1)
        set_errors(&top, positions, count);
    return top;
}

static int by_site(const void *a, const void *b)
{
    const struct position *x = a, *y = b;
    if (x->site != y->site)
        return x->site > y->site ? 1 : -1;
    return (x->row > y->row) - (x->row < y->row);
}

/* Adds that of another row of the site. The errors are added up, as those of rows are. */
static void add_mark(struct ep_site_mark *mark, const struct ep_site_mark *more)
{
    mark->is_sampled |= more->is_sampled;
    mark->is_self_rest |= more->is_self_rest;
    mark->self_error_ns = ep_saturating_add(mark->self_error_ns, more->self_error_ns);
    mark->overhead_ns = ep_saturating_add(mark->overhead_ns, more->overhead_ns);
}

/* Part of a tree has no more sites than the whole, so there is room. */
static int add_part(struct eprof_snapshot *snapshot, const struct ep_part *part)
{
    size_t count = part->end - part->first, next;
    struct eprof_row *rows = &snapshot->rows[part->first];
    const struct ep_tree_position *tree_positions = ep_rows_position(snapshot, part->first);
    struct position *positions = malloc(count * sizeof *positions);
    if (!positions) {
        errno = ENOMEM;
        return -1;
    }
    for (size_t i = 0; i < count; i++)
        positions[i] = (struct position){tree_positions[i].site, &rows[i]};
    qsort(positions, count, sizeof *positions, by_site);
    for (size_t i = 0; i < count; i = next) {
        for (next = i + 1; next < count && positions[next].site == positions[i].site;)
            next++;
        snapshot->tops[snapshot->top_count] = top_of(&positions[i], next - i);
        struct ep_site_mark *mark = &snapshot->top_marks[snapshot->top_count++];
        *mark = tree_positions[positions[i].row - rows].mark;
        for (size_t at = i + 1; at < next; at++)
            add_mark(mark, &tree_positions[positions[at].row - rows].mark);
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
        if (strncmp(value.path, path, bytes) != 0 || value.path[bytes] != ';')
            continue;
        memmove(&snapshot->values[*kept + 1], &snapshot->values[*kept],
                (i - *kept) * sizeof *snapshot->values);
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
