#include "record/tree.h"

#include "base/platform.h"
#include "record/sampling.h"
#include "record/statistics.h"

/* 1,024 slots take a page and a cache line: 512 nodes. */
enum { SLOTS_AT_FIRST = 1024 };

/* The last eighth of the limit is kept for "(other)" nodes, so that calls for which there is no
 * room are still counted under their parent. */
enum { OTHER_SHARE = 8 };

static void put(const struct ep_thread *thread, struct ep_tree_table *table, ep_ref ref)
{
    const struct ep_node_cell *node = ep_tree_node(thread, ref);
    uint32_t slot = ep_tree_hash(node->parent, node->site) >> table->shift;
    while (table->nodes[slot])
        slot = (slot + 1) & table->mask;
    table->nodes[slot] = ref;
    table->count++;
}

static bool grow(struct ep_thread *thread, uint32_t slots)
{
    struct ep_tree_table *larger =
        ep_platform_allocate_wiped(sizeof *larger + slots * sizeof larger->nodes[0]);
    if (!larger)
        return false;
    larger->mask = slots - 1;
    larger->shift = (uint32_t)__builtin_clz(slots) + 1;
    const struct ep_tree_table *table = thread->table;
    for (uint32_t i = 0; table && i <= table->mask; i++)
        if (table->nodes[i])
            put(thread, larger, table->nodes[i]);
    thread->table = larger;
    return true;
}

/* ---- nodes ---- */

static ep_ref make(struct ep_thread *thread, ep_ref parent, uint32_t site)
{
    const struct ep_tree_table *table = thread->table;
    if (table->count * 2 > table->mask && !grow(thread, 2 * (table->mask + 1))) {
        ep_thread_diagnose(thread, EP_DIAGNOSTIC_OUT_OF_CELLS);
        return 0;
    }
    ep_ref ref =
        ep_thread_take(thread, &thread->tree_cells, sizeof(struct ep_node_cell) / EP_CELL_BYTES);
    if (!ref)
        return 0;
    struct ep_node_cell *node = ep_tree_node(thread, ref);
    node->site = site;
    node->parent = parent;
    node->stats.min_ticks = UINT64_MAX;
    if (parent) {
        const struct ep_node_cell *above = ep_tree_node(thread, parent);
        bool is_scratch = site == EP_SITE_HOLD;
        node->level = (uint16_t)(above->level + is_scratch);
        node->depth = (uint16_t)(above->depth + (!is_scratch && above->depth < UINT16_MAX));
        node->base = is_scratch ? parent : 0;
    }
    ep_thread_link(&thread->cell->nodes, &thread->last_node,
                   &ep_tree_node(thread, thread->last_node)->next, ref);
    put(thread, thread->table, ref);
    return ref;
}

bool ep_tree_has_room(void)
{
    const struct ep_tree_cell *tree = ep_image_tree(&ep_process.image);
    uint64_t limit_bytes = ep_load(&tree->limit_bytes);
    return ep_load(&tree->taken_bytes) <= limit_bytes - limit_bytes / OTHER_SHARE;
}

ep_ref ep_tree_child(struct ep_thread *thread, ep_ref parent, uint32_t site)
{
    ep_ref ref = ep_tree_find(thread, parent, site);
    if (ref)
        return ref;
    /* everything below "(other)" is "(other)" */
    if (ep_tree_node(thread, parent)->site != EP_SITE_OTHER && ep_tree_has_room())
        ref = make(thread, parent, site);
    if (ref)
        return ref;
    ep_thread_diagnose(thread, EP_DIAGNOSTIC_OUT_OF_CELLS);
    if (ep_tree_node(thread, parent)->site == EP_SITE_OTHER)
        return parent;
    ref = ep_tree_find(thread, parent, EP_SITE_OTHER);
    return ref ? ref : make(thread, parent, EP_SITE_OTHER);
}

ep_ref ep_tree_scratch(struct ep_thread *thread, ep_ref node)
{
    ep_ref ref = ep_tree_find(thread, node, EP_SITE_HOLD);
    return ref ? ref : make(thread, node, EP_SITE_HOLD);
}

int ep_tree_begin(struct ep_thread *thread)
{
    if (!thread->table && !grow(thread, SLOTS_AT_FIRST)) {
        ep_thread_diagnose(thread, EP_DIAGNOSTIC_OUT_OF_CELLS);
        return -1;
    }
    return thread->root || (thread->root = make(thread, 0, EP_SITE_NONE)) ? 0 : -1;
}

/* As for instance cells, the generation is 0 while the fields change, and the release of the new
 * one pairs with the acquires in snapshot/thread_tree.c. */
void ep_tree_clear(struct ep_thread *thread, struct ep_node_cell *node, uint64_t generation)
{
    ep_thread_await_raise(generation);
    ep_store(&node->generation, 0);
    ep_store_release(&node->self_ticks, 0);
    ep_store_release(&node->owed_ticks, 0);
    ep_statistics_clear(thread->cells, &node->stats);
    ep_sampling_begin(thread, node);
    ep_store_release(&node->generation, generation);
}

void ep_tree_visit(struct ep_thread *thread, struct ep_node_cell *node, uint64_t generation)
{
    if ((node->generation & EP_GENERATION_NUMBER) < ep_load(&thread->control->reset_generation)) {
        ep_tree_clear(thread, node, generation);
    } else if (node->generation != generation) {
        ep_thread_await_raise(generation);
        ep_sampling_adopt(thread, node);
        ep_store_release(&node->generation, generation);
    }
}

/* ---- taking over, fork ---- */

/* The node of this thread at the path of a node of `ended`, made if there is none. The path goes
 * from the node up to the root, and is reversed in `base`, which is otherwise used in holds: the
 * record has ended, so nothing else reads it. */
static ep_ref same_path(struct ep_thread *thread, const struct ep_thread *ended, ep_ref from)
{
    ep_ref above = 0;
    for (ep_ref ref = from; ref; ref = ep_tree_node(ended, ref)->parent) {
        ep_tree_node(ended, ref)->base = above;
        above = ref;
    }
    ep_ref at = thread->root;
    for (ep_ref ref = ep_tree_node(ended, above)->base; ref && at;
         ref = ep_tree_node(ended, ref)->base) {
        uint32_t site = ep_tree_node(ended, ref)->site;
        at = ep_tree_child(thread, at, site);
        if (at && site & EP_NODE_VALUE && ep_tree_node(thread, at)->site != site)
            return 0; /* "(other)" has no values */
    }
    return at;
}

bool ep_tree_absorb(struct ep_thread *thread, struct ep_thread *ended)
{
    uint64_t reset = ep_load(&thread->control->reset_generation);
    bool is_whole = true;
    if (!ended->root || ep_tree_begin(thread) != 0)
        return !ended->root;
    for (EP_EACH(ep_node_cell, from, ended->cells, &ended->root)) {
        if (from->level || (from->generation & EP_GENERATION_NUMBER) < reset || !from->stats.calls)
            continue;
        ep_ref to = same_path(thread, ended, ep_cell_ref(ended->cells, from));
        is_whole &= to != 0;
        if (!to)
            continue;
        struct ep_node_cell *sum = ep_tree_node(thread, to);
        ep_tree_visit(thread, sum, ep_thread_generation(thread));
        if (!ep_sampling_reserve(thread, sum, from)) {
            is_whole = false;
            continue;
        }
        ep_statistics_reserve(&sum->stats, &thread->tree_cells, &from->stats);
        ep_add64(&sum->self_ticks, from->self_ticks);
        ep_statistics_add_all(&sum->stats, &from->stats);
        ep_sampling_add(thread, sum, from);
        ep_statistics_add_calls(&sum->stats, &from->stats);
        ep_store_release(&from->generation, 0);
    }
    return is_whole;
}

int ep_tree_rebuild(struct ep_thread *thread)
{
    uint32_t count = 0, slots = SLOTS_AT_FIRST;
    for (EP_EACH(ep_node_cell, node, thread->cells, &thread->cell->nodes)) {
        thread->last_node = ep_cell_ref(thread->cells, node);
        count++;
        if (node->level) /* no hold of the child lists it */
            node->next_touched = 0;
    }
    while (count > slots / 2)
        slots *= 2;
    thread->root = thread->cell->nodes;
    if (!count)
        return 0;
    if (!grow(thread, slots))
        return -1;
    for (EP_EACH(ep_node_cell, node, thread->cells, &thread->cell->nodes))
        put(thread, thread->table, ep_cell_ref(thread->cells, node));
    return 0;
}
