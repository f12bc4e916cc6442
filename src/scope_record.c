#include <errno.h>

#include "control.h"
#include "eprof.h"
#include "scope_hot.h"
#include "site.h"

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

EP_INLINE struct ep_stack_scope scope_of(const void *token, eprof_frame frame)
{
    return (struct ep_stack_scope){.frame = ep_stack_frame_address(frame),
                                   .return_address = ep_stack_return_address(frame),
                                   .token = (uint32_t)(uintptr_t)token};
}

EP_COLD static void enter_general(struct eprof_site *site, const void *token, eprof_frame frame)
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

__attribute__((noinline)) static void enter_further(struct eprof_site *site, const void *token,
                                                    eprof_frame frame)
{
    struct ep_thread *thread = ep_self;
    ep_thread_wait(thread);
    struct ep_stack_scope scope = scope_of(token, frame);
    uint32_t number = __atomic_load_n(&site->number, __ATOMIC_RELAXED);
    if (EP_UNLIKELY(number - 1 >= thread->counter_sites + thread->called_sites) ||
        EP_UNLIKELY(!ep_scope_enter_at(thread, number, &scope, false)))
        enter_general(site, token, frame);
    ep_thread_wait(thread);
}

EP_EXPORT void eprof_scope_enter(struct eprof_site *site, void *token, eprof_frame frame)
{
    struct ep_thread *thread = ep_self;
    struct ep_stack_scope scope = scope_of(token, frame);
    uint32_t number = __atomic_load_n(&site->number, __ATOMIC_RELAXED);
    if (EP_UNLIKELY(number - 1 >= thread->counter_sites) ||
        EP_UNLIKELY(!ep_scope_enter_at(thread, number, &scope, true)))
        enter_further(site, token, frame);
}

/* ---- leave ---- */

EP_COLD static void leave_general(const void *token, uint64_t now_ticks)
{
    int saved_errno = errno;
    struct ep_thread *thread = ep_thread_current();
    /* what was entered while a signal handler could not record is not on the stack */
    if (thread && thread->top) {
        const struct ep_frame_cell *entry = ep_stack_find(thread, (uintptr_t)token);
        if (entry)
            ep_scope_close(thread, entry, now_ticks);
    }
    errno = saved_errno;
}

EP_INLINE bool leave_at(struct ep_thread *thread, const void *token, uint64_t now_ticks,
                        uint64_t mask)
{
    return EP_LIKELY(thread->top->token == (uint32_t)(uintptr_t)token) &&
           ep_scope_leave_top(thread, 0, now_ticks, mask);
}

__attribute__((noinline)) static void leave_from_call(const void *token)
{
    struct ep_thread *thread = ep_self;
    const struct ep_source *source = ep_process_source();
    uint64_t now_ticks = source ? ep_source_now(source) : 0;
    if (EP_UNLIKELY(!thread->called_sites) ||
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): who has sites has a source */
        EP_UNLIKELY(!leave_at(thread, token, now_ticks, source->mask)))
        leave_general(token, now_ticks);
    ep_process_wait();
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
