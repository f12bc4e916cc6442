/*
 * instrument/slow.c - EPROF_SLOW: a scope in a hold of its own, whose end decides (record/slow.h)
 */
#include "record/slow.h"
#include "eprof.h"
#include "instrument/scope.h"
#include "instrument/scope_open.h"
#include "record/control.h"
#include "record/held.h"
#include "record/light.h"
#include "record/process_life.h"

/* ---- the general case ---- */

/* Stale entries are closed before the hold begins, so that they are not in it. */
static void resync(struct ep_stack_scope scope)
{
    const struct ep_open_scope_cell *top = ep_thread_self->top;
    if (top && top->frame > scope.frame) /* nothing is stale */
        return;
    struct ep_thread *thread = ep_thread_begin_cold();
    if (thread && thread->top && ep_stack_is_quiet(thread))
        ep_stack_resync(thread, &scope);
    if (thread)
        ep_thread_end_cold();
}

/* No node is up to date in a new hold. */
static void enter_in_hold(struct eprof_site *site, void *token, eprof_frame frame)
{
    uint32_t number = __atomic_load_n(&site->number, __ATOMIC_RELAXED);
    if (number && ep_load(&eprof_recording) & EP_RECORDING_STARTS)
        ep_scope_open(number, ep_scope_of(token, frame));
    else
        ep_scope_enter_general(site, token, frame);
    ep_control_quiesce_given_up(ep_thread_self);
}

EP_COLD static void enter_general(struct eprof_site *site, void *token, eprof_frame frame,
                                  uint64_t least_ns)
{
    EP_KEEP_ERRNO;
    struct ep_thread *thread = ep_process_self();
    bool has_begun = ep_light_begin();
    if (thread && !thread->is_off && !thread->busy) {
        resync(ep_scope_of(token, frame));
        bool is_held = ep_slow_begin(ep_thread_self, least_ns);
        const struct ep_open_scope_cell *top = ep_thread_self->top;
        ep_held_is_slow(ep_thread_self, is_held);
        enter_in_hold(site, token, frame);
        ep_held_is_slow(ep_thread_self, false);
        struct ep_open_scope_cell *entry = ep_thread_self->top;
        if (is_held && entry != top && entry->token == (uint32_t)(uintptr_t)token)
            ep_store(&entry->state, entry->state | EP_SCOPE_SLOW);
        else if (is_held)
            ep_hold_end(ep_process_self(), false);
    } else if (thread && thread->busy) {
        ep_thread_diagnose(thread, EP_DIAGNOSTIC_LOST); /* a handler in a cold path */
    }
    ep_light_end(has_begun);
}

/* ---- where it was entered before ---- */

/* As ep_scope_enter_at(), but its node is not up to date and is not listed in the hold. false: the
 * generation was raised meanwhile. */
static bool open_known(struct ep_thread *thread, const struct ep_light_slow *known,
                       const struct ep_stack_scope *scope, uint64_t caller)
{
    const struct ep_open_scope_cell *around = thread->top;
    struct ep_open_scope_cell *entry = ep_stack_entry(thread, thread->free);
    ep_scope_take(thread, entry);
    ep_scope_fill(entry, scope, known->node, caller);
    if (!ep_scope_is_current(thread, entry, &known->generation))
        return false;
    ep_signal_fence(); /* from here on, a handler that enters the same site folds into it */
    thread->site_slots[known->site].open = entry;
    ep_signal_fence();
    ep_light_push(thread, entry, known->after);
    ep_scope_publish(thread, entry, EP_SLOW_BRIEF,
                     ep_scope_start_ticks(around, EP_SCOPE_SAMPLE, false));
    struct ep_hold *hold = ep_hold_at(thread, thread->level);
    hold->begin_ticks = entry->start_ticks;
    ep_signal_fence();
    hold->is_beginning = false;
    return true;
}

/* Between ep_light_begin() and ep_light_end(). */
static bool enter_known(struct ep_thread *thread, uint32_t site, const struct ep_stack_scope *scope,
                        uint64_t least_ns)
{
    uint64_t caller;
    const struct ep_light_slow *known = ep_light_known(thread, site);
    if (EP_UNLIKELY(!known) || EP_UNLIKELY(thread->site_slots[site].open != NULL) ||
        EP_UNLIKELY(!thread->free) || EP_UNLIKELY(!ep_stack_is_quiet(thread)) ||
        EP_UNLIKELY(!ep_scope_is_inside(thread, scope, &caller, EP_SCOPE_WIDE)) ||
        EP_UNLIKELY(!ep_slow_begin_briefly(thread, least_ns)))
        return false;
    if (EP_LIKELY(open_known(thread, known, scope, caller)))
        return true;
    ep_hold_at(thread, thread->level)->counts = false; /* the general case begins another one */
    ep_hold_end(thread, false);
    return false;
}

static bool enter_briefly(const struct eprof_site *site, const void *token, eprof_frame frame,
                          uint64_t least_ns)
{
    struct ep_thread *thread = ep_thread_self;
    if (EP_UNLIKELY(!thread->light) || EP_UNLIKELY(thread->busy | thread->lent) ||
        EP_UNLIKELY(thread->is_off) || EP_UNLIKELY(ep_cpu_is_on()) ||
        EP_UNLIKELY(ep_load(&eprof_recording) != (EP_RECORDING_ALL | EP_RECORDING_INLINE)))
        return false;
    struct ep_stack_scope scope = ep_scope_of(token, frame);
    uint32_t number = __atomic_load_n(&site->number, __ATOMIC_RELAXED);
    bool has_begun = ep_light_begin();
    bool is_entered = has_begun && thread->top && enter_known(thread, number, &scope, least_ns);
    ep_light_end(has_begun);
    return is_entered;
}

EP_EXPORT void eprof_scope_enter_slow(struct eprof_site *site, void *token, eprof_frame frame,
                                      uint64_t least_ns)
{
    if (EP_UNLIKELY(!enter_briefly(site, token, frame, least_ns)))
        enter_general(site, token, frame, least_ns);
    ep_process_wait();
}

/* ---- leave ---- */

static bool leave_briefly(struct ep_thread *thread, const void *token, uint64_t now_ticks)
{
    const struct ep_open_scope_cell *top = thread->top;
    bool has_begun = ep_light_begin();
    /* scopes that were entered inline have cells now: there may be some above, after a jump */
    bool is_left = thread->top == top && ep_slow_leave(thread, now_ticks);
    if (is_left) {
        ep_light_closed(thread, ep_stack_ref(thread, top));
        ep_light_left(thread, token);
    }
    ep_light_end(has_begun);
    return is_left;
}

EP_EXPORT void eprof_scope_leave_slow(void *token)
{
    struct ep_thread *thread = ep_thread_self;
    const struct ep_open_scope_cell *top = thread->top;
    uint64_t now_ticks = 0;
    if (EP_LIKELY(top != NULL) && EP_LIKELY(top->state == EP_SLOW_BRIEF) &&
        EP_LIKELY(top->token == (uint32_t)(uintptr_t)token)) {
        now_ticks = ep_sampling_now(ep_process_source());
        if (EP_LIKELY(leave_briefly(thread, token, now_ticks))) {
            ep_process_wait();
            return;
        }
    }
    ep_scope_leave(token, now_ticks);
}
