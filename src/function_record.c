#include <errno.h>

#include "control.h"
#include "eprof.h"
#include "function.h"
#include "scope_hot.h"

/*
 * The hooks of automatic instrumentation. They feed the same stack and tree as scopes, and as
 * with those a function may be left without leaving: by longjmp(), or where the compiler calls no
 * hook when an exception passes, or a thread is cancelled. So nothing here relies on balance: an
 * exit looks for its own entry, and one that finds none was entered while nothing was recorded.
 */

EP_INLINE struct ep_stack_scope scope_of(const void *call_site, const void *frame,
                                         const void *token)
{
    return (struct ep_stack_scope){.frame = (uintptr_t)frame,
                                   .return_address = (uint32_t)(uintptr_t)call_site,
                                   .token = (uint32_t)(uintptr_t)token,
                                   .state = EP_FRAME_FUNCTION};
}

/* ---- enter ---- */

/* The number of a function; 0: it is not recorded. The first time it takes a lock. */
static uint32_t number_of(struct ep_thread *thread, uintptr_t address)
{
    const struct ep_function *function = ep_function_find(address);
    if (function->address == address)
        return ep_load(&function->number);
    bool is_known;
    if (!ep_thread_begin_cold())
        return 0;
    uint32_t number = ep_function_add(address, &is_known);
    ep_thread_end_cold();
    if (!is_known)
        ep_thread_trouble(thread, EP_TROUBLE_LOST);
    return number;
}

EP_COLD static void enter_general(uintptr_t address, struct ep_stack_scope scope)
{
    int saved_errno = errno;
    struct ep_thread *thread = ep_thread_current();
    if (thread && !thread->is_off && ep_load(&eprof_recording) & EP_RECORDING_STARTS) {
        uint32_t number = number_of(thread, address);
        if (number)
            ep_scope_open(number, scope);
    }
    errno = saved_errno;
}

__attribute__((noinline)) static void enter_further(uintptr_t address, struct ep_stack_scope scope)
{
    struct ep_thread *thread = ep_self;
    uint32_t number = ep_function_number(address);
    if (EP_UNLIKELY(number - 1 >= thread->counter_sites + thread->called_sites) ||
        EP_UNLIKELY(!ep_scope_enter_at(thread, number, &scope, false)))
        enter_general(address, scope);
}

EP_EXPORT void eprof_function_enter(void *function, void *call_site, void *frame, void *token)
{
    struct ep_thread *thread = ep_self;
    struct ep_stack_scope scope = scope_of(call_site, frame, token);
    uint32_t number = ep_function_number((uintptr_t)function);
    if (EP_UNLIKELY(number - 1 >= thread->counter_sites) ||
        EP_UNLIKELY(!ep_scope_enter_at(thread, number, &scope, true)))
        enter_further((uintptr_t)function, scope);
}

/* ---- leave ---- */

/* Whether the innermost entry is this function's, in this very frame. */
EP_INLINE bool is_top(const struct ep_thread *thread, uint32_t number,
                      const struct ep_stack_scope *scope)
{
    const struct ep_frame_cell *top = thread->top;
    return EP_LIKELY(top->frame == scope->frame) &&
           EP_LIKELY(top->return_address == scope->return_address) &&
           EP_LIKELY(ep_tree_node(thread, top->node)->site == number);
}

/* The same where the frame was estimated when it was entered. A hook that is called last of all,
 * by a jump, knows it. */
static bool is_top_estimate(const struct ep_thread *thread, uint32_t number,
                            const struct ep_stack_scope *scope)
{
    const struct ep_frame_cell *top = thread->top;
    return ep_stack_is_estimate(top->frame) && !ep_stack_is_estimate(scope->frame) &&
           top->frame < scope->frame && top->return_address == scope->return_address &&
           ep_stack_entry(thread, top->below)->frame >= scope->frame &&
           ep_tree_node(thread, top->node)->site == number;
}

/* An exit whose enter was not recorded: what is innermost lies above it. */
static bool is_unrecorded(const struct ep_thread *thread, const struct ep_stack_scope *scope)
{
    const struct ep_frame_cell *top = thread->top;
    return top->frame > scope->frame && top->return_address != scope->return_address;
}

EP_COLD static void leave_general(uint32_t number, struct ep_stack_scope scope, uint64_t now_ticks)
{
    int saved_errno = errno;
    struct ep_thread *thread = ep_thread_current();
    /* what was entered while a signal handler could not record is not on the stack */
    if (thread && thread->top && !thread->busy) {
        const struct ep_frame_cell *entry = ep_stack_find_function(thread, number, &scope);
        if (entry && ep_thread_begin_cold()) {
            ep_stack_close_above(thread, entry, now_ticks);
            ep_stack_close_top(thread, now_ticks);
            ep_scope_drained(thread);
            ep_thread_end_cold();
        }
    }
    errno = saved_errno;
}

__attribute__((noinline)) static void leave_further(uintptr_t address, struct ep_stack_scope scope)
{
    struct ep_thread *thread = ep_self;
    uint32_t number = ep_function_number(address);
    if (!number || !thread->top || is_unrecorded(thread, &scope))
        return;
    const struct ep_source *source = ep_process_source();
    uint64_t now_ticks = ep_source_now(source);
    bool is_open = thread->counter_sites + thread->called_sites != 0;
    if (is_open && (is_top(thread, number, &scope) || is_top_estimate(thread, number, &scope)) &&
        ep_scope_leave_top(thread, EP_FRAME_FUNCTION, now_ticks, source->mask))
        return;
    leave_general(number, scope, now_ticks);
}

EP_EXPORT void eprof_function_leave(void *function, void *call_site, void *frame, void *token)
{
    struct ep_thread *thread = ep_self;
    struct ep_stack_scope scope = scope_of(call_site, frame, token);
    uint32_t number = ep_function_number((uintptr_t)function);
    if (EP_LIKELY(number - 1 < thread->counter_sites) &&
        EP_LIKELY(is_top(thread, number, &scope))) {
        uint64_t now_ticks = ep_counter_read();
        if (EP_UNLIKELY(!ep_scope_leave_top(thread, EP_FRAME_FUNCTION, now_ticks, UINT64_MAX)))
            leave_general(number, scope, now_ticks);
        return;
    }
    leave_further((uintptr_t)function, scope);
}

/* ---- what the hooks' library sees ---- */

EP_EXPORT void eprof_function_modules_changed(void)
{
    int saved_errno = errno;
    if (ep_process_is_ready() && ep_thread_current() && ep_thread_begin_cold()) {
        ep_function_forget_unloaded();
        ep_thread_end_cold();
    }
    errno = saved_errno;
}

/* The child runs on this thread's memory, while the thread waits; it may have one itself. */
EP_EXPORT void eprof_function_vfork(int is_begin)
{
    int saved_errno = errno;
    struct ep_thread *thread = ep_self->lent ? ep_self : ep_thread_current();
    if (thread && (is_begin || thread->lent)) {
        thread->lent += is_begin ? 1 : (uint32_t)-1;
        ep_thread_open_tables(thread);
    }
    errno = saved_errno;
}
