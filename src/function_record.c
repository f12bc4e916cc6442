#include <errno.h>

#include "control.h"
#include "eprof.h"
#include "function.h"
#include "function_throttle.h"
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
    uint32_t known = function ? ep_load(&function->number) : EP_FUNCTION_ASK_AGAIN;
    if (!(known & EP_FUNCTION_ASK_AGAIN))
        return known & EP_FUNCTION_LEFT_OUT ? 0 : known;
    bool is_known;
    if (!ep_thread_begin_cold())
        return 0;
    uint32_t number = ep_function_add(address, &is_known);
    ep_thread_end_cold();
    if (!is_known)
        ep_thread_trouble(thread, EP_TROUBLE_LOST);
    return number;
}

/* Deeper in the tree than is asked for. What is open already may be entered again. */
static bool is_too_deep(const struct ep_thread *thread, uint32_t number)
{
    uint32_t limit = ep_load(&ep_process.depth_limit);
    if (EP_LIKELY(!limit) || !thread->top || ep_tree_node(thread, thread->top->node)->depth < limit)
        return false;
    return number >= thread->site_capacity || !thread->places[number].open;
}

EP_COLD static void enter_general(uintptr_t address, struct ep_stack_scope scope)
{
    int saved_errno = errno;
    struct ep_thread *thread = ep_thread_current();
    if (thread && !thread->is_off && ep_load(&eprof_recording) & EP_RECORDING_STARTS) {
        uint32_t number = number_of(thread, address) & EP_FUNCTION_NUMBER;
        if (number && !is_too_deep(thread, number))
            ep_scope_open(number, scope);
    }
    errno = saved_errno;
}

/* Where the thread has a place for it already. false: that is not enough. */
static bool enter_placed(struct ep_thread *thread, uint32_t number, struct ep_stack_scope *scope)
{
    bool is_throttled = number & EP_FUNCTION_THROTTLED;
    bool is_to_be_asked = number & EP_FUNCTION_ASK_AGAIN;
    number &= EP_FUNCTION_NUMBER;
    if (is_to_be_asked || number > thread->counter_sites + thread->called_sites)
        return false;
    if (is_throttled && !thread->level) /* in a hold each call counts */
        scope->state |= ep_throttle_choose(thread, number);
    return is_too_deep(thread, number) || ep_scope_enter_at(thread, number, scope, false);
}

/* In registers, as the hook has them: a scope in memory would cost the straight path too. */
__attribute__((noinline)) static void enter_further(void *called, void *call_site, void *frame,
                                                    void *token, uint32_t number)
{
    uintptr_t address = (uintptr_t)called;
    struct ep_stack_scope scope = scope_of(call_site, frame, token);
    const struct ep_function *function = number ? NULL : ep_function_find(address);
    if (function) /* it is left out, or another thread has given it a number just now */
        number = ep_load(&function->number);
    bool is_left_out = number ? number & EP_FUNCTION_LEFT_OUT : function != NULL;
    if (is_left_out && !(number & EP_FUNCTION_ASK_AGAIN))
        return;
    ep_thread_wait(ep_self);
    if (EP_UNLIKELY(!number) || EP_UNLIKELY(!enter_placed(ep_self, number, &scope)))
        enter_general(address, scope);
    ep_thread_wait(ep_self);
}

EP_EXPORT void eprof_function_enter(void *function, void *call_site, void *frame, void *token)
{
    struct ep_thread *thread = ep_self;
    struct ep_stack_scope scope = scope_of(call_site, frame, token);
    uint32_t number = ep_function_number((uintptr_t)function);
    if (EP_UNLIKELY(number - 1 >= thread->counter_sites) ||
        EP_UNLIKELY(!ep_scope_enter_at(thread, number, &scope, true)))
        enter_further(function, call_site, frame, token, number);
}

/* ---- leave ---- */

/* Whether the innermost entry is this function's, in this very frame. */
EP_INLINE bool is_top(const struct ep_thread *thread, const struct ep_node_cell *node,
                      uint32_t number, const struct ep_stack_scope *scope)
{
    return EP_LIKELY(thread->top->frame == scope->frame) &&
           EP_LIKELY(thread->top->return_address == scope->return_address) &&
           EP_LIKELY(node->site == number);
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
    if (thread && thread->top) {
        const struct ep_frame_cell *entry = ep_stack_find_function(thread, number, &scope);
        if (entry)
            ep_scope_close(thread, entry, now_ticks);
    }
    errno = saved_errno;
}

/* Now and then: whether it is to be throttled. */
EP_INLINE void consider(struct ep_thread *thread, uintptr_t address,
                        const struct ep_node_cell *node)
{
    if (EP_UNLIKELY(ep_load(&node->stats.calls) % EP_THROTTLE_LOOKS == 0))
        ep_throttle_consider(thread, address, node);
}

/* By the paths that are not straight, but not cold either. */
static bool leave_placed(struct ep_thread *thread, uintptr_t address, uint32_t number,
                         const struct ep_stack_scope *scope, uint64_t now_ticks)
{
    const struct ep_node_cell *node = ep_tree_node(thread, thread->top->node);
    if (number > thread->counter_sites + thread->called_sites ||
        !(is_top(thread, node, number, scope) || is_top_estimate(thread, number, scope)))
        return false;
    if (thread->top->state & EP_FRAME_UNTIMED)
        return ep_throttle_leave_untimed(thread);
    if (!ep_scope_leave_top(thread, EP_FRAME_FUNCTION, now_ticks, ep_process_source()->mask))
        return false;
    consider(thread, address, node);
    return true;
}

/* One in 64: it need not be fast. */
static void leave_sample(uintptr_t address, uint32_t number, struct ep_stack_scope scope,
                         uint64_t now_ticks)
{
    const struct ep_frame_cell *top = ep_self->top;
    const struct ep_node_cell *node = ep_tree_node(ep_self, top->node);
    bool is_its_own = is_top(ep_self, node, number, &scope) && top->state & EP_FRAME_TIMED;
    uint64_t difference = ep_source_difference(ep_process_source(), top->start_ticks, now_ticks);
    bool is_outlier = ep_statistics_is_outlier(&node->stats, difference);
    leave_general(number, scope, now_ticks);
    if (is_its_own)
        ep_throttle_sampled(address, is_outlier);
}

__attribute__((noinline)) static void leave_further(void *called, void *call_site, void *frame,
                                                    void *token, uint32_t number)
{
    uintptr_t address = (uintptr_t)called;
    struct ep_stack_scope scope = scope_of(call_site, frame, token);
    struct ep_thread *thread = ep_self;
    number &= EP_FUNCTION_NUMBER;
    if (!number || !thread->top || is_unrecorded(thread, &scope))
        return;
    bool is_untimed = thread->top->state & EP_FRAME_UNTIMED;
    uint64_t now_ticks = is_untimed ? 0 : ep_source_now(ep_process_source());
    if (thread->top->state & EP_FRAME_SAMPLE)
        leave_sample(address, number, scope, now_ticks);
    else if (!leave_placed(thread, address, number, &scope, now_ticks))
        leave_general(number, scope, is_untimed ? ep_source_now(ep_process_source()) : now_ticks);
    ep_thread_wait(ep_self);
}

EP_COLD static void leave_unusual(void *call_site, void *frame, uint64_t now_ticks, uint32_t number)
{
    leave_general(number, scope_of(call_site, frame, NULL), now_ticks);
}

EP_EXPORT void eprof_function_leave(void *function, void *call_site, void *frame, void *token)
{
    struct ep_thread *thread = ep_self;
    struct ep_stack_scope scope = scope_of(call_site, frame, token);
    uint32_t number = ep_function_number((uintptr_t)function);
    if (EP_UNLIKELY(number - 1 >= thread->counter_sites)) {
        leave_further(function, call_site, frame, token, number);
        return;
    }
    const struct ep_node_cell *node = ep_tree_node(thread, thread->top->node);
    if (EP_UNLIKELY(!is_top(thread, node, number, &scope))) {
        leave_further(function, call_site, frame, token, number);
        return;
    }
    uint64_t now_ticks = ep_counter_read();
    if (EP_UNLIKELY(!ep_scope_leave_top(thread, EP_FRAME_FUNCTION, now_ticks, UINT64_MAX)))
        leave_unusual(call_site, frame, now_ticks, number);
    else
        consider(thread, (uintptr_t)function, node);
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

/* A thread that has recorded nothing has no record to lend, and gets none by this. */
static void lend_nobody(bool is_begin)
{
    bool is_outer = is_begin ? ep_self == &ep_thread_nobody : ep_self == &ep_thread_lent_inner;
    if (is_begin)
        ep_self = is_outer ? &ep_thread_lent : &ep_thread_lent_inner;
    else
        ep_self = is_outer ? &ep_thread_lent : &ep_thread_nobody;
}

/* The child runs on this thread's memory, while the thread waits; it may have one itself. */
EP_EXPORT void eprof_function_vfork(int is_begin)
{
    struct ep_thread *thread = ep_self;
    if (thread == &ep_thread_nobody || (thread->lent && !thread->cell)) {
        lend_nobody(is_begin);
    } else if (thread->cell && (is_begin || thread->lent)) {
        thread->lent += is_begin ? 1 : (uint32_t)-1;
        ep_thread_open_tables(thread);
    }
}
