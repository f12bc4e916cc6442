#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "snapshot/making.h"

/* A call path by the index of the one above, + 1, and its site. */
static uint64_t key_of(uint32_t parent, uint32_t site)
{
    return (uint64_t)parent << 32 | site;
}

/* A damaged file may have two of a path: the first one counts. */
static int read_paths(struct ep_map *paths, const struct ep_image *image,
                      const struct ep_processes_cell *processes)
{
    if (ep_hash_map_reserve(paths, processes->balance_count) != 0)
        return -1;
    for (uint32_t i = 0; i < processes->balance_count; i++) {
        const struct ep_balance_cell *cell =
            &ep_image_cell(image, processes->balances + i)->balance;
        uint64_t key = key_of(cell->parent, cell->site);
        if (ep_hash_map_find(paths, key) == EP_MAP_NONE)
            ep_hash_map_add(paths, key, i);
    }
    return 0;
}

/* ---- the figures of a row ---- */

static uint64_t in_unit(const struct ep_conversion *conversion, uint64_t ns)
{
    struct ep_scale to_ticks = {.ns = conversion->cpu_scale.ticks,
                                .ticks = conversion->cpu_scale.ns};
    return conversion->is_in_ticks ? ep_wide_scale_ns(to_ticks, ns) : ns;
}

/* The deviation of all processes, divided by their number: the root of the mean square less the
 * squared mean, both times the number, which keeps them integers. */
static uint64_t deviation_ns(const struct ep_balance_cell *cell)
{
    struct ep_wide squares = {cell->square_low, cell->square_high};
    uint64_t total_ns = ep_wide_saturated((struct ep_wide){cell->total_low, cell->total_high});
    uint64_t n = cell->processes, mean_ns = total_ns / n;
    if ((squares.low & squares.high) == UINT64_MAX || total_ns == UINT64_MAX)
        return EPROF_UNKNOWN;
    /* sum of (x - mean)^2 = sum of x^2 - 2 mean sum of x + n mean^2, for the rounded mean */
    struct ep_wide around = ep_wide_add(squares, ep_wide_multiply_by(ep_wide_square(mean_ns), n));
    struct ep_wide less = ep_wide_multiply_by(ep_wide_multiply(mean_ns, total_ns), 2);
    if (ep_wide_is_less(around, less))
        return 0; /* a damaged file */
    double root = ep_wide_root_of(ep_wide_subtract(around, less), n);
    /* in a damaged file it may exceed 64 bits */
    return root < (double)UINT64_MAX ? (uint64_t)(root + 0.5) : EPROF_UNKNOWN;
}

/* max / mean - 1, in millionths. */
static uint64_t imbalance(const struct ep_balance_cell *cell, struct ep_wide total)
{
    struct ep_wide most = ep_wide_multiply(cell->max_ns, cell->processes);
    if ((total.low | total.high) == 0 || !ep_wide_is_less(total, most))
        return 0;
    struct ep_wide excess = ep_wide_subtract(most, total);
    while (total.high || excess.high >> 40) {
        total = (struct ep_wide){total.low >> 1 | total.high << 63, total.high >> 1};
        excess = (struct ep_wide){excess.low >> 1 | excess.high << 63, excess.high >> 1};
    }
    return ep_wide_divide(ep_wide_multiply_by(excess, 1000000), total.low + (total.low == 0));
}

static void set(const struct eprof_snapshot *snapshot, struct eprof_row *row,
                const struct ep_balance_cell *cell)
{
    const struct ep_conversion *conversion = &snapshot->conversion;
    const struct ep_processes_cell *processes =
        &ep_image_cell(snapshot->image, EP_CELL_PROCESSES)->processes;
    struct ep_wide total = {cell->total_low, cell->total_high};
    if (cell->processes == 0)
        return;
    uint64_t stddev_ns = deviation_ns(cell);
    row->processes = cell->processes;
    row->process_min_ns = in_unit(conversion, cell->min_ns);
    row->process_mean_ns = in_unit(conversion, ep_wide_divide(total, cell->processes));
    row->process_max_ns = in_unit(conversion, cell->max_ns);
    row->process_stddev_ns =
        stddev_ns == EPROF_UNKNOWN ? stddev_ns : in_unit(conversion, stddev_ns);
    /* a number may be a rank or a process id if only some have a rank */
    if (processes->ranked == 0 || snapshot->has_ranks)
        row->process_slowest = cell->slowest;
    row->imbalance_millionths = imbalance(cell, total);
}

/* ---- all rows ---- */

/* A parent has its path before its children. */
static void set_all(struct eprof_snapshot *snapshot, const struct ep_map *paths, uint32_t *path_of)
{
    const struct ep_processes_cell *processes =
        &ep_image_cell(snapshot->image, EP_CELL_PROCESSES)->processes;
    for (size_t row = snapshot->scope_first; row < snapshot->row_count; row++) {
        const struct ep_tree_position *position = ep_rows_position(snapshot, row);
        uint32_t *path = &path_of[row - snapshot->scope_first], parent = 0;
        if (position->parent != SIZE_MAX)
            parent = path_of[position->parent - snapshot->scope_first] + 1;
        bool is_lost = position->parent != SIZE_MAX && parent == 0; /* in a damaged file */
        *path = is_lost ? EP_MAP_NONE : ep_hash_map_find(paths, key_of(parent, position->site));
        if (*path != EP_MAP_NONE)
            set(snapshot, &snapshot->rows[row],
                &ep_image_cell(snapshot->image, processes->balances + *path)->balance);
        ep_rows_position(snapshot, row)->group_run = *path == EP_MAP_NONE ? 0 : *path + 1;
    }
}

/* ---- groups of processes ---- */

static int read_groups(struct eprof_snapshot *snapshot)
{
    const struct ep_image *image = snapshot->image;
    const struct ep_processes_cell *processes = &ep_image_cell(image, EP_CELL_PROCESSES)->processes;
    struct ep_process_groups *groups = &snapshot->groups;
    size_t count = processes->group_count, paths = processes->balance_count;
    if (!processes->groups)
        return 0;
    groups->at = calloc(count, sizeof *groups->at);
    groups->max_ns = calloc(paths * count, sizeof *groups->max_ns);
    if (!groups->at || !groups->max_ns)
        return -1;
    groups->count = processes->group_count;
    groups->numbers = (uint64_t)1 << processes->group_shift;
    for (size_t i = 0; i < count; i++) {
        uint64_t key = ep_image_groups(image, 0)[i] << processes->group_shift;
        groups->at[i] = (struct ep_process_group){.first = key & (EP_KEY_UNRANKED - 1),
                                                  .has_ranks = !(key & EP_KEY_UNRANKED)};
    }
    for (size_t path = 0; path < paths; path++)
        memcpy(&groups->max_ns[path * count], ep_image_groups(image, path + 1),
               count * sizeof *groups->max_ns);
    return 0;
}

int ep_snapshot_balance_add(struct eprof_snapshot *snapshot)
{
    const struct ep_processes_cell *processes =
        &ep_image_cell(snapshot->image, EP_CELL_PROCESSES)->processes;
    size_t count = snapshot->row_count - snapshot->scope_first;
    if (processes->count < 2)
        return 0; /* one has no others */
    snapshot->process_count = processes->count;
    snapshot->has_ranks = processes->ranked == processes->count;
    if (snapshot->options.threads || processes->balance_count == 0 || count == 0)
        return 0;
    struct ep_map paths = {.count = 0};
    uint32_t *path_of = malloc(count * sizeof *path_of);
    int result = path_of ? read_paths(&paths, snapshot->image, processes) : -1;
    if (result == 0)
        result = read_groups(snapshot);
    if (result == 0)
        set_all(snapshot, &paths, path_of);
    ep_hash_map_free(&paths);
    free(path_of);
    return result;
}
