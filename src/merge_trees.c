#include "merge_trees.h"

#include <errno.h>
#include <stdlib.h>

#include "merge_sites.h"
#include "merge_threads.h"
#include "snapshot_order.h"

/* What the call trees of one image need. */
struct adding {
    struct ep_merge *merge;
    const struct ep_image *image;
    const struct ep_merge_unit *unit;
    const struct ep_conversion *probe; /* what goes off */
    struct ep_merge_site_map sites;
    struct ep_snapshot_tree tree; /* one for each thread */
};

/* The child of a node; of none, the root of a thread, in place of a site. */
static uint32_t find_child(struct ep_merge *merge, uint32_t parent, uint32_t site)
{
    uint32_t child = ep_merge_table_find(&merge->nodes, sizeof(struct ep_merge_node),
                                         ep_merge_key(parent, site));
    if (child != EP_MAP_NONE) {
        ep_merge_node(merge, child)->parent = parent;
        ep_merge_node(merge, child)->site = site;
    }
    return child;
}

static uint32_t find_root(struct ep_merge *merge, const struct ep_image *image,
                          const struct ep_thread_cell *cell)
{
    uint32_t thread = ep_merge_threads_find(merge, image, cell);
    if (thread == EP_MAP_NONE)
        return EP_MAP_NONE;
    uint32_t root = find_child(merge, EP_MAP_NONE, thread);
    ep_merge_thread(merge, thread)->root = root;
    return root;
}

/* Each call is shortened as a snapshot shortens it: see correction_of() in snapshot_scopes.c. */
static struct ep_merge_net net_of(const struct adding *adding, const struct ep_branch *branch)
{
    uint64_t inside = adding->probe->costs[branch->probe].inside_milliticks;
    uint64_t measured =
        ep_figures_take_off(branch->total.ticks, inside, ep_figures_timed(&branch->figures));
    struct ep_merge_net net = {.inside_milliticks = inside};
    if (branch->total_ticks < measured) {
        net.kept_ticks = branch->total_ticks;
        net.of_ticks = measured;
    }
    return net;
}

/* The times are those that the image shows: of what is open, those so far. */
static int add_figures(struct adding *adding, const struct ep_branch *branch, uint32_t to)
{
    struct ep_merge_region region = {.image = adding->image,
                                     .unit = adding->unit,
                                     .net = net_of(adding, branch),
                                     .figures = branch->figures,
                                     .total_ticks = branch->total_ticks,
                                     .self_ticks = branch->self_ticks};
    if (branch->first_member != EP_MAP_NONE) { /* it has calls */
        ep_ref node = adding->tree.members[branch->first_member].node;
        const union ep_cell *cell = ep_image_cell(adding->image, node);
        region.stats = &((const struct ep_node_cell *)cell)->stats;
    }
    return ep_merge_sums_add(&adding->merge->octaves, &ep_merge_node(adding->merge, to)->sum,
                             &region);
}

/* A parent stands before its children, so it has its place. */
static int add_branches(struct adding *adding, const struct ep_branch_root *root,
                        uint32_t *place_of)
{
    place_of[root->branch] = find_root(adding->merge, adding->image, root->thread);
    if (place_of[root->branch] == EP_MAP_NONE)
        return -1;
    for (uint32_t i = root->branch + 1; i < root->end; i++) {
        const struct ep_branch *branch = &adding->tree.branches[i];
        uint32_t site = ep_merge_sites_find(adding->merge, &adding->sites, branch->site);
        if (site == EP_MAP_NONE)
            return -1;
        place_of[i] = find_child(adding->merge, place_of[branch->parent], site);
        if (place_of[i] == EP_MAP_NONE || add_figures(adding, branch, place_of[i]) != 0)
            return -1;
    }
    return 0;
}

static int add_all(struct adding *adding)
{
    const struct ep_scale_cell *moment = &ep_image_cell(adding->image, EP_CELL_SCALE)->scale;
    struct ep_present present = {
        .is_live = moment->has_now, .now_ticks = moment->now_ticks, .self = moment->now_self};
    if (ep_merge_sites_map(&adding->sites, adding->image) != 0 ||
        ep_snapshot_tree_read(&adding->tree, adding->image, &present, true) != 0 ||
        ep_order_correct(&adding->tree, adding->probe) != 0)
        return -1;
    uint32_t *place_of = malloc((adding->tree.count + 1) * sizeof *place_of);
    int result = place_of ? 0 : -1;
    for (size_t i = 0; i < adding->tree.root_count && result == 0; i++)
        result = add_branches(adding, &adding->tree.roots[i], place_of);
    free(place_of);
    return result;
}

int ep_merge_trees_add(struct ep_merge *merge, const struct ep_image *image,
                       const struct ep_merge_unit *unit, const struct ep_conversion *probe)
{
    struct adding adding = {.merge = merge, .image = image, .unit = unit, .probe = probe};
    int result = add_all(&adding);
    ep_merge_sites_free(&adding.sites);
    ep_snapshot_tree_free(&adding.tree);
    if (result != 0)
        errno = ENOMEM;
    return result;
}
