#include <stdlib.h>

#include "merge/tables.h"

/*
 * How the time of each call path is spread over the processes. The number of processes, sum, sum of
 * squares, least and greatest are sums of sums in any order. So each is in ns, converted by the
 * clock of the process alone. The threads of a process are added up first: none of this could be
 * derived from figures of single threads.
 */

uint32_t ep_merge_balance_path(struct ep_merge *merge, uint32_t parent, uint32_t site)
{
    size_t count = merge->paths.count;
    uint32_t row = ep_merge_path_find(merge, ep_merge_key(parent, site));
    if (row == count)
        ep_merge_path(merge, row)->figures.min_ns = UINT64_MAX;
    return row;
}

/* ---- a process ---- */

void ep_merge_balance_add_thread(struct ep_merge *merge, uint32_t path, uint64_t total_ticks)
{
    struct ep_merge_path *row = ep_merge_path(merge, path);
    row->ticks = ep_saturating_add(row->ticks, total_ticks);
    row->is_in_image = true;
}

static struct ep_wide add_or_saturate(struct ep_wide a, struct ep_wide b)
{
    struct ep_wide sum = ep_wide_add(a, b);
    bool is_too_large =
        ep_wide_is_less(sum, a) || (a.low & a.high) == UINT64_MAX || (b.low & b.high) == UINT64_MAX;
    return is_too_large ? (struct ep_wide){UINT64_MAX, UINT64_MAX} : sum;
}

static void add(struct ep_balance_cell *to, const struct ep_balance_cell *more)
{
    struct ep_wide total = ep_wide_add((struct ep_wide){to->total_low, to->total_high},
                                       (struct ep_wide){more->total_low, more->total_high});
    struct ep_wide squares = add_or_saturate((struct ep_wide){to->square_low, to->square_high},
                                             (struct ep_wide){more->square_low, more->square_high});
    if (more->processes == 0)
        return;
    if (to->processes == 0 || more->max_ns > to->max_ns ||
        (more->max_ns == to->max_ns && more->slowest < to->slowest))
        to->slowest = more->slowest;
    to->processes += more->processes;
    to->min_ns = more->min_ns < to->min_ns ? more->min_ns : to->min_ns;
    to->max_ns = more->max_ns > to->max_ns ? more->max_ns : to->max_ns;
    to->total_low = total.low;
    to->total_high = total.high;
    to->square_low = squares.low;
    to->square_high = squares.high;
}

static struct ep_balance_cell of_one(uint64_t ns, uint32_t number)
{
    struct ep_wide square = ep_wide_square(ns);
    return (struct ep_balance_cell){.processes = 1,
                                    .slowest = number,
                                    .min_ns = ns,
                                    .max_ns = ns,
                                    .total_low = ns,
                                    .square_low = square.low,
                                    .square_high = square.high};
}

void ep_merge_balance_end_process(struct ep_merge *merge)
{
    const union ep_cell *header = merge->from->cells;
    const struct ep_processes_cell *process = &header[EP_CELL_PROCESSES].processes;
    uint64_t number =
        process->rank ? process->rank - 1 : header[EP_CELL_IDENTITY].identity.process_id;
    struct ep_merge_group *group =
        ep_merge_groups_find(merge, process->rank ? number : EP_KEY_UNRANKED | (uint32_t)number);
    merge->processes.count++;
    merge->processes.ranked += process->rank != 0;
    for (uint32_t i = 0; i < merge->paths.count; i++) {
        struct ep_merge_path *path = ep_merge_path(merge, i);
        if (!path->is_in_image)
            continue;
        uint64_t ns = ep_wide_scale_ns(ep_image_scale(merge->from), path->ticks);
        struct ep_balance_cell one = of_one(ns, (uint32_t)number);
        add(&path->figures, &one);
        ep_merge_groups_raise(merge, group, i, ns);
        path->ticks = 0;
        path->is_in_image = false;
    }
}

/* ---- a sum ---- */

void ep_merge_balance_add_sum(struct ep_merge *merge, uint32_t *rows, ep_merge_site_of *site_of,
                              void *context)
{
    const struct ep_processes_cell *from =
        &ep_image_cell(merge->from, EP_CELL_PROCESSES)->processes;
    merge->processes.count += from->count;
    merge->processes.ranked += from->ranked;
    for (uint32_t i = 0; i < from->balance_count; i++) {
        const struct ep_balance_cell *cell =
            &ep_image_cell(merge->from, from->balances + i)->balance;
        uint32_t parent = cell->parent ? rows[cell->parent - 1] : EP_MAP_NONE;
        rows[i] = ep_merge_balance_path(merge, parent, site_of(context, cell->site));
        add(&ep_merge_path(merge, rows[i])->figures, cell);
    }
    ep_merge_groups_add_sum(merge, rows);
}

/* ---- writing: level by level, siblings by site, so that the order of adding does not matter ----
 */

struct sorted {
    uint32_t parent; /* + 1: a row; 0: none */
    uint32_t site;   /* its rank */
    uint32_t row;
};

static int by_parent_and_site(const void *a, const void *b)
{
    const struct sorted *x = a, *y = b;
    int order = (x->parent > y->parent) - (x->parent < y->parent);
    return order ? order : (x->site > y->site) - (x->site < y->site);
}

static void sort(const struct ep_merge *merge, struct sorted *sorted, uint32_t *first_child)
{
    uint32_t count = (uint32_t)merge->paths.count, at = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct ep_wide key = ep_merge_path(merge, i)->key;
        sorted[i] = (struct sorted){ep_merge_upper(key) + 1,
                                    ep_merge_site(merge, ep_merge_lower(key))->rank, i};
    }
    qsort(sorted, count, sizeof *sorted, by_parent_and_site);
    for (uint32_t parent = 0; parent <= count + 1; parent++) {
        while (at < count && sorted[at].parent < parent)
            at++;
        first_child[parent] = at;
    }
}

/* Walks the tree from its roots, and writes a path when its turn comes. Then the queue has the row
 * of each path. */
static void write(const struct ep_merge *merge, const struct sorted *sorted,
                  const uint32_t *first_child, uint32_t *queue, union ep_cell *cells)
{
    uint32_t count = 0;
    for (uint32_t i = first_child[0]; i < first_child[1]; i++)
        queue[count++] = i;
    for (uint32_t at = 0; at < count; at++) {
        const struct sorted *path = &sorted[queue[at]];
        struct ep_balance_cell *cell = &cells[at].balance;
        uint32_t parent = cell->parent;
        *cell = ep_merge_path(merge, path->row)->figures;
        cell->site = path->site;
        cell->parent = parent;
        for (uint32_t i = first_child[path->row + 1]; i < first_child[path->row + 2]; i++) {
            cells[count].balance.parent = at + 1;
            queue[count++] = i;
        }
        queue[at] = path->row;
    }
}

int ep_merge_balance_write(const struct ep_merge *merge, struct ep_image *image)
{
    size_t count = merge->paths.count;
    struct ep_processes_cell *to = &ep_image_cell(image, EP_CELL_PROCESSES)->processes;
    *to = merge->processes;
    if (count == 0)
        return ep_merge_groups_write(merge, image, NULL);
    struct sorted *sorted = malloc(count * sizeof *sorted);
    uint32_t *first_child = malloc((count + 2) * sizeof *first_child);
    uint32_t *queue = malloc(count * sizeof *queue);
    /* more than a block is taken as whole blocks */
    size_t cells = count <= EP_BLOCK_CELLS
                       ? count
                       : (count + EP_BLOCK_CELLS - 1) / EP_BLOCK_CELLS * EP_BLOCK_CELLS;
    bool is_done = sorted && first_child && queue && cells < UINT32_MAX &&
                   (to->balances = ep_image_take(image, (uint32_t)cells));
    if (is_done) {
        to = &ep_image_cell(image, EP_CELL_PROCESSES)->processes;
        to->balance_count = (uint32_t)count;
        sort(merge, sorted, first_child);
        write(merge, sorted, first_child, queue, ep_image_cell(image, to->balances));
    }
    is_done = is_done && ep_merge_groups_write(merge, image, queue) == 0;
    free(sorted);
    free(first_child);
    free(queue);
    return is_done ? 0 : -1;
}
