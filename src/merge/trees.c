#include "merge/tables.h"

#include <stdlib.h>

#include "base/platform.h"
#include "snapshot/tree.h"

/* The state while the call trees of the image are added. */
struct adding {
    struct ep_merge *merge;
    struct ep_snapshot_tree tree; /* one for each thread */
    uint32_t *row_of;             /* of each branch */
    uint32_t *path_of;            /* the same in all threads */
    bool is_sum;
    uint32_t *site_rows; /* by number, + 1; 0: not found yet */
};

/* Sites with an unknown number are counted as EP_SITE_OTHER. */
static uint32_t find_site(struct adding *adding, uint32_t number)
{
    const struct ep_site_cell *cell = ep_sites_at(&adding->tree.sites, number);
    if (!cell)
        return EP_MERGE_OTHER_SITE;
    uint32_t *row = &adding->site_rows[number];
    if (*row == 0)
        *row = ep_merge_sites_find(adding->merge, cell) + 1;
    return *row - 1;
}

/* In a raw sum, as in an image, times that estimates were subtracted from keep their sign and lack
 * the probes of the untimed calls, which a snapshot of the sum adds. */
static void keep_rests(struct ep_merge_region *region, const struct ep_branch *branch)
{
    if (branch->self.is_rest) {
        region->rests |= EP_MERGED_REST;
        region->self_ticks = branch->self.ticks;
    }
    if (branch->total.is_of_parts)
        region->rests |= EP_MERGED_PARTS;
}

/* Adds the times that the image shows; open scopes have their time so far. */
static void add_figures(struct adding *adding, const struct ep_branch *branch, uint32_t to)
{
    struct ep_merge_region region = {
        .net = ep_figures_correction(&branch->figures, adding->merge->overhead.scale,
                                     ep_snapshot_tree_inside(branch, &adding->merge->overhead),
                                     branch->total.ticks, ep_snapshot_tree_calls_ticks(branch)),
        .figures = branch->figures,
        .total_ticks = branch->total_ticks,
        .raise_ticks = branch->raise_ticks,
        .lower_ticks = branch->lower_ticks,
        .self_ticks = branch->self_ticks};
    region.figures.cpu_ns = ep_snapshot_tree_cpu_ns(branch, &adding->merge->overhead);
    if (adding->merge->is_raw)
        keep_rests(&region, branch);
    if (branch->first_member != EP_MAP_NONE) { /* it has calls */
        ep_ref node = adding->tree.members[branch->first_member].node;
        region.stats = &ep_image_node(adding->merge->from, node)->stats;
    }
    ep_merge_sums_add(adding->merge, &ep_merge_node(adding->merge, to)->sum, &region);
}

/* Adds the time of a branch to that of its path in this process. */
static void add_to_process(struct adding *adding, uint32_t index, uint32_t site)
{
    const struct ep_branch *branch = &adding->tree.branches[index];
    uint32_t path = ep_merge_balance_path(adding->merge, adding->path_of[branch->parent], site);
    adding->path_of[index] = path;
    if (branch->figures.calls || branch->figures.open)
        ep_merge_balance_add_thread(adding->merge, path, branch->total_ticks);
}

static uint32_t site_of(void *adding, uint32_t number)
{
    return find_site(adding, number);
}

/* How times are spread over processes. */
static int add_balance(struct adding *adding)
{
    struct ep_merge *merge = adding->merge;
    if (merge->ignores_processes)
        return 0;
    if (!adding->is_sum) {
        ep_merge_balance_end_process(merge);
        return 0;
    }
    size_t count = ep_image_cell(merge->from, EP_CELL_PROCESSES)->processes.balance_count;
    uint32_t *rows = malloc((count + 1) * sizeof *rows);
    if (rows)
        ep_merge_balance_add_sum(merge, rows, site_of, adding);
    free(rows);
    return rows ? 0 : -1;
}

/* Only times, by which frames exceeded their budget, are converted to the unit of the sum, without
 * the part of the probe in them. */
static void add_values(struct adding *adding, const struct ep_value_branch *value)
{
    struct ep_merge *merge = adding->merge;
    const struct ep_site_cell *site = ep_sites_at(&adding->tree.sites, value->site);
    const struct ep_merge_unit unit = merge->unit;
    const struct ep_branch_member *member;
    if (!site || site->module)
        return; /* damaged */
    struct ep_correction net = {.scale = {1, 1}};
    if (site->kind != EP_SITE_OVER)
        merge->unit = (struct ep_merge_unit){.scale = {1, 1}};
    else
        net.inside_milliticks = merge->overhead.costs[EP_PROBE_SCOPE].inside_milliticks;
    for (uint32_t i = value->first_member; i != EP_MAP_NONE; i = member->next) {
        member = &adding->tree.members[i];
        const struct ep_node_cell *node = ep_image_node(merge->from, member->node);
        struct ep_merge_region region = {.net = net,
                                         .stats = &node->stats,
                                         .figures =
                                             ep_snapshot_values_read(merge->from, member->node)};
        struct ep_wide key =
            ep_merge_key(adding->row_of[value->parent], find_site(adding, value->site));
        key.high = node->site & ~(uint32_t)EP_NODE_SITE;
        if (region.figures.calls)
            ep_merge_sums_add(merge, &ep_merge_node(merge, ep_merge_node_find(merge, key))->sum,
                              &region);
    }
    merge->unit = unit;
}

/* A parent comes before its children, so it has its row. */
static void add_branches(struct adding *adding, const struct ep_branch_root *root)
{
    uint32_t thread = ep_merge_tables_threads_find(adding->merge, root->thread);
    uint32_t *row_of = adding->row_of;
    row_of[root->branch] = ep_merge_node_find(adding->merge, ep_merge_key(EP_MAP_NONE, thread));
    ep_merge_thread(adding->merge, thread)->root = row_of[root->branch];
    adding->path_of[root->branch] = EP_MAP_NONE;
    char *done = (char *)&adding->tree.branches[root->branch];
    for (uint32_t i = root->branch + 1; i < root->end; i++) {
        const struct ep_branch *branch = &adding->tree.branches[i];
        ep_platform_forget(&done, (const char *)branch);
        uint32_t site = find_site(adding, branch->site);
        row_of[i] = ep_merge_node_find(adding->merge, ep_merge_key(row_of[branch->parent], site));
        if (!adding->is_sum && !adding->merge->ignores_processes)
            add_to_process(adding, i, site);
        adding->merge->overhead_milliticks =
            ep_saturating_add(adding->merge->overhead_milliticks, branch->overhead_milliticks);
        adding->merge->overhead_milliticks =
            ep_saturating_add(adding->merge->overhead_milliticks, branch->values_milliticks);
        add_figures(adding, branch, row_of[i]);
    }
    for (size_t i = root == adding->tree.roots ? 0 : root[-1].value_end; i < root->value_end; i++)
        add_values(adding, &adding->tree.values[i]);
}

/* Marks the sites that the image states as never ended, if they have been found: a sum has no site
 * that is in none of its trees, so that a sum of sums is the same. */
static void mark_unended(struct adding *adding)
{
    struct ep_merge *merge = adding->merge;
    uint32_t numbers[EP_UNENDED_SITES];
    ep_notes_count(adding->merge->from, numbers);
    for (int i = 0; i < EP_UNENDED_SITES && numbers[i]; i++) {
        uint32_t row = numbers[i] < adding->tree.sites.count ? adding->site_rows[numbers[i]] : 0;
        if (row)
            ep_merge_site(merge, row - 1)->is_unended = true;
        else
            merge->origin.note.flags |= EP_NOTE_MORE_UNENDED;
    }
}

static int add_all(struct adding *adding)
{
    struct ep_present present = ep_snapshot_stored_moment(adding->merge->from);
    struct ep_snapshot_tree *tree = &adding->tree;
    if (ep_snapshot_tree_read(tree, adding->merge->from, &present, true) != 0 ||
        ep_snapshot_tree_correct(tree) != 0)
        return -1;
    adding->row_of = malloc((tree->count + 1) * sizeof *adding->row_of);
    adding->path_of = malloc((tree->count + 1) * sizeof *adding->path_of);
    adding->site_rows = calloc(tree->sites.count, sizeof *adding->site_rows);
    if (!adding->row_of || !adding->path_of || !adding->site_rows)
        return -1;
    for (size_t i = 0; i < tree->root_count; i++)
        add_branches(adding, &tree->roots[i]);
    mark_unended(adding);
    return add_balance(adding);
}

int ep_merge_trees_add(struct ep_merge *merge)
{
    const struct ep_note_cell *note = &ep_image_cell(merge->from, EP_CELL_NOTE)->note;
    struct adding adding = {
        .merge = merge, .tree.conversion = &merge->overhead, .is_sum = note->flags & EP_NOTE_SUM};
    int result = add_all(&adding);
    free(adding.row_of);
    free(adding.path_of);
    free(adding.site_rows);
    ep_snapshot_tree_free(&adding.tree);
    return result;
}
