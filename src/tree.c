#include "tree.h"

#include <errno.h>

#include "platform.h"
#include "site.h"
#include "statistics_move.h"

/* 1,024 places are a page and a line: 512 nodes. */
enum { PLACES_AT_FIRST = 1024 };

/* The last eighth of the limit is kept for "(other)", so that what does not fit any more
 * still has a place under its parent. */
enum { OTHER_SHARE = 8 };

/* ---- the table ---- */

static struct ep_tree_table *make_table(uint32_t places)
{
    struct ep_tree_table *table =
        ep_platform_allocate_wiped(sizeof *table + places * sizeof table->nodes[0]);
    if (!table)
        return NULL;
    table->mask = places - 1;
    table->shift = (uint32_t)__builtin_clz(places) + 1;
    return table;
}

static void put(struct ep_tree_table *table, ep_ref ref, ep_ref parent, uint32_t site)
{
    uint32_t place = ep_tree_hash(parent, site) >> table->shift;
    while (table->nodes[place])
        place = (place + 1) & table->mask;
    table->nodes[place] = ref;
    table->count++;
}

static bool grow(struct ep_thread *thread, uint32_t places)
{
    struct ep_tree_table *larger = make_table(places);
    if (!larger)
        return false;
    const struct ep_tree_table *table = thread->table;
    for (uint32_t i = 0; table && i <= table->mask; i++)
        if (table->nodes[i]) {
            const struct ep_node_cell *node = ep_tree_node(thread, table->nodes[i]);
            put(larger, table->nodes[i], node->parent, node->site);
        }
    thread->table = larger;
    return true;
}

static bool has_room(struct ep_thread *thread)
{
    const struct ep_tree_table *table = thread->table;
    return table->count * 2 <= table->mask || grow(thread, 2 * (table->mask + 1));
}

/* ---- nodes ---- */

static ep_ref make(struct ep_thread *thread, ep_ref parent, uint32_t site)
{
    if (!has_room(thread)) {
        ep_thread_trouble(thread, EP_TROUBLE_OUT_OF_CELLS);
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
        node->base = site == EP_SITE_HOLD ? parent : 0;
    }
    ep_thread_link(&thread->cell->nodes, &thread->last_node,
                   &ep_tree_node(thread, thread->last_node)->next, ref);
    put(thread->table, ref, parent, site);
    return ref;
}

bool ep_tree_has_room(const struct ep_thread *thread)
{
    const struct ep_tree_cell *tree = &thread->cells[EP_CELL_TREE].tree;
    uint64_t limit_bytes = ep_load(&tree->limit_bytes);
    return ep_load(&tree->taken_bytes) <= limit_bytes - limit_bytes / OTHER_SHARE;
}

static ep_ref other(struct ep_thread *thread, ep_ref parent)
{
    if (ep_tree_node(thread, parent)->site == EP_SITE_OTHER)
        return parent;
    ep_ref ref = ep_tree_find(thread, parent, EP_SITE_OTHER);
    return ref ? ref : make(thread, parent, EP_SITE_OTHER);
}

ep_ref ep_tree_child(struct ep_thread *thread, ep_ref parent, uint32_t site)
{
    ep_ref ref = ep_tree_find(thread, parent, site);
    if (ref)
        return ref;
    /* what is below "(other)" is "(other)" */
    if (ep_tree_node(thread, parent)->site != EP_SITE_OTHER && ep_tree_has_room(thread))
        ref = make(thread, parent, site);
    if (ref)
        return ref;
    ep_thread_trouble(thread, EP_TROUBLE_OUT_OF_CELLS);
    return other(thread, parent);
}

ep_ref ep_tree_scratch(struct ep_thread *thread, ep_ref node)
{
    ep_ref ref = ep_tree_find(thread, node, EP_SITE_HOLD);
    return ref ? ref : make(thread, node, EP_SITE_HOLD);
}

int ep_tree_begin(struct ep_thread *thread)
{
    if (!thread->table && !grow(thread, PLACES_AT_FIRST)) {
        ep_thread_trouble(thread, EP_TROUBLE_OUT_OF_CELLS);
        return -1;
    }
    return thread->root || (thread->root = make(thread, 0, EP_SITE_NONE)) ? 0 : -1;
}

/* ---- of another time ---- */

/* As clear() of a pair: the stamp is 0 while the fields change. */
void ep_tree_clear(struct ep_thread *thread, struct ep_node_cell *node, uint64_t stamp)
{
    ep_store(&node->stamp, 0);
    ep_store_release(&node->self_ticks, 0);
    ep_store_release(&node->owed_ticks, 0);
    if (!node->level)
        ep_store_release(&node->samples, 0);
    ep_statistics_clear(thread->cells, &node->stats);
    ep_store_release(&node->stamp, stamp);
}

void ep_tree_visit(struct ep_thread *thread, struct ep_node_cell *node, uint64_t stamp)
{
    if ((node->stamp & EP_STAMP_GENERATION) < ep_load(&thread->control->reset_generation))
        ep_tree_clear(thread, node, stamp);
    else if (node->stamp != stamp)
        ep_store_release(&node->stamp, stamp);
}

/* ---- absorbing, fork ---- */

/* The node of this thread at the same path as one of `ended`, made if there is none. The path
 * is found from the root down by turning the parents' links around, which nobody else follows:
 * the record has ended. `base`, which is for holds, keeps the way. */
static ep_ref same_path(struct ep_thread *thread, const struct ep_thread *ended, ep_ref from)
{
    ep_ref above = 0;
    for (ep_ref ref = from; ref; ref = ep_tree_node(ended, ref)->parent) {
        ep_tree_node(ended, ref)->base = above;
        above = ref;
    }
    ep_ref at = thread->root;
    for (ep_ref ref = ep_tree_node(ended, above)->base; ref && at;
         ref = ep_tree_node(ended, ref)->base)
        at = ep_tree_child(thread, at, ep_tree_node(ended, ref)->site);
    return at;
}

static void absorb(struct ep_thread *thread, struct ep_node_cell *to, struct ep_node_cell *from)
{
    ep_tree_visit(thread, to, ep_thread_stamp(thread));
    ep_statistics_reserve(&to->stats, &thread->tree_cells, &from->stats);
    ep_statistics_move_counter(&to->self_ticks, &from->self_ticks);
    ep_statistics_move(&to->stats, &from->stats);
}

bool ep_tree_absorb(struct ep_thread *thread, struct ep_thread *ended)
{
    uint64_t reset = ep_load(&thread->control->reset_generation);
    bool is_whole = true;
    if (!ended->root || ep_tree_begin(thread) != 0)
        return !ended->root;
    struct ep_node_cell *from;
    for (ep_ref ref = ended->cell->nodes; ref; ref = from->next) {
        from = ep_tree_node(ended, ref);
        if (from->level || (from->stamp & EP_STAMP_GENERATION) < reset || !from->stats.calls)
            continue;
        ep_ref to = same_path(thread, ended, ref);
        if (to)
            absorb(thread, ep_tree_node(thread, to), from);
        else
            is_whole = false;
        if (to)
            ep_store_release(&from->stamp, 0);
    }
    return is_whole;
}

int ep_tree_rebuild(struct ep_thread *thread)
{
    uint32_t count = 0, places = PLACES_AT_FIRST;
    for (ep_ref ref = thread->cell->nodes; ref; ref = ep_tree_node(thread, ref)->next) {
        thread->last_node = ref;
        count++;
        if (ep_tree_node(thread, ref)->level) /* of the parent's holds there are no lists */
            ep_tree_node(thread, ref)->next_touched = 0;
    }
    while (count > places / 2)
        places *= 2;
    thread->root = thread->cell->nodes;
    if (!count)
        return 0;
    if (!grow(thread, places))
        return -1;
    for (ep_ref ref = thread->cell->nodes; ref; ref = ep_tree_node(thread, ref)->next) {
        const struct ep_node_cell *node = ep_tree_node(thread, ref);
        put(thread->table, ref, node->parent, node->site);
    }
    return 0;
}
