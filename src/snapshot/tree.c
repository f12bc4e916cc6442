#include "snapshot/tree.h"

#include <errno.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/platform.h"
#include "snapshot/sort.h"

/* ---- rows ---- */

/* Counts the rows of each branch. Children come after their parents. */
static void list(struct ep_snapshot_tree *tree, struct ep_sort_item *items)
{
    for (size_t i = tree->count; i-- > 0;) {
        struct ep_branch *branch = &tree->branches[i];
        branch->rows++;
        if (branch->parent != EP_MAP_NONE)
            tree->branches[branch->parent].rows += branch->rows;
        items[i] = (struct ep_sort_item){.order = {branch->total_ns, ""},
                                         .site = branch->site,
                                         .index = (uint32_t)i,
                                         .parent = branch->parent,
                                         .rows = branch->rows};
    }
}

/* A root is in the walk, but has no row. */
static void number_rows(struct ep_snapshot_tree *tree, size_t root, const uint32_t *positions)
{
    for (size_t i = tree->roots[root].branch; i < tree->roots[root].end; i++) {
        struct ep_branch *branch = &tree->branches[i];
        branch->row = (size_t)positions[i] - root - 1;
        if (branch->parent == EP_MAP_NONE)
            continue;
        const struct ep_branch *parent = &tree->branches[branch->parent];
        branch->depth = parent->parent == EP_MAP_NONE ? 0 : parent->depth + 1;
        branch->parent_row = parent->row;
    }
}

/* Values in the order of their scopes; those outside of scopes first. */
static int compare_values(const void *a, const void *b)
{
    const struct ep_value_branch *x = a, *y = b;
    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    return (x->site > y->site) - (x->site < y->site);
}

static void sort_values(struct ep_snapshot_tree *tree)
{
    size_t first = 0;
    for (size_t i = 0; i < tree->root_count; i++) {
        size_t end = tree->roots[i].value_end;
        for (size_t value = first; value < end; value++) {
            const struct ep_branch *parent = &tree->branches[tree->values[value].parent];
            tree->values[value].row = parent->parent == EP_MAP_NONE ? 0 : parent->row + 1;
        }
        if (end > first)
            qsort(&tree->values[first], end - first, sizeof *tree->values, compare_values);
        first = end;
    }
}

/* In place: a copy of all branches would take more memory than their rows. */
static void put_in_order(struct ep_snapshot_tree *tree, uint32_t *positions)
{
    for (size_t i = 0; i < tree->count; i++)
        if (tree->branches[i].parent != EP_MAP_NONE)
            tree->branches[i].parent = positions[tree->branches[i].parent];
    for (size_t i = 0; i < tree->value_count; i++)
        tree->values[i].parent = positions[tree->values[i].parent];
    for (size_t i = 0; i < tree->count; i++)
        for (uint32_t to; (to = positions[i]) != i;) {
            struct ep_branch moved = tree->branches[to];
            tree->branches[to] = tree->branches[i];
            tree->branches[i] = moved;
            positions[i] = positions[to];
            positions[to] = to;
        }
}

int ep_snapshot_tree_rows(struct ep_snapshot_tree *tree)
{
    struct ep_sort_item *items = malloc((tree->count + 1) * sizeof *items);
    uint32_t *positions = malloc((tree->count + 1) * sizeof *positions);
    int result = items && positions ? 0 : -1;
    if (result == 0) {
        list(tree, items);
        ep_sort_walk(items, tree->count, positions);
    }
    for (size_t i = 0; i < tree->root_count && result == 0; i++)
        number_rows(tree, i, positions);
    if (result == 0) {
        put_in_order(tree, positions);
        sort_values(tree);
    }
    free(items);
    free(positions);
    return result;
}

/* ---- reading ---- */

static struct ep_branch *add_branch(struct ep_snapshot_tree *tree)
{
    void *grown = ep_memory_room(tree->branches, tree->count, &tree->room, sizeof *tree->branches);
    if (!grown)
        return NULL;
    tree->branches = grown;
    struct ep_branch *branch = &tree->branches[tree->count++];
    *branch = (struct ep_branch){
        .parent = EP_MAP_NONE, .first_member = EP_MAP_NONE, .figures = ep_figures_none};
    return branch;
}

static int add_member(struct ep_snapshot_tree *tree, uint32_t *first_member, ep_ref node)
{
    void *grown = ep_memory_room(tree->members, tree->member_count, &tree->member_room,
                                 sizeof *tree->members);
    if (!grown)
        return -1;
    tree->members = grown;
    tree->members[tree->member_count] = (struct ep_branch_member){node, *first_member};
    *first_member = (uint32_t)tree->member_count++;
    return 0;
}

static int add_root(struct ep_snapshot_tree *tree, const struct ep_thread_cell *thread)
{
    void *grown =
        ep_memory_room(tree->roots, tree->root_count, &tree->root_room, sizeof *tree->roots);
    if (!grown)
        return -1;
    tree->roots = grown;
    if (!add_branch(tree))
        return -1;
    tree->roots[tree->root_count++] =
        (struct ep_branch_root){.branch = (uint32_t)tree->count - 1, .thread = thread};
    return 0;
}

static uint64_t key_of(uint32_t parent, uint32_t site)
{
    return (uint64_t)parent << 32 | site;
}

/* A thread has each path once, so the index is built when the second thread of a tree is added. */
static int index_all(struct ep_snapshot_tree *tree, size_t more)
{
    bool is_indexed = tree->index.count != 0;
    if (ep_hash_map_reserve(&tree->index, tree->count + more) != 0)
        return -1;
    for (uint32_t i = 0; i < tree->count && !is_indexed; i++)
        if (tree->branches[i].parent != EP_MAP_NONE)
            ep_hash_map_add(&tree->index, key_of(tree->branches[i].parent, tree->branches[i].site),
                            i);
    return 0;
}

/* The index of the child of a branch; EP_MAP_NONE: no memory. */
static uint32_t child_of(struct ep_snapshot_tree *tree, uint32_t parent, uint32_t site)
{
    bool is_indexed = tree->index.count != 0;
    uint32_t child =
        is_indexed ? ep_hash_map_find(&tree->index, key_of(parent, site)) : EP_MAP_NONE;
    if (child != EP_MAP_NONE)
        return child;
    struct ep_branch *branch = add_branch(tree);
    if (!branch)
        return EP_MAP_NONE;
    branch->parent = parent;
    branch->site = site;
    child = (uint32_t)tree->count - 1;
    if (is_indexed)
        ep_hash_map_add(&tree->index, key_of(parent, site), child);
    return child;
}

static int merge_node(struct ep_snapshot_tree *tree, const struct ep_node *node, uint32_t child)
{
    struct ep_branch *branch = &tree->branches[child];
    branch->probe = node->probe;
    ep_figures_add(&branch->figures, &node->figures);
    ep_probed_add(&branch->total, &node->total);
    ep_probed_add(&branch->self, &node->self);
    branch->inside_milliticks =
        ep_saturating_add(branch->inside_milliticks, node->inside_milliticks);
    branch->overhead_milliticks =
        ep_saturating_add(branch->overhead_milliticks, node->overhead_milliticks);
    branch->values_milliticks =
        ep_saturating_add(branch->values_milliticks, node->values_milliticks);
    branch->beyond += node->beyond;
    return node->figures.calls ? add_member(tree, &branch->first_member, node->ref) : 0;
}

/* Positive and negative values of a site are in nodes of their own. */
static int merge_value(struct ep_snapshot_tree *tree, const struct ep_node *node, uint32_t parent)
{
    if (ep_hash_map_reserve(&tree->value_index, tree->value_count + 1) != 0)
        return -1;
    uint32_t index = ep_hash_map_find(&tree->value_index, key_of(parent, node->site));
    if (index == EP_MAP_NONE) {
        void *grown = ep_memory_room(tree->values, tree->value_count, &tree->value_room,
                                     sizeof *tree->values);
        if (!grown)
            return -1;
        tree->values = grown;
        index = (uint32_t)tree->value_count++;
        tree->values[index] = (struct ep_value_branch){
            .parent = parent, .site = node->site, .first_member = EP_MAP_NONE};
        ep_hash_map_add(&tree->value_index, key_of(parent, node->site), index);
    }
    return add_member(tree, &tree->values[index].first_member, node->ref);
}

/* A parent comes before its children, so it has its branch. */
static int merge(struct ep_snapshot_tree *tree, const struct ep_nodes *nodes, uint32_t *branch_of)
{
    uint32_t root = tree->roots[tree->root_count - 1].branch;
    char *done = (char *)nodes->at;
    for (size_t i = 0; i < nodes->count; i++) {
        ep_platform_forget(&done, (const char *)&nodes->at[i]);
        const struct ep_node *node = &nodes->at[i];
        branch_of[i] = root;
        if (!node->is_shown)
            continue;
        if (node->is_value) {
            /* NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): the parent comes before */
            if (merge_value(tree, node, branch_of[node->parent]) != 0)
                return -1;
            continue;
        }
        /* NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): the parent comes before */
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
    tree->thread_count += tree->last_thread != thread;
    tree->last_thread = thread;
    if (tree->root_count == 0 ||
        (by_threads && tree->roots[tree->root_count - 1].thread != thread)) {
        if (add_root(tree, thread) != 0)
            return -1;
    } else if (index_all(tree, shown) != 0) {
        return -1;
    }
    uint32_t *branch_of = malloc(nodes->count * sizeof *branch_of);
    int result = branch_of ? merge(tree, nodes, branch_of) : -1;
    free(branch_of);
    tree->roots[tree->root_count - 1].end = (uint32_t)tree->count;
    tree->roots[tree->root_count - 1].value_end = (uint32_t)tree->value_count;
    return result;
}

/* ---- the order of threads ---- */

/* A thread, and the thread in whose row it is: usually itself. */
struct row_part {
    const struct ep_thread_cell *thread, *row;
};

/* Threads of one row are adjacent. Those of one number, in a merged image, keep their order. */
static int by_number(const void *a, const void *b)
{
    const struct row_part *x = a, *y = b;
    if (x->row->number != y->row->number)
        return x->row->number < y->row->number ? -1 : 1;
    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    return (x->thread > y->thread) - (x->thread < y->thread);
}

static int find_threads(struct row_part **threads, size_t *count, const struct ep_image *image)
{
    const struct ep_thread_cell *thread;
    size_t room = 0;
    for (ep_ref ref = ep_load_acquire(&ep_image_root(image)->threads); ref;
         ref = ep_load_acquire(&thread->next)) {
        thread = &ep_image_cell(image, ref)->thread;
        struct row_part *grown = ep_memory_room(*threads, *count, &room, sizeof *grown);
        if (!grown)
            return -1;
        *threads = grown;
        grown[(*count)++] = (struct row_part){thread, ep_image_row_of(image, thread)};
    }
    if (*count)
        qsort(*threads, *count, sizeof **threads, by_number);
    return 0;
}

int ep_snapshot_tree_read(struct ep_snapshot_tree *tree, const struct ep_image *image,
                          const struct ep_present *present, bool by_threads)
{
    struct ep_nodes nodes = {.conversion = tree->conversion, .image = image, .sites = &tree->sites};
    size_t count = 0;
    struct row_part *threads = NULL;
    int result = find_threads(&threads, &count, image);
    if (result == 0)
        result = ep_sites_read(&tree->sites, image);
    for (size_t i = 0; i < count && result == 0; i++) {
        result = ep_thread_tree_read(&nodes, threads[i].thread, present);
        if (result == 0)
            result = add_thread(tree, &nodes, threads[i].row, by_threads);
    }
    ep_thread_tree_free(&nodes);
    free(threads);
    if (result != 0)
        errno = ENOMEM;
    return result;
}

void ep_snapshot_tree_free(struct ep_snapshot_tree *tree)
{
    free(tree->sites.at);
    free(tree->branches);
    free(tree->members);
    free(tree->roots);
    free(tree->values);
    ep_hash_map_free(&tree->index);
    ep_hash_map_free(&tree->value_index);
    *tree = (struct ep_snapshot_tree){.branches = NULL};
}
