#include "hold.h"
#include "stack.h"
#include "statistics_move.h"
#include "tree.h"

/* ---- what stands for a node ---- */

static ep_ref at_level(struct ep_thread *thread, ep_ref node, uint32_t level)
{
    while (node && ep_tree_node(thread, node)->level < level)
        node = ep_tree_scratch(thread, node);
    return node;
}

ep_ref ep_hold_node(struct ep_thread *thread, ep_ref node)
{
    return at_level(thread, node, thread->level);
}

/* Into the list of its hold, whose last is the end of its own chain. */
static void touch(struct ep_thread *thread, ep_ref ref)
{
    struct ep_node_cell *node = ep_tree_node(thread, ref);
    struct ep_hold *hold = ep_hold_at(thread, node->level);
    node->next_touched = hold->touched ? hold->touched : ref;
    hold->touched = ref;
}

void ep_hold_visit(struct ep_thread *thread, ep_ref ref, uint64_t stamp)
{
    struct ep_node_cell *node = ep_tree_node(thread, ref);
    if (node->level && !node->next_touched) {
        ep_tree_clear(thread, node, stamp);
        touch(thread, ref);
    } else {
        ep_tree_visit(thread, node, stamp);
    }
}

/* The stamp of this thread, one level of holds lower or more. */
static uint64_t stamp_at(const struct ep_thread *thread, uint32_t level)
{
    return ep_thread_stamp(thread) - (thread->level - level) * EP_STAMP_LEVEL;
}

/* ---- what it stands for, one level down ---- */

/* Of a node that was entered in the hold it is the child of what its parent stands for. It
 * is remembered: the next hold asks no more. */
static ep_ref base_of(struct ep_thread *thread, ep_ref ref)
{
    for (;;) {
        struct ep_node_cell *node = ep_tree_node(thread, ref);
        if (node->base)
            return node->base;
        /* the highest without one first */
        struct ep_node_cell *parent = ep_tree_node(thread, node->parent);
        while (!parent->base) {
            node = parent;
            parent = ep_tree_node(thread, node->parent);
        }
        node->base = ep_tree_child(thread, parent->base, node->site);
        if (!node->base)
            return 0;
    }
}

static struct ep_node_cell *next_touched(struct ep_thread *thread, struct ep_hold *hold)
{
    ep_ref ref = hold->touched;
    if (!ref)
        return NULL;
    struct ep_node_cell *node = ep_tree_node(thread, ref);
    hold->touched = node->next_touched == ref ? 0 : node->next_touched;
    node->next_touched = 0;
    return node;
}

void ep_hold_tree_prepare(struct ep_thread *thread, struct ep_hold *hold)
{
    struct ep_node_cell *node;
    for (ep_ref ref = hold->touched, next; ref; ref = next) {
        node = ep_tree_node(thread, ref);
        next = node->next_touched == ref ? 0 : node->next_touched;
        if (!ep_thread_is_of_now(thread, node->stamp) || !base_of(thread, ref))
            continue;
        struct ep_node_cell *base = ep_tree_node(thread, node->base);
        ep_hold_visit(thread, node->base, stamp_at(thread, base->level));
        ep_statistics_reserve(&base->stats, &thread->tree_cells, &node->stats);
    }
}

void ep_hold_tree_keep(struct ep_thread *thread, struct ep_hold *hold)
{
    struct ep_node_cell *node;
    while ((node = next_touched(thread, hold)) != NULL) {
        if (ep_thread_is_of_now(thread, node->stamp)) {
            struct ep_node_cell *base = ep_tree_node(thread, node->base);
            if (node->base) {
                ep_statistics_move_counter(&base->self_ticks, &node->self_ticks);
                ep_statistics_move(&base->stats, &node->stats);
            } else if (node->stats.calls) {
                ep_thread_trouble(thread, EP_TROUBLE_LOST);
            }
        }
        ep_store_release(&node->stamp, 0);
    }
}

void ep_hold_tree_drop(struct ep_thread *thread, struct ep_hold *hold)
{
    struct ep_node_cell *node;
    while ((node = next_touched(thread, hold)) != NULL) {
        if (node->owed_ticks && node->base && ep_thread_is_of_now(thread, node->stamp)) {
            struct ep_node_cell *base = ep_tree_node(thread, node->base);
            ep_hold_visit(thread, node->base, stamp_at(thread, base->level));
            ep_add64(&base->self_ticks, node->owed_ticks);
        }
        ep_store_release(&node->stamp, 0);
    }
}

/* ---- entries that are open when a hold ends, or that it began in ---- */

/* Its site's innermost open entry, if that is what it is: not in a forked child, which knows of none
 * yet, nor where a signal handler came while it was entered. Those of its site inside it are of its
 * node, and were lost before. */
static void forget_open(struct ep_thread *thread, const struct ep_frame_cell *entry)
{
    struct ep_place *place = &thread->places[ep_tree_site(thread, entry->node)];
    if (place->open == entry)
        place->open = entry->open_before ? ep_stack_entry(thread, entry->open_before) : NULL;
}

/* There was no room for what it stands for: it gets the node of what is around it, as what is
 * nothing, and as none of its site. */
static ep_ref lose(struct ep_thread *thread, struct ep_frame_cell *entry, uint32_t level, bool keep)
{
    if (entry->state & EP_FRAME_TIMED)
        forget_open(thread, entry);
    if (keep && !(entry->state & EP_FRAME_VOID))
        ep_thread_trouble(thread, EP_TROUBLE_LOST);
    entry->open_before = 0;
    ep_store(&entry->state, entry->state & ~(uint32_t)(EP_FRAME_TIMED | EP_FRAME_NESTED));
    ep_ref around = 0;
    while (!around) {
        entry = ep_stack_entry(thread, entry->below);
        bool is_of_hold = ep_tree_node(thread, entry->node)->level >= level;
        around = is_of_hold ? base_of(thread, entry->node) : entry->node;
    }
    return around;
}

/* Dropped, an entry is nothing, and stays as the parent of what is entered inside. One that
 * was entered while recording was off is nothing in any case, and of no hold. */
static void settle(struct ep_thread *thread, struct ep_frame_cell *entry, uint32_t level, bool keep)
{
    if (!keep)
        ep_store(&entry->child_ticks, 0);
    if (ep_tree_node(thread, entry->node)->level < level)
        return;
    ep_ref base = base_of(thread, entry->node);
    /* "(other)" is of no site */
    if (!base || ep_tree_site(thread, base) != ep_tree_site(thread, entry->node)) {
        base = lose(thread, entry, level, keep);
        keep = false;
    }
    uint32_t state = entry->state & ~(uint32_t)EP_FRAME_SLOW; /* it decides nothing any more */
    if (keep) {
        ep_store(&entry->node, base);
        entry->stamp -= EP_STAMP_LEVEL;
        ep_store(&entry->state, state);
        return;
    }
    entry->stamp = 0;
    ep_store(&entry->state, state | EP_FRAME_VOID); /* first: a reader must not add it elsewhere */
    ep_store_release(&entry->node, base);
}

void ep_hold_tree_settle(struct ep_thread *thread, struct ep_hold *hold, bool keep)
{
    if (!hold->entry)
        return;
    for (struct ep_frame_cell *entry = thread->top; entry != hold->entry;
         entry = ep_stack_entry(thread, entry->below))
        settle(thread, entry, thread->level, keep);
    if (!keep)
        ep_store(&hold->entry->child_ticks, hold->child_before);
}

void ep_hold_tree_leave(struct ep_thread *thread, struct ep_frame_cell *entry)
{
    for (uint32_t level = ep_tree_node(thread, entry->node)->level; level; level--)
        settle(thread, entry, level, false);
}

/*
 * The time that was spent in held scopes is not in the self time of the one that is being
 * left; if they are dropped, it is owed to it. Of holds inside each other each owes what its
 * own came to: what the inner one gives back goes to the outer one's scratch.
 */
void ep_hold_rebase(struct ep_thread *thread, const struct ep_frame_cell *entry, bool counts)
{
    struct ep_frame_cell *below = ep_stack_entry(thread, entry->below);
    for (uint32_t level = thread->level; level; level--) {
        struct ep_hold *hold = ep_hold_at(thread, level);
        if (hold->entry != entry)
            continue;
        uint64_t held_ticks = entry->child_ticks - hold->child_before;
        ep_ref scratch = counts && held_ticks ? at_level(thread, entry->node, level) : 0;
        if (scratch) {
            ep_hold_visit(thread, scratch, stamp_at(thread, level));
            struct ep_node_cell *node = ep_tree_node(thread, scratch);
            ep_store(&node->owed_ticks, node->owed_ticks + held_ticks);
        }
        hold->entry = below;
        /* of an entry that is nothing, what was held in it went to the one below */
        hold->child_before = below->child_ticks - (counts ? 0 : held_ticks);
    }
}
