#include "snapshot_focus_tops.h"

#include <errno.h>
#include <stdlib.h>

#include "snapshot_part.h"
#include "snapshot_sort.h"
#include "wide.h"

/* ---- the figures of a site, from those of its places ---- */

static uint64_t largest(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Places that were never timed say nothing of how long a call takes. */
static void add_counts(struct eprof_row *top, const struct eprof_row *row)
{
    if (row->timed > 0) {
        bool is_shortest = top->timed == 0 || row->min_ns < top->min_ns;
        top->min_ns = is_shortest ? row->min_ns : top->min_ns;
    }
    top->max_ns = largest(top->max_ns, row->max_ns);
    top->p50_ns = largest(top->p50_ns, row->p50_ns);
    top->p90_ns = largest(top->p90_ns, row->p90_ns);
    top->p99_ns = largest(top->p99_ns, row->p99_ns);
    top->p999_ns = largest(top->p999_ns, row->p999_ns);
    top->calls += row->calls;
    top->timed += row->timed;
    top->errors += row->errors;
    top->open += row->open;
    top->total_ns += row->total_ns;
    top->self_ns += row->self_ns;
}

/* One of the places where a site was called: a row. */
struct place {
    uint32_t site;
    size_t row;
};

static uint64_t mean_of(const struct eprof_row *rows, const struct place *places, size_t count,
                        uint64_t timed)
{
    struct ep_wide sum = {timed / 2, 0};
    for (size_t i = 0; i < count; i++) {
        const struct eprof_row *row = &rows[places[i].row];
        sum = ep_wide_add(sum, ep_wide_multiply(row->mean_ns, row->timed));
    }
    return ep_wide_divide(sum, timed);
}

/* Of the whole population: each place's own variance, and how far its mean is from that of all. */
static uint64_t deviation_of(const struct eprof_row *rows, const struct place *places, size_t count,
                             const struct eprof_row *top)
{
    struct ep_wide sum = {0, 0};
    for (size_t i = 0; i < count; i++) {
        const struct eprof_row *row = &rows[places[i].row];
        uint64_t off =
            row->mean_ns > top->mean_ns ? row->mean_ns - top->mean_ns : top->mean_ns - row->mean_ns;
        struct ep_wide squares = ep_wide_add(ep_wide_square(row->stddev_ns), ep_wide_square(off));
        sum = ep_wide_add(sum, ep_wide_multiply_by(squares, row->timed));
    }
    double root = ep_wide_root_of(sum, top->timed);
    /* of a file gone bad it is more than there is room for */
    return root < (double)UINT64_MAX ? (uint64_t)(root + 0.5) : UINT64_MAX;
}

static struct eprof_row top_of(const struct eprof_row *rows, const struct place *places,
                               size_t count)
{
    struct eprof_row top = rows[places[0].row];
    top.path = NULL;
    if (count == 1)
        return top;
    for (size_t i = 1; i < count; i++)
        add_counts(&top, &rows[places[i].row]);
    if (top.timed > 0) {
        top.mean_ns = mean_of(rows, places, count, top.timed);
        top.stddev_ns = deviation_of(rows, places, count, &top);
    }
    return top;
}

/* ---- the sites of a tree ---- */

static int by_site(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->site != y->site)
        return x->site > y->site ? 1 : -1;
    return (x->row > y->row) - (x->row < y->row);
}

/* A part of a tree has no more sites than the whole had, so that there is room. */
static int add_part(struct eprof_snapshot *snapshot, const struct ep_part *part)
{
    size_t count = part->end - part->first, next;
    const struct ep_tree_place *tree_places =
        &snapshot->places[part->first - snapshot->scope_first];
    struct place *places = malloc(count * sizeof *places);
    if (!places) {
        errno = ENOMEM;
        return -1;
    }
    for (size_t i = 0; i < count; i++)
        places[i] = (struct place){tree_places[i].site, part->first + i};
    qsort(places, count, sizeof *places, by_site);
    for (size_t i = 0; i < count; i = next) {
        for (next = i + 1; next < count && places[next].site == places[i].site;)
            next++;
        snapshot->tops[snapshot->top_count] = top_of(snapshot->rows, &places[i], next - i);
        snapshot->top_marks[snapshot->top_count++] = tree_places[places[i].row - part->first].mark;
    }
    free(places);
    return 0;
}

int ep_focus_tops_add_up(struct eprof_snapshot *snapshot)
{
    struct ep_part part = {.end = snapshot->scope_first};
    snapshot->top_count = 0;
    while (ep_part_next(snapshot, &part))
        if (add_part(snapshot, &part) != 0)
            return -1;
    return ep_sort_tops(snapshot, ep_field_find("self"));
}
