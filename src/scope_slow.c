#include <errno.h>

#include "eprof.h"
#include "hold.h"
#include "stack.h"

/* EPROF_SLOW: a scope in a hold of its own, which its end decides (stack.c). */

/* What is stale is closed before the hold begins, and not in it. */
static void resync(struct ep_stack_scope *scope)
{
    struct ep_thread *thread = ep_thread_begin_cold();
    if (thread && thread->top && ep_stack_is_settled(thread))
        ep_stack_resync(thread, scope);
    if (thread)
        ep_thread_end_cold();
}

EP_EXPORT void eprof_scope_enter_slow(struct eprof_site *site, void *token, eprof_frame frame,
                                      uint64_t least_ns)
{
    int saved_errno = errno;
    struct ep_thread *thread = ep_thread_current();
    if (thread && !thread->is_off && !thread->busy) {
        resync(&(struct ep_stack_scope){.frame = ep_stack_frame_address(frame),
                                        .return_address = ep_stack_return_address(frame),
                                        .token = (uint32_t)(uintptr_t)token});
        bool is_held = ep_hold_begin_slow(least_ns);
        const struct ep_frame_cell *top = ep_self->top;
        eprof_scope_enter(site, token, frame);
        struct ep_frame_cell *entry = ep_self->top;
        if (is_held && entry != top && entry->token == (uint32_t)(uintptr_t)token)
            ep_store(&entry->state, entry->state | EP_FRAME_SLOW);
        else if (is_held)
            ep_hold_end(false);
    } else if (thread && thread->busy) {
        ep_thread_trouble(thread, EP_TROUBLE_LOST); /* a signal handler in a cold path */
    }
    errno = saved_errno;
}
