/*
 * scope_hot.h - the hot paths that scopes and functions have in common
 *
 * As in instance_record.c the hot path is straight, everything unusual is one call out of line, the
 * clock is read last in an enter and first in a leave, and the pending difference goes into the
 * histogram after the stamp. Inline in scope_record.c and function_record.c, with what is known
 * there.
 */
#ifndef EP_SCOPE_HOT_H
#define EP_SCOPE_HOT_H

#include "scope_open.h"
#include "statistics.h"
#include "tree.h"

/* ---- enter ---- */

/* The straight path is open to the counter only. A call that is only counted has no time of its
 * own, and gets that of what is around it. */
EP_INLINE uint64_t ep_scope_stamp(const struct ep_frame_cell *around,
                                  const struct ep_stack_scope *scope, bool is_straight)
{
    if (scope->state & EP_FRAME_UNTIMED)
        return around->start_ticks;
    return is_straight ? ep_counter_read() : ep_source_now(ep_process_source());
}

/* Inside another scope of the same frame: its tokens are told apart. 0: it is not. Inline: what
 * a compiler inlines, three in ten of a ray tracer's, is in its caller's frame. */
EP_INLINE uint32_t ep_scope_tokens(const struct ep_frame_cell *top,
                                   const struct ep_stack_scope *scope)
{
    uint32_t tokens;
    return ep_stack_tokens(top, scope, &tokens) ? tokens : 0;
}

/* The node of a site that was last entered elsewhere. */
EP_INLINE ep_ref ep_scope_look_up(const struct ep_thread *thread, struct ep_place *place,
                                  uint32_t number)
{
    ep_ref parent = thread->top->node;
    ep_ref node = ep_tree_find(thread, parent, number);
    ep_scope_remember(place, parent, node);
    return node;
}

/* Inside another of its site: recursion folds into the open node. */
EP_INLINE ep_ref ep_scope_nested_node(const struct ep_frame_cell *outer, uint64_t stamp)
{
    return EP_LIKELY(outer->stamp == stamp) ? outer->node : 0;
}

/*
 * In two forms. The straight one calls nothing, and so saves few registers: a scope where it was
 * entered last. The other looks further. false: that is not enough.
 *
 * The stores between the claim and the stamp are each of one field, or of two in a register:
 * put together out of halves in memory they would be waited for.
 */
EP_INLINE bool ep_scope_enter_at(struct ep_thread *thread, uint32_t number,
                                 const struct ep_stack_scope *scope, bool is_straight)
{
    const struct ep_frame_cell *top = thread->top;
    struct ep_frame_cell *entry = ep_stack_entry(thread, thread->free);
    struct ep_place *place = &thread->places[number];
    uint32_t tokens = 0;
    if (top->frame <= scope->frame && !(tokens = ep_scope_tokens(top, scope)) &&
        (is_straight || !ep_stack_tokens_apart(thread, scope, &tokens)))
        return false;
    if (EP_UNLIKELY(!ep_stack_is_settled(thread)) || EP_UNLIKELY(!top->next))
        return false;
    const struct ep_frame_cell *outer = place->open;
    ep_ref node = place->node;
    if (EP_UNLIKELY(place->parent != top->node) && !outer) {
        if (is_straight)
            return false;
        node = ep_scope_look_up(thread, place, number);
    }
    uint64_t stamp = ep_scope_claim(thread, entry);
    if (EP_UNLIKELY(outer != NULL))
        node = ep_scope_nested_node(outer, stamp);
    else if (EP_UNLIKELY(ep_tree_node(thread, node)->stamp != stamp))
        node = 0;
    if (EP_UNLIKELY(!node)) {
        ep_scope_give_back(thread, entry);
        return false;
    }
    ep_store(&entry->child_ticks, 0);
    ep_store(&entry->stamp, stamp);
    ep_store(&entry->frame, scope->frame);
    ep_store(&entry->node, node);
    ep_store(&entry->token, scope->token);
    ep_store(&entry->caller, ep_stack_caller(scope->return_address, tokens));
    uint32_t state = EP_FRAME_OPEN | scope->state;
    if (EP_UNLIKELY(outer != NULL)) {
        ep_scope_publish(thread, entry, state | EP_FRAME_NESTED,
                         ep_scope_stamp(top, scope, is_straight));
        return true;
    }
    ep_signal_fence(); /* a handler that enters the same site folds into it from here on */
    place->open = entry;
    ep_signal_fence();
    ep_scope_publish(thread, entry, state | EP_FRAME_TIMED,
                     ep_scope_stamp(top, scope, is_straight));
    ep_statistics_spread_pending(thread->cells, &ep_tree_node(thread, node)->stats,
                                 &thread->tree_cells);
    return true;
}

/* ---- leave ---- */

/* Off the stack, and then out of its place: a handler that comes in between finds the entry
 * left, and its own is above it. */
EP_INLINE void ep_scope_pop(struct ep_thread *thread, struct ep_frame_cell *below,
                            struct ep_place *place)
{
    ep_signal_fence();
    thread->top = below;
    ep_signal_fence();
    if (place)
        place->open = NULL;
    ep_signal_fence();
    thread->free = below->next;
    if (EP_UNLIKELY(ep_self != thread)) {
        ep_self->top = thread->top;
        ep_self->free = thread->free;
    }
}

/* Leaves the innermost entry, of a scope or, where that is what `kind` says, of a function. false:
 * there is something unusual about it. */
EP_INLINE bool ep_scope_leave_top(struct ep_thread *thread, uint32_t kind, uint64_t now_ticks,
                                  uint64_t mask)
{
    struct ep_frame_cell *entry = thread->top;
    const struct ep_control_cell *control = thread->control;
    uint64_t difference = (now_ticks - entry->start_ticks) & mask;
    /* beyond all horizons, where the clock went back so far that more has passed inside */
    uint64_t self_ticks = difference - entry->child_ticks;
    uint32_t state = entry->state ^ kind;
    if (EP_UNLIKELY(entry->stamp != ep_load_in_order(&control->generation) + thread->salt) ||
        /* both in one comparison: a horizon has all bits that are below its highest (control.c) */
        EP_UNLIKELY((difference | self_ticks) > ep_load(&control->horizon_ticks)) ||
        EP_UNLIKELY(state > (EP_FRAME_OPEN | EP_FRAME_NESTED)))
        return false;
    struct ep_node_cell *node = ep_tree_node(thread, entry->node);
    struct ep_frame_cell *below = ep_stack_entry(thread, entry->below);
    ep_store(&entry->state, 0); /* first: a reader must not add its time so far to what follows */
    ep_store_fence();
    ep_add64(&node->self_ticks, self_ticks);
    ep_add64(&below->child_ticks, difference);
    if (EP_LIKELY(state & EP_FRAME_TIMED)) {
        ep_statistics_count(&node->stats, difference);
        ep_scope_pop(thread, below, &thread->places[node->site]);
    } else {
        ep_statistics_count_nested(&node->stats);
        ep_scope_pop(thread, below, NULL);
    }
    return true;
}

#endif /* EP_SCOPE_HOT_H */
