/*
 * snapshot/values.c - the rows of values, from the nodes of their sites and call paths
 *
 * A node has the magnitudes of its values as if they were ticks; those of negative values are in
 * nodes of their own. The figures of a row are signed, in two's complement. From the time by which
 * a frame exceeded its budget the part of the probe in it is subtracted; no probe is in other
 * values.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "snapshot/distribution.h"
#include "snapshot/making.h"
#include "snapshot/tree.h"

/* The values of one sign. */
struct side {
    struct ep_figures figures;
    struct ep_histogram *histogram;
};

static const struct ep_correction as_they_are = {.scale = {1, 1}};

static bool is_negative(const struct ep_image *image, ep_ref node)
{
    return ep_image_node(image, node)->site & EP_NODE_NEGATIVE;
}

/* The figures of a node since the last reset. */
struct ep_figures ep_snapshot_values_read(const struct ep_image *image, ep_ref node)
{
    const struct ep_node_cell *cell = ep_image_node(image, node);
    struct ep_figures figures = ep_figures_read(&cell->stats, NULL);
    ep_figures_unwrap(&figures, image, &cell->stats);
    return ep_thread_tree_node_is_valid(image, cell) ? figures : ep_figures_none;
}

static void read_all(struct side sides[2], const struct ep_image *image,
                     const struct ep_snapshot_tree *tree, const struct ep_value_branch *value)
{
    const struct ep_branch_member *member;
    for (uint32_t i = value->first_member; i != EP_MAP_NONE; i = member->next) {
        member = &tree->members[i];
        struct side *side = &sides[is_negative(image, member->node)];
        struct ep_figures figures = ep_snapshot_values_read(image, member->node);
        ep_figures_add(&side->figures, &figures);
        if (figures.calls)
            ep_figures_add_counts(side->histogram, image,
                                  &ep_image_node(image, member->node)->stats, &figures);
    }
}

/* ---- signed figures ---- */

/* Limited to 63 bits and a sign. */
static uint64_t signed_of(struct ep_wide magnitude, bool is_negative)
{
    uint64_t limit = (UINT64_MAX >> 1) + is_negative;
    uint64_t kept = ep_wide_saturated(magnitude);
    kept = kept < limit ? kept : limit;
    return is_negative ? 0 - kept : kept;
}

/* The middle of the bucket of the value at a rank, from 1, limited to the range of all values. */
static uint64_t magnitude_at(const struct side *side, uint64_t rank)
{
    unsigned bucket = 0;
    uint64_t seen = side->histogram->counts[0];
    while (seen < rank && bucket + 1 < EP_BUCKETS)
        seen += side->histogram->counts[++bucket];
    uint64_t middle = ep_histogram_middle(bucket);
    if (middle < side->figures.min_ticks)
        return side->figures.min_ticks;
    return middle < side->figures.max_ticks ? middle : side->figures.max_ticks;
}

/* By nearest rank, as ep_histogram_percentiles(). */
static uint64_t percentile(const struct side sides[2], unsigned per_mille)
{
    uint64_t below = sides[1].histogram->total, all = below + sides[0].histogram->total;
    struct ep_wide ranks = ep_wide_add(ep_wide_multiply(all, per_mille), (struct ep_wide){999, 0});
    uint64_t rank = ep_wide_divide(ranks, 1000);
    if (rank <= below)
        return 0 - magnitude_at(&sides[1], below - rank + 1);
    return magnitude_at(&sides[0], rank - below);
}

/* From the buckets, for values near the ends of 64 bits, whose squares have too large a sum. In
 * units of 2^32, so that the variance fits into 64 bits. */
static uint64_t deviation_by_buckets(const struct side sides[2])
{
    double sums[3] = {0, 0, 0}; /* of the powers 0 to 2 */
    for (int sign = 0; sign < 2; sign++)
        for (unsigned bucket = 0; bucket < EP_BUCKETS; bucket++) {
            double value = (double)ep_histogram_middle(bucket) * (sign ? -0x1p-32 : 0x1p-32);
            double times = (double)sides[sign].histogram->counts[bucket];
            sums[0] += times;
            sums[1] += times * value;
            sums[2] += times * value * value;
        }
    double mean = sums[1] / sums[0], variance = sums[2] / sums[0] - mean * mean;
    double root = ep_wide_root_of((struct ep_wide){variance > 0 ? (uint64_t)variance : 0, 0}, 1);
    return root < 0x1p31 ? (uint64_t)(root * 0x1p32) : INT64_MAX;
}

/* Positive and negative values. */
static void fill_signed(struct side sides[2], struct eprof_row *row)
{
    struct ep_figures all = sides[0].figures;
    struct ep_wide above = sides[0].figures.total, below = sides[1].figures.total;
    bool is_negative = ep_wide_is_less(above, below);
    ep_figures_add(&all, &sides[1].figures);
    all.total = is_negative ? ep_wide_subtract(below, above) : ep_wide_subtract(above, below);
    ep_figures_finish(&all, sides[0].histogram, &as_they_are, all.total, row); /* counts, stddev */
    if (ep_figures_lack_squares(&all))
        row->stddev_ns = deviation_by_buckets(sides);
    if (row->stddev_ns > INT64_MAX)
        row->stddev_ns = INT64_MAX;
    row->total_ns = signed_of(all.total, is_negative);
    row->mean_ns =
        signed_of((struct ep_wide){ep_wide_divide(all.total, all.calls), 0}, is_negative);
    row->min_ns = signed_of((struct ep_wide){sides[1].figures.max_ticks, 0}, true);
    row->max_ns = sides[0].figures.calls
                      ? sides[0].figures.max_ticks
                      : signed_of((struct ep_wide){sides[1].figures.min_ticks, 0}, true);
    row->p50_ns = percentile(sides, 500);
    row->p90_ns = percentile(sides, 900);
    row->p99_ns = percentile(sides, 990);
    row->p999_ns = percentile(sides, 999);
}

static void fill_positive(const struct side *side, const struct ep_correction *correction,
                          struct eprof_row *row)
{
    uint64_t calls = ep_figures_timed(&side->figures);
    struct ep_wide total = ep_figures_convert(correction, side->figures.total, calls);
    ep_figures_finish(&side->figures, side->histogram, correction, total, row);
    row->total_ns = signed_of(total, false);
}

/* The kind of `row` is set. */
static int fill(struct eprof_row *row, struct eprof_snapshot *snapshot,
                const struct ep_snapshot_tree *tree, const struct ep_value_branch *value,
                enum ep_site_kind kind)
{
    struct side sides[2] = {{ep_figures_none, calloc(1, sizeof *sides[0].histogram)},
                            {ep_figures_none, calloc(1, sizeof *sides[1].histogram)}};
    const struct ep_conversion *conversion = &snapshot->conversion;
    struct ep_correction times = {.scale = conversion->scale,
                                  .inside_milliticks =
                                      conversion->costs[EP_PROBE_SCOPE].inside_milliticks};
    const struct ep_correction *correction = kind == EP_SITE_OVER ? &times : &as_they_are;
    int result = sides[0].histogram && sides[1].histogram ? 0 : -1;
    if (result == 0)
        read_all(sides, snapshot->image, tree, value);
    if (result == 0 && sides[1].figures.calls)
        fill_signed(sides, row);
    else if (result == 0)
        fill_positive(&sides[0], correction, row);
    if (result == 0 && !ep_distribution_set_of_value(snapshot, row, sides[0].histogram,
                                                     sides[1].histogram, correction))
        result = -1;
    free(sides[0].histogram);
    free(sides[1].histogram);
    return result;
}

/* ---- rows ---- */

/* The path of the scope around it, with the name. */
static const char *path_of(struct eprof_snapshot *snapshot, const struct ep_value_branch *value,
                           const char *name)
{
    const char *own = ep_rows_path_of_name(snapshot, name);
    if (!value->row || !own)
        return own;
    char *around = ep_rows_path_copy(snapshot, snapshot->scope_first + value->row - 1);
    size_t bytes = around ? strlen(around) + 1 + strlen(own) : 0;
    char *path = around ? ep_memory_take(&snapshot->strings, bytes + 1) : NULL;
    if (path)
        snprintf(path, bytes + 1, "%s;%s", around, own);
    free(around);
    return path;
}

static struct eprof_row *add_row(struct eprof_snapshot *snapshot,
                                 const struct ep_value_branch *value)
{
    struct eprof_row *rows = ep_memory_room(snapshot->values, snapshot->value_count,
                                            &snapshot->value_room, sizeof *rows);
    if (rows)
        snapshot->values = rows;
    struct ep_value_mark *marks = ep_memory_room(snapshot->value_marks, snapshot->value_count,
                                                 &snapshot->value_mark_room, sizeof *marks);
    if (marks)
        snapshot->value_marks = marks;
    if (!rows || !marks)
        return NULL;
    rows[snapshot->value_count] = ep_rows_empty;
    marks[snapshot->value_count] = (struct ep_value_mark){
        .site = value->site,
        .around = value->row ? snapshot->scope_first + value->row - 1 : SIZE_MAX};
    return &rows[snapshot->value_count++];
}

/* Bytes in each second of the scope that they were recorded in. */
static uint64_t per_second(const struct eprof_snapshot *snapshot,
                           const struct ep_value_branch *value, uint64_t bytes)
{
    if (!value->row || snapshot->options.ticks || bytes >> 63)
        return EPROF_UNKNOWN;
    uint64_t ns = snapshot->rows[snapshot->scope_first + value->row - 1].total_ns;
    return ns ? ep_wide_divide(ep_wide_multiply(bytes, 1000000000), ns) : EPROF_UNKNOWN;
}

static int add_value(struct eprof_snapshot *snapshot, const struct ep_snapshot_tree *tree,
                     const struct ep_value_branch *value, const char *thread)
{
    const struct ep_site_cell *site = ep_sites_at(&tree->sites, value->site);
    struct eprof_row *row = site && !site->module ? add_row(snapshot, value) : NULL;
    if (!row)
        return site && !site->module ? -1 : 0; /* damaged */
    row->kind = "value";
    row->thread = thread;
    row->line = site->line;
    if (ep_sites_describe(snapshot, site, &row->name, &row->file) != 0 ||
        !(row->path = path_of(snapshot, value, row->name)) ||
        fill(row, snapshot, tree, value, site->kind) != 0)
        return -1;
    row->self_ns = EPROF_UNKNOWN;
    row->unit = site->kind == EP_SITE_OVER    ? snapshot->unit
                : site->kind == EP_SITE_BYTES ? "bytes"
                                              : "1";
    if (site->kind == EP_SITE_BYTES)
        row->per_second = per_second(snapshot, value, row->total_ns);
    return 0;
}

int ep_snapshot_values_add(struct eprof_snapshot *snapshot, const struct ep_snapshot_tree *tree,
                           const struct ep_branch_root *root, const char *thread)
{
    size_t first = root == tree->roots ? 0 : root[-1].value_end;
    for (size_t i = first; i < root->value_end; i++)
        if (add_value(snapshot, tree, &tree->values[i], thread) != 0)
            return -1;
    return 0;
}
