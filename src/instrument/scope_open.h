/*
 * instrument/scope_open.h - opening and closing a scope: the general case (scope_open.c), and the
 * hot paths that scopes and functions share
 *
 * As in instrument/instance.c, the hot path is straight and everything unusual is one call out of
 * line. An enter reads the clock last, a leave first. The hot paths are inline in scope.c and
 * function.c and specialised there; the stack is in record/stack.h.
 *
 * A signal handler may come between any two instructions and record too. An enter first marks its
 * entry as used, so that `free` of the thread is above it, and a leave gives the entry back last. A
 * handler that does not find `free` right above `top` begins at `free` and leaves everything as it
 * found it.
 */
#ifndef EP_INSTRUMENT_SCOPE_OPEN_H
#define EP_INSTRUMENT_SCOPE_OPEN_H

#include "record/hold.h"
#include "record/light.h"
#include "record/sampling.h"
#include "record/stack.h"
#include "record/statistics.h"
#include "record/tree.h"

/* Where a scope of a macro is. */
EP_INLINE struct ep_stack_scope ep_scope_of(const void *token, eprof_frame frame)
{
    return (struct ep_stack_scope){.frame = ep_stack_frame_address(frame),
                                   .return_address = ep_stack_return_address(frame),
                                   .token = (uint32_t)(uintptr_t)token};
}

/* The mark is stored before the generation is read. The thread that switches recording off raises
 * the generation, makes all stores visible, then looks for open entries (ep_control_quiesce() in
 * record/control.c). */
EP_INLINE void ep_scope_take(struct ep_thread *thread, struct ep_open_scope_cell *entry)
{
    thread->free = entry->next;
    ep_signal_fence();
    ep_store(&entry->state, EP_SCOPE_ENTERING);
    ep_signal_fence();
}

/* Between the mark and the timestamp. Each store is of one field, or of two that are combined in a
 * register: two halves combined in memory would make the load wait. */
EP_INLINE void ep_scope_fill(struct ep_open_scope_cell *entry, const struct ep_stack_scope *scope,
                             ep_ref node, uint64_t caller)
{
    ep_store(&entry->child_ticks, 0);
    ep_store(&entry->frame, scope->frame);
    /* pairs with the readers' acquire: a reader of the earlier scope may find this node's level */
    ep_store_release(&entry->node, node);
    ep_store(&entry->token, scope->token);
    ep_store(&entry->caller, caller);
}

EP_INLINE void ep_scope_give_back(struct ep_thread *thread, struct ep_open_scope_cell *entry)
{
    ep_store(&entry->state, 0);
    ep_signal_fence();
    thread->free = ep_stack_ref(thread, entry);
}

/* After the fill, so that no value has to be kept for it: whether the generation is that of the
 * node, or of the outer entry. If not, the entry is given back. */
EP_INLINE bool ep_scope_is_current(struct ep_thread *thread, struct ep_open_scope_cell *entry,
                                   const uint64_t *expected)
{
    ep_signal_fence();
    uint64_t generation = ep_thread_generation(thread);
    if (EP_UNLIKELY(generation != *expected)) {
        ep_scope_give_back(thread, entry);
        return false;
    }
    ep_store(&entry->generation, generation);
    return true;
}

EP_INLINE void ep_scope_publish(struct ep_thread *thread, struct ep_open_scope_cell *entry,
                                uint32_t state, uint64_t now_ticks)
{
    ep_store(&entry->start_ticks, now_ticks);
    ep_store_release(&entry->state, state); /* pairs with the readers' acquire */
    ep_signal_fence();
    thread->top = entry;
}

/* The parent is 0 while the node changes, since a signal handler may look. It may also enter the
 * site elsewhere between the two stores; then the node is not this one any more. */
EP_INLINE void ep_scope_remember(struct ep_site_slot *site_slot, ep_ref parent, ep_ref node)
{
    ep_store(&site_slot->parent, 0);
    ep_signal_fence();
    ep_store(&site_slot->node, node);
    ep_signal_fence();
    ep_store(&site_slot->parent, parent);
    ep_signal_fence();
    if (EP_UNLIKELY(site_slot->node != node))
        ep_store(&site_slot->parent, 0);
}

/* Opens a scope of a site: closes stale entries and makes what is missing. With EP_SCOPE_SAMPLE in
 * scope.state the call is timed in any case. false: recording is off, or the scope is lost and
 * counted as such. */
bool ep_scope_open(uint32_t number, struct ep_stack_scope scope);

/* Opens a void entry: for a manual scope that is entered while recording is off, or for which there
 * is no node, because its leave will come. false: lost; counted. */
bool ep_scope_open_void(struct ep_stack_scope scope);

/* Closes an entry, and those above it as unwound. In a signal handler that interrupted a cold path
 * they are lost instead. */
void ep_scope_close(struct ep_thread *thread, const struct ep_open_scope_cell *entry,
                    uint64_t now_ticks);

/* After a leave: if recording is being switched off and no scope is open any more, it is off. The
 * thread is busy. */
void ep_scope_quiesced(struct ep_thread *thread);

/* ---- the hot path of enter ---- */

/* The timestamp of an entry. `how` is the choice of record/sampling.h: an untimed call has no time
 * of its own and gets that of the entry around it. Only the processor's counter without a budget
 * uses the straight path. */
EP_INLINE uint64_t ep_scope_start_ticks(const struct ep_open_scope_cell *around, uint32_t how,
                                        bool is_straight)
{
    if (is_straight)
        return ep_counter_read();
    if (how & EP_SCOPE_UNTIMED)
        return around->start_ticks;
    const struct ep_source *source = ep_process_source();
    return how ? ep_sampling_now(source) : ep_source_now(source);
}

/* How an enter looks for its node. The straight ways call no function and so save few registers;
 * they are for a scope entered where it was last entered, and not under a budget. */
enum ep_scope_way {
    EP_SCOPE_BELOW,    /* straight, and the frame is below that of the innermost entry: to compare
                          tokens takes registers that have to be saved, ten instructions */
    EP_SCOPE_STRAIGHT, /* or the same frame: functions that the compiler inlines, three in ten of a
                          ray tracer's (2026-11-21), share that of their caller */
    EP_SCOPE_WIDE
};

/* Whether the scope lies inside the innermost entry; *caller gets the tokens of its frame, but not
 * for EP_SCOPE_BELOW: ep_scope_caller() has it. */
EP_INLINE bool ep_scope_is_inside(const struct ep_thread *thread,
                                  const struct ep_stack_scope *scope, uint64_t *caller,
                                  enum ep_scope_way way)
{
    uint32_t tokens;
    if (scope->state & EP_SCOPE_MANUAL) { /* it has the frame of the innermost entry */
        tokens = thread->top->tokens | ep_stack_token_bit(thread->top->token);
        *caller = ep_stack_caller(scope->return_address, tokens);
        return true;
    }
    if (way == EP_SCOPE_BELOW)
        return thread->top->frame > scope->frame;
    *caller = ep_stack_caller(scope->return_address, 0);
    if (thread->top->frame > scope->frame)
        return true;
    if (!ep_stack_tokens(thread->top, scope, &tokens) &&
        (way != EP_SCOPE_WIDE || !ep_stack_tokens_apart(thread, scope, &tokens)))
        return false;
    *caller = ep_stack_caller(scope->return_address, tokens);
    return true;
}

/* The caller of an entry, once it is taken: a scope below the innermost entry is the first of its
 * frame. */
EP_INLINE uint64_t ep_scope_caller(const struct ep_stack_scope *scope, uint64_t caller,
                                   enum ep_scope_way way)
{
    return way == EP_SCOPE_BELOW ? ep_stack_caller(ep_stack_return_address_again(scope), 0)
                                 : caller;
}

/* Enters a site that is open: recursion folds into the open node. */
EP_INLINE bool ep_scope_enter_nested(struct ep_thread *thread, uint32_t number,
                                     struct ep_open_scope_cell *entry,
                                     const struct ep_open_scope_cell *outer,
                                     const struct ep_stack_scope *scope, uint64_t caller,
                                     enum ep_scope_way way)
{
    const bool is_straight = way != EP_SCOPE_WIDE;
    const struct ep_open_scope_cell *top = thread->top;
    if (!is_straight && (EP_UNLIKELY(!ep_stack_is_open_of(thread, outer, number)) ||
                         EP_UNLIKELY(ep_hold_is_unlisted(ep_tree_node(thread, outer->node)))))
        return false; /* a timed call needs a node that is up to date */
    ep_scope_take(thread, entry);
    ep_scope_fill(entry, scope, outer->node, ep_scope_caller(scope, caller, way));
    if (!ep_scope_is_current(thread, entry, &outer->generation))
        return false;
    uint32_t how = is_straight
                       ? 0
                       : ep_sampling_choose_nested(thread, ep_tree_node(thread, outer->node),
                                                   top->node == outer->node);
    uint32_t state = EP_SCOPE_OPEN | EP_SCOPE_NESTED | scope->state | how;
    if (!is_straight)
        ep_light_entering(thread, entry, state);
    ep_scope_publish(thread, entry, state, ep_scope_start_ticks(top, how, is_straight));
    return true;
}

/* Enters a site. false: a wider way or the general case is needed. */
EP_INLINE bool ep_scope_enter_at(struct ep_thread *thread, uint32_t number,
                                 const struct ep_stack_scope *scope, enum ep_scope_way way)
{
    const bool is_straight = way != EP_SCOPE_WIDE;
    const struct ep_open_scope_cell *top = thread->top;
    uint64_t caller = 0;
    if (EP_UNLIKELY(!ep_scope_is_inside(thread, scope, &caller, way)))
        return false;
    ep_signal_fence(); /* the loads below would take registers that have to be saved */
    ep_ref free = thread->free;
    if (EP_UNLIKELY(free != top->next) || EP_UNLIKELY(!free)) /* ep_stack_is_quiet() */
        return false;
    struct ep_open_scope_cell *entry = ep_stack_entry(thread, free);
    struct ep_site_slot *site_slot = &thread->site_slots[number];
    if (EP_UNLIKELY(site_slot->open != NULL))
        return ep_scope_enter_nested(thread, number, entry, site_slot->open, scope, caller, way);
    /* before the parent: a signal handler that enters the site elsewhere leaves its own there */
    ep_ref ref = site_slot->node;
    ep_signal_fence();
    if (EP_UNLIKELY(site_slot->parent != top->node)) {
        ref = is_straight ? 0 : ep_tree_find(thread, top->node, number);
        if (!ref)
            return false;
        ep_scope_remember(site_slot, top->node, ref);
    }
    ep_scope_take(thread, entry);
    ep_scope_fill(entry, scope, ref, ep_scope_caller(scope, caller, way));
    struct ep_node_cell *node = ep_tree_node(thread, ref);
    if (!ep_scope_is_current(thread, entry, &node->generation))
        return false;
    ep_signal_fence(); /* from here on, a handler that enters the same site folds into it */
    site_slot->open = entry;
    ep_signal_fence();
    uint32_t how = is_straight ? 0 : ep_sampling_choose(thread, node);
    uint32_t state = EP_SCOPE_OPEN | EP_SCOPE_TIMED | scope->state | how;
    if (!is_straight)
        ep_light_entering(thread, entry, state);
    if (!is_straight && how & EP_SCOPE_SAMPLE)
        ep_sampling_start_cpu(thread, node);
    ep_scope_publish(thread, entry, state, ep_scope_start_ticks(top, how, is_straight));
    if (EP_LIKELY(!how))
        ep_statistics_add_pending(thread->cells, &node->stats, &thread->tree_cells);
    return true;
}

/* ---- the hot path of leave ---- */

/* Takes an entry off the stack and, if it is outermost, then off its site. A signal handler that
 * comes between finds the entry left, and its own is above it. */
EP_INLINE void ep_scope_pop(struct ep_thread *thread, struct ep_open_scope_cell *below,
                            uint32_t number, bool is_outermost)
{
    ep_signal_fence();
    thread->top = below;
    ep_signal_fence();
    if (is_outermost)
        thread->site_slots[number].open = NULL;
    ep_signal_fence();
    thread->free = below->next;
}

/* Ends an entry of a node that is left after `difference` ticks. */
EP_INLINE void ep_scope_end(struct ep_thread *thread, struct ep_open_scope_cell *entry,
                            uint64_t difference, uint64_t self_ticks, bool is_outermost)
{
    struct ep_node_cell *node = ep_tree_node(thread, entry->node);
    struct ep_open_scope_cell *below = ep_stack_entry(thread, entry->below);
    ep_store(&entry->state, 0); /* first: a reader must not add its time so far to later calls */
    ep_store_fence();
    ep_add64(&node->self_ticks, self_ticks);
    ep_add64(&below->child_ticks, difference);
    if (is_outermost)
        ep_statistics_count(&node->stats, difference);
    else
        ep_statistics_count_nested(&node->stats);
    ep_scope_pop(thread, below, node->site, is_outermost);
}

/* Leaves the innermost entry: a scope or, with `kind` EP_SCOPE_FUNCTION, a function. false: the
 * general case is needed. */
EP_INLINE bool ep_scope_leave_top(struct ep_thread *thread, uint32_t kind, uint64_t now_ticks,
                                  uint64_t mask, bool is_straight)
{
    struct ep_open_scope_cell *entry = thread->top;
    uint64_t difference = (now_ticks - entry->start_ticks) & mask;
    /* above every horizon if the clock went back so far that more time has passed inside */
    uint64_t self_ticks = difference - entry->child_ticks;
    if (EP_UNLIKELY(!ep_is_equal(entry->generation, &thread->generation)) ||
        EP_UNLIKELY(ep_is_above(self_ticks, &thread->control->horizon_ticks)) ||
        /* the processor's counter is not set, so what was possible inside was so in sum */
        (!is_straight && ep_is_above(difference, &thread->control->horizon_ticks)))
        return false;
    if (EP_LIKELY(entry->state == (EP_SCOPE_OPEN | EP_SCOPE_TIMED | kind))) {
        ep_scope_end(thread, entry, difference, self_ticks, true);
        return true;
    }
    ep_signal_fence(); /* the comparison above reads memory, so it needs no register */
    if (entry->state != (EP_SCOPE_OPEN | EP_SCOPE_NESTED | kind))
        return false;
    ep_scope_end(thread, entry, difference, self_ticks, false);
    return true;
}

/* ---- the hot paths of leave under a budget ---- */

/* The generation of an entry, and its state without the bits that may differ. */
EP_INLINE bool ep_scope_is_budgeted(const struct ep_thread *thread,
                                    const struct ep_open_scope_cell *entry, uint32_t usual)
{
    uint32_t state = entry->state & ~(uint32_t)(EP_SCOPE_TIMED | EP_SCOPE_NESTED);
    return EP_LIKELY(state == usual) &&
           EP_LIKELY(entry->generation == ep_thread_generation(thread));
}

/* Leaves the innermost entry, which is untimed: its own time is not known, and the time of scopes
 * that ended inside is none of its node's self time. false: the general case is needed. */
EP_INLINE bool ep_scope_leave_untimed(struct ep_thread *thread, uint32_t kind)
{
    struct ep_open_scope_cell *entry = thread->top;
    if (!ep_scope_is_budgeted(thread, entry, EP_SCOPE_OPEN | EP_SCOPE_UNTIMED | kind))
        return false;
    struct ep_node_cell *node = ep_tree_node(thread, entry->node);
    struct ep_open_scope_cell *below = ep_stack_entry(thread, entry->below);
    bool is_nested = entry->state & EP_SCOPE_NESTED;
    if (EP_UNLIKELY(entry->child_ticks) && ep_hold_is_unlisted(node))
        return false;
    ep_store(&entry->state, 0); /* as in ep_scope_end() */
    if (entry->child_ticks)
        ep_add64(&node->self_ticks, 0 - entry->child_ticks);
    ep_scope_pop(thread, below, node->site, !is_nested);
    return true;
}

/* Leaves the innermost entry, which is timed under a budget. false: the general case is needed. */
bool ep_scope_leave_sampled(struct ep_thread *thread, uint32_t kind, uint64_t now_ticks);

#endif /* EP_INSTRUMENT_SCOPE_OPEN_H */
