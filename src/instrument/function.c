/*
 * instrument/function.c - the hooks of automatic instrumentation
 *
 * The hooks feed the same stack and tree as scopes. A function may end without its exit hook: by
 * longjmp(), by an exception where the compiler calls no hook, or when a thread is cancelled. So an
 * exit searches for its own entry; if there is none, the function was entered while nothing was
 * recorded. Nor is the frame reliable: where gcc has split a function, the enter hook lies in its
 * caller, and the exit hook in a function of its own (ep_stack_find_function() in record/stack.h).
 */
#include "instrument/function.h"
#include "eprof.h"
#include "instrument/function_table.h"
#include "instrument/scope_open.h"
#include "record/control.h"
#include "record/process_life.h"

/* ---- the hooks: enter ---- */

EP_INLINE struct ep_stack_scope scope_of(const void *call_site, const void *frame,
                                         const void *token)
{
    return (struct ep_stack_scope){.frame = (uintptr_t)frame,
                                   .return_address = (uint32_t)(uintptr_t)call_site,
                                   .token = (uint32_t)(uintptr_t)token,
                                   .state = EP_SCOPE_FUNCTION};
}

/* The token of a call that is timed by its edge. It differs from that of an inline enter, so the
 * inline leave does not take the entry off (eprof/hooks.h). */
EP_INLINE uint32_t timed_token(const void *called)
{
    return ~(uint32_t)(uintptr_t)called;
}

/* The number of a function; 0: it is not recorded. Takes a lock the first time. */
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
        ep_thread_diagnose(thread, EP_DIAGNOSTIC_LOST);
    return number;
}

bool ep_function_is_left_out(uintptr_t address, uint32_t *number)
{
    const struct ep_function *function = *number ? NULL : ep_function_find(address);
    if (function) /* left out, or just given a number by another thread */
        *number = ep_load(&function->number);
    bool is_left_out = *number ? *number & EP_FUNCTION_LEFT_OUT : function != NULL;
    return is_left_out && !(*number & EP_FUNCTION_ASK_AGAIN);
}

/* Deeper in the tree than the limit. A function that is already open may be entered again. Calls
 * that have ended may still be on the stack: they were left by a jump, or their entries are patched
 * and nothing reported their end. */
static bool is_too_deep(const struct ep_thread *thread, uint32_t number,
                        const struct ep_stack_scope *scope)
{
    uint32_t limit = ep_load(&ep_process.depth_limit);
    if (EP_LIKELY(!limit) || !thread->top)
        return false;
    const struct ep_open_scope_cell *around = ep_stack_around(thread, scope);
    return ep_tree_node(thread, around->node)->depth >= limit &&
           (number >= thread->site_capacity || !thread->site_slots[number].open);
}

EP_COLD static void enter_general(uintptr_t address, struct ep_stack_scope scope)
{
    EP_KEEP_ERRNO;
    struct ep_thread *thread = ep_process_self();
    if (thread && !thread->is_off && ep_load(&eprof_recording) & EP_RECORDING_STARTS) {
        uint32_t number = number_of(thread, address) & EP_FUNCTION_NUMBER;
        if (number && !is_too_deep(thread, number, &scope) && !ep_scope_open(number, scope) &&
            !ep_thread_self->busy)
            ep_stack_doubt(ep_thread_self, number);
    }
    ep_control_quiesce_given_up(thread);
}

/* For a function with a slot in the thread's table. false: the general case is needed. */
static bool enter_placed(struct ep_thread *thread, uint32_t number,
                         const struct ep_stack_scope *scope)
{
    bool is_to_be_asked = number & EP_FUNCTION_ASK_AGAIN;
    number &= EP_FUNCTION_NUMBER;
    if (is_to_be_asked || !ep_thread_has_slot(thread, number))
        return false;
    return is_too_deep(thread, number, scope) ||
           ep_scope_enter_at(thread, number, scope, EP_SCOPE_WIDE);
}

void ep_function_enter(uintptr_t address, uint32_t number, const struct ep_stack_scope *scope)
{
    if (EP_UNLIKELY(!number) || EP_UNLIKELY(!enter_placed(ep_thread_self, number, scope)))
        enter_general(address, *scope);
}

static void rehearse_leave(void)
{
    eprof_function_leave(NULL, NULL, (void *)(uintptr_t)EP_LIGHT_REHEARSAL, NULL);
}

/* Parameters stay in registers, as the hook passes them: a struct in memory would slow the straight
 * path too. */
__attribute__((noinline)) static void enter_further(void *called, void *call_site, void *frame,
                                                    void *token, uint32_t number)
{
    uintptr_t address = (uintptr_t)called;
    struct ep_stack_scope scope = scope_of(call_site, frame, token);
    if (ep_function_is_left_out(address, &number))
        return;
    struct ep_light_key key = {(uintptr_t)token, EPROF_KEY_OFFSET((uintptr_t)token)};
    if (ep_light_timed_enter(key, &scope, timed_token(called), NULL, rehearse_leave))
        return;
    bool has_begun = ep_light_begin();
    ep_light_set_key(ep_thread_self, key.key);
    ep_thread_wait(ep_thread_self);
    ep_function_enter(address, number, &scope);
    ep_light_end(has_begun);
    ep_thread_wait(ep_thread_self);
}

EP_EXPORT void eprof_function_enter(void *function, void *call_site, void *frame, void *token)
{
    struct ep_thread *thread = ep_thread_self;
    struct ep_stack_scope scope = scope_of(call_site, frame, token);
    uint32_t number = ep_function_number((uintptr_t)function);
    if (EP_UNLIKELY(number >= thread->counter_sites) || /* no node is that of site 0 */
        EP_UNLIKELY(!ep_scope_enter_at(thread, number, &scope, EP_SCOPE_STRAIGHT)))
        enter_further(function, call_site, frame, token, number);
}

/* ---- the hooks: leave ---- */

/* Whether the innermost entry is this function's, in this frame. */
EP_INLINE bool is_top(const struct ep_thread *thread, const struct ep_node_cell *node,
                      uint32_t number, const struct ep_stack_scope *scope)
{
    return EP_LIKELY(thread->top->frame == scope->frame) &&
           EP_LIKELY(thread->top->return_address == scope->return_address) &&
           EP_LIKELY(node->site == number);
}

/* The same for an entry whose frame was estimated at the enter. A hook that is called last, by a
 * jump, knows the frame. */
static bool is_top_estimate(const struct ep_thread *thread, uint32_t number,
                            const struct ep_stack_scope *scope)
{
    const struct ep_open_scope_cell *top = thread->top;
    return ep_stack_is_estimate(top->frame) && !ep_stack_is_estimate(scope->frame) &&
           top->frame < scope->frame && top->return_address == scope->return_address &&
           ep_stack_entry(thread, top->below)->frame >= scope->frame &&
           ep_tree_node(thread, top->node)->site == number;
}

/* The same for a split function: entered in its caller's frame and left further down. The entries
 * around it have no lower frames, so none of them is in this frame. In a signal handler that
 * interrupts a cold path the enter may have been lost: then the innermost entry is the program's.
 */
static bool is_top_split(const struct ep_thread *thread, uint32_t number,
                         const struct ep_stack_scope *scope)
{
    const struct ep_open_scope_cell *top = thread->top;
    return top->frame > scope->frame && ep_tree_node(thread, top->node)->site == number &&
           ep_stack_may_end_at(thread, top, scope->frame) &&
           (!thread->busy || ep_stack_is_of_handler(thread, top));
}

EP_INLINE bool is_mine(const struct ep_thread *thread, const struct ep_node_cell *node,
                       uint32_t number, const struct ep_stack_scope *scope)
{
    return is_top(thread, node, number, scope) || is_top_estimate(thread, number, scope) ||
           is_top_split(thread, number, scope);
}

/* Whether the enter of an exit was not recorded: the innermost entry lies above it, and no call of
 * the function is open. */
static bool is_unrecorded(const struct ep_thread *thread, uint32_t number,
                          const struct ep_stack_scope *scope)
{
    const struct ep_open_scope_cell *top = thread->top;
    return top->frame > scope->frame && top->return_address != scope->return_address &&
           (number >= thread->site_capacity || !thread->site_slots[number].open);
}

EP_COLD static void leave_general(uint32_t number, struct ep_stack_scope scope, uint64_t now_ticks)
{
    EP_KEEP_ERRNO;
    struct ep_thread *thread = ep_process_self();
    /* a scope that was entered while a signal handler could not record is not on the stack */
    if (thread && thread->top) {
        const struct ep_open_scope_cell *entry = ep_stack_find_function(thread, number, &scope);
        if (entry)
            ep_scope_close(thread, entry, now_ticks);
    }
}

/* Under a budget the clock is read only for a call that is timed. */
static uint64_t now_at_leave(const struct ep_thread *thread)
{
    const struct ep_source *source = ep_process_source();
    return thread->top->state & (EP_SCOPE_UNTIMED | EP_SCOPE_SAMPLE) ? ep_sampling_now(source)
                                                                     : ep_source_now(source);
}

/* Leaves the innermost entry, if it is this function's. false: the general case is needed. */
static bool leave_placed(struct ep_thread *thread, uint32_t number,
                         const struct ep_stack_scope *scope, uint64_t now_ticks)
{
    const struct ep_open_scope_cell *top = thread->top;
    uint32_t state = top->state;
    if (!ep_thread_has_slot(thread, number) ||
        !is_mine(thread, ep_tree_node(thread, top->node), number, scope))
        return false;
    bool is_left = state & EP_SCOPE_UNTIMED ? ep_scope_leave_untimed(thread, EP_SCOPE_FUNCTION)
                   : state & EP_SCOPE_SAMPLE
                       ? ep_scope_leave_sampled(thread, EP_SCOPE_FUNCTION, now_ticks)
                       : ep_scope_leave_top(thread, EP_SCOPE_FUNCTION, now_ticks,
                                            ep_process_source()->mask, false);
    if (is_left)
        ep_light_closed(thread, ep_stack_ref(thread, top));
    return is_left;
}

/* The clock is read before functions that were entered inline get their cells: a timed call that is
 * innermost has none of these above it. */
void ep_function_leave(uint32_t called, uint32_t number, struct ep_stack_scope scope,
                       uint64_t now_ticks)
{
    if (ep_light_timed_leave(~called, scope.frame, &now_ticks))
        return;
    struct ep_thread *thread = ep_thread_self;
    bool is_recorded = number & EP_FUNCTION_NUMBER && thread->top;
    if (!now_ticks && is_recorded && !(thread->top->state & EP_SCOPE_UNTIMED))
        now_ticks = now_at_leave(thread);
    bool has_begun = ep_light_begin();
    /* a timed call that was entered in another frame has its cell only now */
    if (!now_ticks && is_recorded && !(thread->top->state & EP_SCOPE_UNTIMED))
        now_ticks = now_at_leave(thread);
    if (number & EP_FUNCTION_LEFT_OUT)
        ep_stack_doubt(thread, number & EP_FUNCTION_NUMBER);
    number &= EP_FUNCTION_NUMBER;
    if (number && thread->top && !is_unrecorded(thread, number, &scope) &&
        !leave_placed(thread, number, &scope, now_ticks))
        leave_general(number, scope, now_ticks ? now_ticks : now_at_leave(thread));
    ep_light_end(has_begun);
    ep_thread_wait(ep_thread_self);
}

__attribute__((noinline)) static void leave_further(void *called, void *call_site, void *frame,
                                                    void *token, uint32_t number)
{
    ep_function_leave((uint32_t)(uintptr_t)called, number, scope_of(call_site, frame, token), 0);
}

EP_COLD static void leave_unusual(void *call_site, void *frame, uint64_t now_ticks, uint32_t number)
{
    leave_general(number, scope_of(call_site, frame, NULL), now_ticks);
}

EP_EXPORT void eprof_function_leave(void *function, void *call_site, void *frame, void *token)
{
    struct ep_thread *thread = ep_thread_self;
    struct ep_stack_scope scope = scope_of(call_site, frame, token);
    uint32_t number = ep_function_number((uintptr_t)function);
    if (EP_UNLIKELY(number >= thread->counter_sites)) {
        leave_further(function, call_site, frame, token, number);
        return;
    }
    const struct ep_node_cell *node = ep_tree_node(thread, thread->top->node);
    if (EP_UNLIKELY(!is_top(thread, node, number, &scope))) {
        leave_further(function, call_site, frame, token, number);
        return;
    }
    uint64_t now_ticks = ep_counter_read();
    if (EP_UNLIKELY(!ep_scope_leave_top(thread, EP_SCOPE_FUNCTION, now_ticks, UINT64_MAX, true)))
        leave_unusual(call_site, frame, now_ticks, number);
}

/* ---- what libeprof-auto calls ---- */

EP_EXPORT void eprof_function_modules_changed(void)
{
    EP_KEEP_ERRNO;
    if (ep_process_is_ready() && ep_process_self() && ep_thread_begin_cold()) {
        ep_function_forget_unloaded();
        ep_thread_end_cold();
    }
}

/* A child of vfork() runs on this thread's memory while the thread waits, and may have a child
 * itself. A thread that has recorded nothing has no record to lend, and gets none for this. */
EP_EXPORT void eprof_function_vfork(int is_begin)
{
    struct ep_thread *thread = ep_thread_self;
    if (thread == &ep_thread_nobody || (thread->lent && !thread->cell)) {
        bool is_outer = thread == (is_begin ? &ep_thread_nobody : &ep_thread_lent_inner);
        struct ep_thread *inner = is_begin ? &ep_thread_lent_inner : &ep_thread_nobody;
        ep_thread_self = is_outer ? &ep_thread_lent : inner;
    } else if (thread->cell && (is_begin || thread->lent)) {
        thread->lent += is_begin ? 1 : (uint32_t)-1;
        ep_thread_open_tables(thread);
    }
}
