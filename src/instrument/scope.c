/*
 * instrument/scope.c - the calls of the scopes' macros
 */
#include "instrument/scope.h"
#include "eprof.h"
#include "instrument/scope_open.h"
#include "instrument/site.h"
#include "record/control.h"
#include "record/process_life.h"
#include "record/stack.h"
#include "record/tree.h"

/* ---- enter, the general case ---- */

static uint32_t number_of(struct eprof_site *site)
{
    uint32_t number = __atomic_load_n(&site->number, __ATOMIC_RELAXED);
    if (!number) {
        number = ep_site_number(site->file, site->line, site->label);
        ep_site_set_number(site, number);
    }
    return number;
}

EP_COLD void ep_scope_enter_general(struct eprof_site *site, const void *token, eprof_frame frame)
{
    EP_KEEP_ERRNO;
    struct ep_thread *thread = ep_process_self();
    if (thread && !thread->is_off && ep_load(&eprof_recording) & EP_RECORDING_STARTS &&
        ep_thread_begin_cold()) {
        uint32_t number = number_of(site);
        ep_thread_end_cold();
        if (number)
            ep_scope_open(number, ep_scope_of(token, frame));
        else
            ep_thread_diagnose(thread, EP_DIAGNOSTIC_LOST);
    }
    ep_control_quiesce_given_up(thread);
}

/* ---- enter, hot ---- */

static void rehearse_leave(void)
{
    eprof_scope_leave((void *)(uintptr_t)EP_LIGHT_REHEARSAL);
}

__attribute__((noinline)) static int enter_further(struct eprof_site *site, void *token,
                                                   eprof_frame frame)
{
    struct ep_stack_scope scope = ep_scope_of(token, frame);
    uint64_t offset = __atomic_load_n(&site->offset, __ATOMIC_RELAXED);
    struct ep_light_key key = {offset, offset};
    if (ep_light_timed_enter(key, &scope, scope.token, token, rehearse_leave))
        return 0;
    struct ep_thread *thread = ep_thread_self;
    bool has_begun = ep_light_begin();
    ep_thread_wait(thread);
    uint32_t number = __atomic_load_n(&site->number, __ATOMIC_RELAXED);
    if (EP_UNLIKELY(!ep_thread_has_slot(thread, number)) ||
        EP_UNLIKELY(!ep_scope_enter_at(thread, number, &scope, EP_SCOPE_WIDE)))
        ep_scope_enter_general(site, token, frame);
    ep_light_end(has_begun);
    ep_thread_wait(thread);
    return 0;
}

EP_INLINE bool enter_straight(const struct eprof_site *site, void *token, eprof_frame frame,
                              enum ep_scope_way way)
{
    struct ep_thread *thread = ep_thread_self;
    struct ep_stack_scope scope = ep_scope_of(token, frame);
    uint32_t number = __atomic_load_n(&site->number, __ATOMIC_RELAXED);
    return EP_LIKELY(number < thread->counter_sites) && /* no node is that of site 0 */
           EP_LIKELY(ep_scope_enter_at(thread, number, &scope, way));
}

__attribute__((noinline)) static int enter_in_frame(struct eprof_site *site, void *token,
                                                    eprof_frame frame)
{
    return EP_LIKELY(enter_straight(site, token, frame, EP_SCOPE_STRAIGHT))
               ? 0
               : enter_further(site, token, frame);
}

EP_EXPORT int eprof_scope_enter(struct eprof_site *site, void *token, eprof_frame frame)
{
    return EP_LIKELY(enter_straight(site, token, frame, EP_SCOPE_BELOW))
               ? 0
               : enter_in_frame(site, token, frame);
}

/* ---- leave ---- */

EP_COLD static int leave_general(const void *token, uint64_t now_ticks)
{
    EP_KEEP_ERRNO;
    struct ep_thread *thread = ep_process_self();
    /* a scope that was entered while a signal handler could not record is not on the stack */
    if (thread && thread->top) {
        const struct ep_open_scope_cell *entry = ep_stack_find(thread, (uintptr_t)token);
        if (entry)
            ep_scope_close(thread, entry, now_ticks);
    }
    return 0;
}

EP_INLINE bool leave_at(struct ep_thread *thread, const void *token, uint64_t now_ticks,
                        uint64_t mask, bool is_straight)
{
    return EP_LIKELY(thread->top->token == (uint32_t)(uintptr_t)token) &&
           ep_scope_leave_top(thread, 0, now_ticks, mask, is_straight);
}

/* The innermost entry is that of a call under a budget, with any source. The clock is read before
 * scopes that were entered inline get their cells: a timed call that is innermost has none of these
 * above it. */
static void leave_budgeted(const void *token, uint64_t now_ticks)
{
    struct ep_thread *thread = ep_thread_self;
    const struct ep_open_scope_cell *top = thread->top;
    bool is_untimed = top->state & EP_SCOPE_UNTIMED;
    if (!is_untimed && !now_ticks)
        now_ticks = ep_sampling_now(ep_process_source());
    bool has_begun = ep_light_begin();
    bool is_top = thread->top == top && top->token == (uint32_t)(uintptr_t)token;
    bool is_left = is_top && (is_untimed ? ep_scope_leave_untimed(thread, 0)
                                         : ep_scope_leave_sampled(thread, 0, now_ticks));
    if (!is_left && !now_ticks)
        now_ticks = ep_sampling_now(ep_process_source());
    if (is_left)
        ep_light_closed(thread, ep_stack_ref(thread, top));
    else
        leave_general(token, now_ticks);
    ep_light_left(thread, token);
    ep_light_end(has_begun);
}

__attribute__((noinline)) int ep_scope_leave(const void *token, uint64_t now_ticks)
{
    uint64_t rehearsal = (uintptr_t)token & EP_LIGHT_REHEARSAL;
    if (ep_light_timed_leave((uint32_t)(uintptr_t)token, rehearsal, &now_ticks))
        return 0;
    struct ep_thread *thread = ep_thread_self;
    if (thread->called_sites && thread->top->state & (EP_SCOPE_UNTIMED | EP_SCOPE_SAMPLE)) {
        leave_budgeted(token, now_ticks);
        ep_process_wait();
        return 0;
    }
    const struct ep_source *source = ep_process_source();
    if (!now_ticks)
        now_ticks = source ? ep_source_now(source) : 0;
    bool has_begun = ep_light_begin();
    if (EP_UNLIKELY(!thread->called_sites) ||
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a thread with sites has a source */
        EP_UNLIKELY(!leave_at(thread, token, now_ticks, source->mask, false)))
        leave_general(token, now_ticks);
    ep_light_left(ep_thread_self, token);
    ep_light_end(has_begun);
    ep_process_wait();
    return 0;
}

EP_EXPORT int eprof_scope_leave(void *token)
{
    struct ep_thread *thread = ep_thread_self;
    if (EP_UNLIKELY(thread->straight != EP_THREAD_STRAIGHT))
        return ep_scope_leave(token, 0);
    uint64_t now_ticks = ep_counter_read();
    if (EP_UNLIKELY(!leave_at(thread, token, now_ticks, UINT64_MAX, true)))
        return leave_general(token, now_ticks);
    return 0;
}
