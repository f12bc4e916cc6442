#include "merge_trees.h"

#include <errno.h>
#include <stdlib.h>

#include "merge_sites.h"
#include "merge_threads.h"

/* What the nodes of one image need. */
struct adding {
    struct ep_merge *merge;
    const struct ep_image *image;
    const struct ep_merge_unit *unit;
    struct ep_merge_site_map sites;
    uint64_t calls;
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

/* The times are those that the image shows: of what is open, those so far. */
static int add_figures(struct adding *adding, const struct ep_node *node, uint32_t to)
{
    const union ep_cell *cell = ep_image_cell(adding->image, node->ref);
    struct ep_merge_region region = {.image = adding->image,
                                     .unit = adding->unit,
                                     .stats = &((const struct ep_node_cell *)cell)->stats,
                                     .figures = node->figures,
                                     .so_far_ticks = node->total.ticks - node->figures.total_ticks,
                                     .has_counts = node->figures.calls != 0};
    region.figures.self_ticks = node->self.ticks;
    adding->calls += node->figures.calls;
    return ep_merge_sums_add(&adding->merge->octaves, &ep_merge_node(adding->merge, to)->sum,
                             &region);
}

/* A parent stands before its children, so it has its place. */
static int add_nodes(struct adding *adding, const struct ep_nodes *nodes, uint32_t root,
                     uint32_t *place_of)
{
    for (size_t i = 0; i < nodes->count; i++) {
        const struct ep_node *node = &nodes->at[i];
        place_of[i] = root;
        if (!node->is_shown)
            continue;
        uint32_t site = ep_merge_sites_find(adding->merge, &adding->sites, node->site);
        if (site == EP_MAP_NONE)
            return -1;
        place_of[i] = find_child(adding->merge, place_of[node->parent], site);
        if (place_of[i] == EP_MAP_NONE || add_figures(adding, node, place_of[i]) != 0)
            return -1;
    }
    return 0;
}

static bool is_any_shown(const struct ep_nodes *nodes)
{
    for (size_t i = 0; i < nodes->count; i++)
        if (nodes->at[i].is_shown)
            return true;
    return false;
}

static int add_thread(struct adding *adding, const struct ep_thread_cell *thread)
{
    const struct ep_scale_cell *moment = &ep_image_cell(adding->image, EP_CELL_SCALE)->scale;
    struct ep_present present = {
        .is_live = moment->has_now, .now_ticks = moment->now_ticks, .self = moment->now_self};
    struct ep_nodes *nodes = &adding->merge->reading;
    if (ep_nodes_read(nodes, adding->image, thread, &present) != 0)
        return -1;
    if (!is_any_shown(nodes))
        return 0;
    uint32_t root = find_root(adding->merge, adding->image, thread);
    uint32_t *place_of = malloc(nodes->count * sizeof *place_of);
    int result = root != EP_MAP_NONE && place_of ? add_nodes(adding, nodes, root, place_of) : -1;
    free(place_of);
    return result;
}

int ep_merge_trees_add(struct ep_merge *merge, const struct ep_image *image,
                       const struct ep_merge_unit *unit, uint64_t *calls)
{
    struct adding adding = {.merge = merge, .image = image, .unit = unit};
    const struct ep_thread_cell *thread;
    int result = ep_merge_sites_map(&adding.sites, image);
    for (ep_ref ref = ep_image_root(image)->threads; ref && result == 0; ref = thread->next) {
        thread = &ep_image_cell(image, ref)->thread;
        if (thread->nodes)
            result = add_thread(&adding, thread);
    }
    ep_merge_sites_free(&adding.sites);
    *calls += adding.calls;
    if (result != 0)
        errno = ENOMEM;
    return result;
}
