/*
 * scope_open.h - an entry is claimed, filled and published: a scope is open
 *
 * A signal handler may come between any two instructions and record too. An enter first
 * claims its entry, which `free` of the thread is above then, and a leave gives it back last of
 * all: a handler that finds `free` not right above `top` begins there, and leaves everything as it
 * found it.
 */
#ifndef EP_SCOPE_OPEN_H
#define EP_SCOPE_OPEN_H

#include "stack.h"

/* The claim is seen before the look at the generation: who switches recording off raises
 * that, makes all stores visible, then looks for open entries (control.c). */
EP_INLINE uint64_t ep_scope_claim(struct ep_thread *thread, struct ep_frame_cell *entry)
{
    thread->free = entry->next;
    ep_signal_fence();
    ep_store(&entry->state, EP_FRAME_CLAIMED);
    ep_signal_fence();
    return ep_thread_stamp(thread);
}

EP_INLINE void ep_scope_publish(struct ep_thread *thread, struct ep_frame_cell *entry,
                                uint32_t state, uint64_t now_ticks)
{
    ep_store(&entry->start_ticks, now_ticks);
    ep_store_release(&entry->state, state); /* pairs with the readers' acquire */
    ep_signal_fence();
    thread->top = entry;
    /* a signal handler may have made a larger record, and left the stack as it found it */
    if (EP_UNLIKELY(ep_self != thread)) {
        ep_self->top = thread->top;
        ep_self->free = thread->free;
    }
}

/* No parent while the node changes: a signal handler may look. */
EP_INLINE void ep_scope_remember(struct ep_place *place, ep_ref parent, ep_ref node)
{
    ep_store(&place->parent, 0);
    ep_signal_fence();
    ep_store(&place->node, node);
    ep_signal_fence();
    ep_store(&place->parent, parent);
}

EP_INLINE void ep_scope_give_back(struct ep_thread *thread, struct ep_frame_cell *entry)
{
    ep_store(&entry->state, 0);
    ep_signal_fence();
    thread->free = ep_stack_ref(thread, entry);
}

/* Opens a scope of a site: finds what is stale, makes what is missing. false: recording is off,
 * or it is lost; counted. */
bool ep_scope_open(uint32_t number, struct ep_stack_scope scope);

/* Opens what is nothing: a manual scope that is entered while recording is off, whose leave is to
 * come. false: it is lost; counted. */
bool ep_scope_open_void(struct ep_stack_scope scope);

/* Closes an entry, and as forced what is open above it. In a signal handler in the midst of a cold
 * path they are lost instead. */
void ep_scope_close(struct ep_thread *thread, const struct ep_frame_cell *entry,
                    uint64_t now_ticks);

/* After a scope was left: if recording is being switched off, and this was the last, it is off. The
 * thread is busy. */
void ep_scope_drained(struct ep_thread *thread);

#endif /* EP_SCOPE_OPEN_H */
