/*
 * instrument/scope_manual.c - scopes that are entered and left by hand, for languages without the
 * cleanup attribute and for names that are made at run time
 *
 * Such a scope belongs to no frame, since the caller of the library may be a wrapper whose frame
 * ends at once. So its entry has the frame of the entry below it (docs/internals/decisions.md).
 *
 * `frame` is the canonical frame address of the call of the library: functions with frames that are
 * not above it have ended.
 */
#include "eprof.h"
#include "instrument/entry.h"
#include "instrument/scope_open.h"
#include "instrument/site.h"
#include "record/control.h"
#include "record/light_manual.h"
#include "record/process_life.h"
#include "record/stack.h"
#include "record/tree.h"

/* For the general case, which compares it with frames of functions: below the frame of the caller,
 * and also below that of a function that has called the library by a jump. */
static struct ep_stack_scope manual_scope(uint64_t frame)
{
    return (struct ep_stack_scope){.frame = frame - 2 * sizeof(void *), .state = EP_SCOPE_MANUAL};
}

/* Enters of this thread before it had a record, for which there was no memory. */
static EP_THREAD_LOCAL uint32_t lost_without_record;

/* ---- sites without a place in the source ---- */

/* A program may make up labels without end: beyond the limit a new one is "(other)". 0 and ENOMEM:
 * no memory. Busy. */
static uint32_t number_of_label(const char *label, bool *is_beyond)
{
    uint32_t number = ep_site_known(NULL, 0, label);
    *is_beyond = !number && !ep_tree_has_room();
    if (*is_beyond)
        return EP_SITE_OTHER;
    return number ? number : ep_site_number(NULL, 0, label);
}

EP_EXPORT struct eprof_site *eprof_site_for(const char *label)
{
    bool is_beyond;
    if (ep_process_lock() != 0)
        return NULL;
    uint32_t number = number_of_label(label, &is_beyond);
    struct eprof_site *site = number ? ep_site_named(number) : NULL;
    if (is_beyond)
        ep_process_diagnose(EP_DIAGNOSTIC_OUT_OF_CELLS);
    ep_process_unlock();
    return site;
}

/* ---- enter, the general case ---- */

/* false: nothing was opened. */
static bool enter_site(struct ep_thread *thread, const struct eprof_site *site,
                       struct ep_stack_scope scope)
{
    if (!site || thread->is_off || !(ep_load(&eprof_recording) & EP_RECORDING_STARTS))
        return false;
    uint32_t number = site->number;
    if (!number && ep_thread_begin_cold()) {
        bool is_beyond;
        number = number_of_label(site->label, &is_beyond);
        ep_thread_end_cold();
        if (is_beyond || !number)
            ep_thread_diagnose(thread, number ? EP_DIAGNOSTIC_OUT_OF_CELLS : EP_DIAGNOSTIC_LOST);
    }
    return number && ep_scope_open(number, scope);
}

/* A scope that cannot be recorded, also for want of memory, gets a void entry or is counted above
 * one, so that its leave does not end another scope. */
static void enter_on_thread(struct ep_thread *thread, const struct eprof_site *site,
                            struct ep_stack_scope scope)
{
    bool is_in_cold_path = thread->busy; /* of this thread: this is a signal handler */
    if (is_in_cold_path)
        ep_thread_diagnose(thread, EP_DIAGNOSTIC_LOST);
    if (is_in_cold_path || (!enter_site(thread, site, scope) && !ep_scope_open_void(scope)))
        ep_stack_lose(ep_thread_self);
}

EP_COLD static void enter_general(const struct eprof_site *site, uint64_t frame)
{
    EP_KEEP_ERRNO;
    struct ep_thread *thread = ep_process.is_off ? NULL : ep_process_self();
    if (thread)
        enter_on_thread(thread, site, manual_scope(frame));
    else if (!ep_process.is_off && !ep_thread_self->lent)
        lost_without_record++;
}

/* ---- enter, hot ---- */

/* Whether the innermost entry is as a hot path needs it: the scope around it has not ended, and no
 * enter was lost above it. */
EP_INLINE bool is_usual(const struct ep_thread *thread, uint64_t frame)
{
    return EP_LIKELY(thread->top->frame > frame) &&
           EP_LIKELY(!(thread->top->state & EP_SCOPE_ENTRY)) &&
           EP_LIKELY(!(thread->busy | thread->lost_enters));
}

EP_INLINE bool enter_at(struct ep_thread *thread, uint32_t number, uint64_t frame,
                        enum ep_scope_way way)
{
    if (!is_usual(thread, frame))
        return false;
    struct ep_stack_scope scope = {.frame = thread->top->frame,
                                   .return_address = thread->top->return_address,
                                   .token = thread->top->token,
                                   .state = EP_SCOPE_MANUAL};
    return ep_scope_enter_at(thread, number, &scope, way);
}

__attribute__((noinline)) static void enter_further(const struct eprof_site *site, uint64_t frame)
{
    ep_process_wait();
    ep_entry_end_below((const void *)(uintptr_t)frame);
    uint32_t number = site ? site->number : 0;
    bool has_begun = ep_light_begin();
    const struct ep_thread *thread = ep_thread_self;
    if (EP_UNLIKELY(!(ep_load(&eprof_recording) & EP_RECORDING_STARTS)) ||
        EP_UNLIKELY(!ep_thread_has_slot(thread, number)) ||
        EP_UNLIKELY(!enter_at(ep_thread_self, number, frame, EP_SCOPE_WIDE)))
        enter_general(site, frame);
    ep_light_end(has_begun);
    ep_process_wait();
}

EP_INLINE void enter(const struct eprof_site *site, uint64_t frame)
{
    uint32_t recording = (uint32_t)ep_load(&eprof_recording);
    if (EP_LIKELY(recording & EP_RECORDING_INLINE)) {
        if (EP_LIKELY(ep_light_manual_enter(site->offset, frame)))
            return;
    } else if (recording & EP_RECORDING_STARTS && site->number < ep_thread_self->counter_sites &&
               enter_at(ep_thread_self, site->number, frame, EP_SCOPE_STRAIGHT)) {
        return;
    }
    enter_further(site, frame);
}

EP_EXPORT void eprof_enter_site(struct eprof_site *site)
{
    uint64_t frame = (uintptr_t)__builtin_dwarf_cfa();
    if (EP_LIKELY(site != NULL))
        enter(site, frame);
    else
        enter_further(NULL, frame);
}

EP_EXPORT void eprof_enter(const char *label)
{
    struct eprof_site site = {.label = label, .offset = EPROF_NO_OFFSET};
    if (ep_process_is_ready() && ep_load(&eprof_recording))
        ep_site_set_number(&site, ep_site_known(NULL, 0, label));
    enter(&site, (uintptr_t)__builtin_dwarf_cfa());
}

/* ---- leave ---- */

/* Leaves the innermost scope. Lost enters may lie between recorded ones. */
static void leave_on_thread(struct ep_thread *thread, struct ep_stack_scope scope,
                            uint64_t now_ticks)
{
    if (thread->top && ep_stack_is_quiet(thread))
        ep_stack_resync(thread, &scope);
    if (ep_stack_find_lost(thread)) {
    } else if (thread->top && thread->top->state & EP_SCOPE_MANUAL) {
        ep_stack_close_top(thread, now_ticks);
    } else if (lost_without_record) {
        lost_without_record--;
    } else {
        ep_thread_diagnose(thread, EP_DIAGNOSTIC_UNBALANCED);
    }
    ep_scope_quiesced(thread);
}

EP_COLD static void leave_general(uint64_t frame, uint64_t now_ticks)
{
    EP_KEEP_ERRNO;
    struct ep_thread *thread = ep_process.is_off ? NULL : ep_process_self();
    if (thread && !now_ticks)
        now_ticks = ep_source_now(ep_process_source());
    if (thread && thread->lost_enters) { /* in a signal handler too */
        thread->lost_enters--;
    } else if (thread && ep_thread_begin_cold()) {
        leave_on_thread(thread, manual_scope(frame), now_ticks);
        ep_thread_end_cold();
    } else if (!thread && lost_without_record) {
        lost_without_record--;
    }
}

/* Under a budget, or with any source but the processor's counter. */
static bool leave_at(struct ep_thread *thread, uint64_t frame, uint64_t now_ticks)
{
    if (!is_usual(thread, frame))
        return false;
    const struct ep_open_scope_cell *top = thread->top;
    uint32_t state = top->state;
    bool is_left = state & EP_SCOPE_UNTIMED ? ep_scope_leave_untimed(thread, EP_SCOPE_MANUAL)
                   : state & EP_SCOPE_SAMPLE
                       ? ep_scope_leave_sampled(thread, EP_SCOPE_MANUAL, now_ticks)
                       : ep_scope_leave_top(thread, EP_SCOPE_MANUAL, now_ticks,
                                            ep_process_source()->mask, false);
    if (is_left)
        ep_light_closed(thread, ep_stack_ref(thread, top));
    return is_left;
}

/* The clock is read first if the scope may be a timed one, and only then. */
static uint64_t read_clock(const struct ep_thread *thread)
{
    uint32_t state = thread->top ? thread->top->state : 0;
    if (!(state & EP_SCOPE_MANUAL) || state & EP_SCOPE_UNTIMED)
        return 0;
    return state & EP_SCOPE_SAMPLE ? ep_sampling_now(ep_process_source())
                                   : ep_source_now(ep_process_source());
}

__attribute__((noinline)) static void leave_further(uint64_t frame, uint64_t now_ticks)
{
    if (!now_ticks)
        now_ticks = read_clock(ep_thread_self);
    ep_entry_end_below((const void *)(uintptr_t)frame);
    if (ep_light_manual_leave(frame))
        return;
    bool has_begun = ep_light_begin();
    struct ep_thread *thread = ep_thread_self;
    bool has_sites = thread->counter_sites + thread->called_sites;
    if (!has_sites || !(thread->top->state & EP_SCOPE_MANUAL) ||
        !leave_at(thread, frame, now_ticks))
        leave_general(frame, now_ticks);
    ep_light_end(has_begun);
    ep_process_wait();
}

EP_EXPORT void eprof_leave(void)
{
    uint64_t frame = (uintptr_t)__builtin_dwarf_cfa(), now_ticks = 0;
    if (EP_LIKELY(ep_light_manual_leave(frame)))
        return;
    struct ep_thread *thread = ep_thread_self;
    if (thread->counter_sites) {
        now_ticks = ep_counter_read();
        if (is_usual(thread, frame) &&
            ep_scope_leave_top(thread, EP_SCOPE_MANUAL, now_ticks, UINT64_MAX, true))
            return;
    }
    leave_further(frame, now_ticks);
}
