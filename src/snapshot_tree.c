#include "snapshot_tree.h"

#include <errno.h>
#include <stdlib.h>

#include "array.h"

/* ---- growing ---- */

static struct ep_branch *add_branch(struct ep_snapshot_tree *tree)
{
    void *grown = ep_array_room(tree->branches, tree->count, &tree->room, sizeof *tree->branches);
    if (!grown)
        return NULL;
    tree->branches = grown;
    struct ep_branch *branch = &tree->branches[tree->count++];
    *branch = (struct ep_branch){
        .parent = EP_MAP_NONE, .first_member = EP_MAP_NONE, .figures = ep_figures_none};
    return branch;
}

static int add_member(struct ep_snapshot_tree *tree, struct ep_branch *branch, ep_ref node)
{
    void *grown =
        ep_array_room(tree->members, tree->member_count, &tree->member_room, sizeof *tree->members);
    if (!grown)
        return -1;
    tree->members = grown;
    tree->members[tree->member_count] = (struct ep_branch_member){node, branch->first_member};
    branch->first_member = (uint32_t)tree->member_count++;
    return 0;
}

static int add_root(struct ep_snapshot_tree *tree, const struct ep_thread_cell *thread)
{
    void *grown =
        ep_array_room(tree->roots, tree->root_count, &tree->root_room, sizeof *tree->roots);
    if (!grown)
        return -1;
    tree->roots = grown;
    if (!add_branch(tree))
        return -1;
    tree->roots[tree->root_count++] =
        (struct ep_branch_root){.branch = (uint32_t)tree->count - 1, .thread = thread};
    return 0;
}

/* ---- merging ---- */

static uint64_t key_of(uint32_t parent, uint32_t site)
{
    return (uint64_t)parent << 32 | site;
}

/* A thread has each path once: only the next thread of a tree has to look for what is there. */
static int index_all(struct ep_snapshot_tree *tree, size_t more)
{
    bool is_indexed = tree->index.count != 0;
    if (ep_map_reserve(&tree->index, tree->count + more) != 0)
        return -1;
    for (uint32_t i = 0; i < tree->count && !is_indexed; i++)
        if (tree->branches[i].parent != EP_MAP_NONE)
            ep_map_add(&tree->index, key_of(tree->branches[i].parent, tree->branches[i].site), i);
    return 0;
}

/* Index of the child of a branch; EP_MAP_NONE: no memory. */
static uint32_t child_of(struct ep_snapshot_tree *tree, uint32_t parent, uint32_t site)
{
    bool is_indexed = tree->index.count != 0;
    uint32_t child = is_indexed ? ep_map_find(&tree->index, key_of(parent, site)) : EP_MAP_NONE;
    if (child != EP_MAP_NONE)
        return child;
    struct ep_branch *branch = add_branch(tree);
    if (!branch)
        return EP_MAP_NONE;
    branch->parent = parent;
    branch->site = site;
    child = (uint32_t)tree->count - 1;
    if (is_indexed)
        ep_map_add(&tree->index, key_of(parent, site), child);
    return child;
}

static int merge_node(struct ep_snapshot_tree *tree, const struct ep_node *node, uint32_t child)
{
    struct ep_branch *branch = &tree->branches[child];
    branch->probe = node->kind.probe;
    branch->is_estimate = node->kind.is_throttled;
    ep_figures_add(&branch->figures, &node->figures);
    ep_probed_add(&branch->total, &node->total);
    ep_probed_add(&branch->self, &node->self);
    return node->figures.calls ? add_member(tree, branch, node->ref) : 0;
}

/* A parent stands before its children, so it has its branch. */
static int merge(struct ep_snapshot_tree *tree, const struct ep_nodes *nodes, uint32_t *branch_of)
{
    uint32_t root = tree->roots[tree->root_count - 1].branch;
    for (size_t i = 0; i < nodes->count; i++) {
        const struct ep_node *node = &nodes->at[i];
        branch_of[i] = root;
        if (!node->is_shown)
            continue;
        /* NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): the parent stands before */
        branch_of[i] = child_of(tree, branch_of[node->parent], node->site);
        if (branch_of[i] == EP_MAP_NONE || merge_node(tree, node, branch_of[i]) != 0)
            return -1;
    }
    return 0;
}

static size_t count_shown(const struct ep_nodes *nodes)
{
    size_t shown = 0;
    for (size_t i = 0; i < nodes->count; i++)
        shown += nodes->at[i].is_shown && nodes->at[i].parent != EP_MAP_NONE;
    return shown;
}

static int add_thread(struct ep_snapshot_tree *tree, const struct ep_nodes *nodes,
                      const struct ep_thread_cell *thread, bool by_threads)
{
    size_t shown = count_shown(nodes);
    if (shown == 0)
        return 0;
    if (by_threads || tree->root_count == 0) {
        if (add_root(tree, thread) != 0)
            return -1;
    } else if (index_all(tree, shown) != 0) {
        return -1;
    }
    uint32_t *branch_of = malloc(nodes->count * sizeof *branch_of);
    int result = branch_of ? merge(tree, nodes, branch_of) : -1;
    free(branch_of);
    tree->roots[tree->root_count - 1].end = (uint32_t)tree->count;
    return result;
}

/* ---- all threads ---- */

/* Those of one number, in images added up, as they stand there. */
static int by_number(const void *a, const void *b)
{
    const struct ep_thread_cell *const *x = a, *const *y = b;
    if ((*x)->number != (*y)->number)
        return (*x)->number < (*y)->number ? -1 : 1;
    return (*x > *y) - (*x < *y);
}

static const struct ep_thread_cell **sort_threads(const struct ep_image *image, size_t *count)
{
    const struct ep_thread_cell **threads = NULL;
    ep_ref first = ep_load_acquire(&ep_image_root(image)->threads), ref;
    *count = 0;
    for (ref = first; ref; ref = ep_load_acquire(&ep_image_cell(image, ref)->thread.next))
        ++*count;
    threads = malloc((*count + 1) * sizeof *threads);
    size_t i = 0;
    for (ref = first; threads && ref;
         ref = ep_load_acquire(&ep_image_cell(image, ref)->thread.next))
        threads[i++] = &ep_image_cell(image, ref)->thread;
    if (threads && *count)
        qsort(threads, *count, sizeof *threads, by_number);
    return threads;
}

int ep_snapshot_tree_read(struct ep_snapshot_tree *tree, const struct ep_image *image,
                          const struct ep_present *present, bool by_threads)
{
    struct ep_nodes nodes = {.at = NULL};
    size_t count;
    const struct ep_thread_cell **threads = sort_threads(image, &count);
    int result = threads ? 0 : -1;
    for (size_t i = 0; i < count && result == 0; i++)
        if (ep_load_acquire(&threads[i]->nodes)) {
            result = ep_nodes_read(&nodes, image, threads[i], present);
            if (result == 0)
                result = add_thread(tree, &nodes, threads[i], by_threads);
        }
    ep_nodes_free(&nodes);
    free(threads);
    if (result != 0)
        errno = ENOMEM;
    return result;
}

void ep_snapshot_tree_free(struct ep_snapshot_tree *tree)
{
    free(tree->branches);
    free(tree->members);
    free(tree->roots);
    ep_map_free(&tree->index);
    *tree = (struct ep_snapshot_tree){.branches = NULL};
}
