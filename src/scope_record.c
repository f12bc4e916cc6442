#include <errno.h>

#include "control.h"
#include "eprof.h"
#include "scope_open.h"
#include "site.h"
#include "statistics.h"
#include "tree.h"

/*
 * Enter and leave. As in instance_record.c the hot path is straight, everything unusual is one
 * call out of line, the clock is read last in an enter and first in a leave, and the pending
 * difference goes into the histogram after the stamp.
 */

/* ---- enter, in general ---- */

static uint32_t number_of(struct eprof_site *site)
{
    uint32_t number = __atomic_load_n(&site->number, __ATOMIC_RELAXED);
    if (number)
        return number;
    number = ep_site_number(site->file, site->line, site->label);
    __atomic_store_n(&site->number, number, __ATOMIC_RELAXED); /* the same from each thread */
    return number;
}

EP_INLINE struct ep_stack_scope scope_of(const void *token, const void *frame)
{
    return (struct ep_stack_scope){.frame = (uintptr_t)frame,
                                   .return_address = ep_stack_return_address(frame),
                                   .token = (uint32_t)(uintptr_t)token};
}

EP_COLD static void enter_general(struct eprof_site *site, const void *token, const void *frame)
{
    int saved_errno = errno;
    struct ep_thread *thread = ep_thread_current();
    if (thread && !thread->is_off && ep_load(&eprof_recording) & EP_RECORDING_STARTS &&
        ep_thread_begin_cold()) {
        uint32_t number = number_of(site);
        ep_thread_end_cold();
        if (number)
            ep_scope_open(number, scope_of(token, frame));
        else
            ep_thread_trouble(thread, EP_TROUBLE_LOST);
    }
    errno = saved_errno;
}

/* ---- enter, hot ---- */

/* The straight path is open to the counter only. */
EP_INLINE uint64_t read_clock(bool is_straight)
{
    return is_straight ? ep_counter_read() : ep_source_now(ep_process_source());
}

/* Inside another scope of the same frame: its tokens are told apart. 0: it is not. Inline: what
 * a compiler inlines, three in ten of a ray tracer's, is in its caller's frame. */
EP_INLINE uint32_t tokens_of(const struct ep_frame_cell *top, const void *token, const void *frame)
{
    struct ep_stack_scope scope = scope_of(token, frame);
    uint32_t tokens;
    return ep_stack_tokens(top, &scope, &tokens) ? tokens : 0;
}

/* The node of a site that was last entered elsewhere. */
static ep_ref look_up(const struct ep_thread *thread, struct ep_place *place, uint32_t number)
{
    ep_ref parent = thread->top->node;
    ep_ref node = ep_tree_find(thread, parent, number);
    ep_scope_remember(place, parent, node);
    return node;
}

/* Inside another of its site: recursion folds into the open node. */
EP_INLINE ep_ref nested_node(const struct ep_frame_cell *outer, uint64_t stamp)
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
EP_INLINE bool enter_at(struct ep_thread *thread, uint32_t number, const void *token,
                        const void *frame, bool is_straight)
{
    const struct ep_frame_cell *top = thread->top;
    struct ep_frame_cell *entry = ep_stack_entry(thread, thread->free);
    struct ep_place *place = &thread->places[number];
    uint32_t tokens = 0;
    if (top->frame <= (uintptr_t)frame && !(tokens = tokens_of(top, token, frame)))
        return false;
    if (EP_UNLIKELY(!ep_stack_is_settled(thread)) || EP_UNLIKELY(!top->next))
        return false;
    const struct ep_frame_cell *outer = place->open;
    ep_ref node = place->node;
    if (EP_UNLIKELY(place->parent != top->node) && !outer) {
        if (is_straight)
            return false;
        node = look_up(thread, place, number);
    }
    uint64_t stamp = ep_scope_claim(thread, entry);
    if (EP_UNLIKELY(outer != NULL))
        node = nested_node(outer, stamp);
    else if (EP_UNLIKELY(ep_tree_node(thread, node)->stamp != stamp))
        node = 0;
    if (EP_UNLIKELY(!node)) {
        ep_scope_give_back(thread, entry);
        return false;
    }
    ep_store(&entry->child_ticks, 0);
    ep_store(&entry->stamp, stamp);
    ep_store(&entry->frame, (uintptr_t)frame);
    ep_store(&entry->node, node);
    ep_store(&entry->token, (uint32_t)(uintptr_t)token);
    ep_store(&entry->caller, ep_stack_caller(ep_stack_return_address(frame), tokens));
    if (EP_UNLIKELY(outer != NULL)) {
        ep_scope_publish(thread, entry, EP_FRAME_OPEN | EP_FRAME_NESTED, read_clock(is_straight));
        return true;
    }
    place->open = entry;
    ep_signal_fence();
    ep_scope_publish(thread, entry, EP_FRAME_OPEN | EP_FRAME_TIMED, read_clock(is_straight));
    ep_statistics_spread_pending(thread->cells, &ep_tree_node(thread, node)->stats,
                                 &thread->tree_cells);
    return true;
}

__attribute__((noinline)) static void enter_further(struct eprof_site *site, const void *token,
                                                    const void *frame)
{
    struct ep_thread *thread = ep_self;
    uint32_t number = __atomic_load_n(&site->number, __ATOMIC_RELAXED);
    if (EP_UNLIKELY(number - 1 >= thread->counter_sites + thread->called_sites) ||
        EP_UNLIKELY(!enter_at(thread, number, token, frame, false)))
        enter_general(site, token, frame);
}

EP_EXPORT void eprof_scope_enter(struct eprof_site *site, void *token, void *frame)
{
    struct ep_thread *thread = ep_self;
    uint32_t number = __atomic_load_n(&site->number, __ATOMIC_RELAXED);
    if (EP_UNLIKELY(number - 1 >= thread->counter_sites) ||
        EP_UNLIKELY(!enter_at(thread, number, token, frame, true)))
        enter_further(site, token, frame);
}

/* ---- leave ---- */

EP_COLD static void leave_general(const void *token, uint64_t now_ticks)
{
    int saved_errno = errno;
    struct ep_thread *thread = ep_thread_current();
    /* what was entered while a signal handler could not record is not on the stack */
    if (thread && thread->top && !thread->busy) {
        struct ep_frame_cell *entry = ep_stack_find(thread, (uintptr_t)token);
        if (entry && ep_thread_begin_cold()) {
            ep_stack_close_above(thread, entry, now_ticks);
            ep_stack_close_top(thread, now_ticks);
            ep_scope_drained(thread);
            ep_thread_end_cold();
        }
    }
    errno = saved_errno;
}

/* Off the stack, and then out of its place: a handler that comes in between finds the entry
 * left, and its own is above it. */
EP_INLINE void pop(struct ep_thread *thread, struct ep_frame_cell *below, struct ep_place *place)
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

EP_INLINE bool leave_at(struct ep_thread *thread, const void *token, uint64_t now_ticks,
                        uint64_t mask)
{
    struct ep_frame_cell *entry = thread->top;
    const struct ep_control_cell *control = thread->control;
    uint64_t difference = (now_ticks - entry->start_ticks) & mask;
    uint32_t state = entry->state;
    if (EP_UNLIKELY(entry->token != (uint32_t)(uintptr_t)token) ||
        EP_UNLIKELY(entry->stamp != ep_load_acquire(&control->generation) + thread->salt) ||
        EP_UNLIKELY(difference > ep_load(&control->horizon_ticks)) ||
        EP_UNLIKELY(state > (EP_FRAME_OPEN | EP_FRAME_NESTED)))
        return false;
    struct ep_node_cell *node = ep_tree_node(thread, entry->node);
    struct ep_frame_cell *below = ep_stack_entry(thread, entry->below);
    ep_store(&entry->state, 0); /* first: a reader must not add its time so far to what follows */
    /* by a clock that goes back it may come out below zero: a reader sees to that */
    ep_add64(&node->self_ticks, difference - entry->child_ticks);
    ep_add64(&below->child_ticks, difference);
    if (EP_LIKELY(state & EP_FRAME_TIMED)) {
        ep_statistics_count(&node->stats, difference);
        pop(thread, below, &thread->places[node->site]);
    } else {
        ep_statistics_count_nested(&node->stats);
        pop(thread, below, NULL);
    }
    return true;
}

__attribute__((noinline)) static void leave_from_call(const void *token)
{
    struct ep_thread *thread = ep_self;
    const struct ep_source *source = ep_process_source();
    uint64_t now_ticks = source ? ep_source_now(source) : 0;
    if (EP_UNLIKELY(!thread->called_sites) ||
        EP_UNLIKELY(!leave_at(thread, token, now_ticks, source->mask)))
        leave_general(token, now_ticks);
}

EP_EXPORT void eprof_scope_leave(void *token)
{
    struct ep_thread *thread = ep_self;
    if (EP_UNLIKELY(!thread->counter_sites)) {
        leave_from_call(token);
        return;
    }
    uint64_t now_ticks = ep_counter_read();
    if (EP_UNLIKELY(!leave_at(thread, token, now_ticks, UINT64_MAX)))
        leave_general(token, now_ticks);
}
