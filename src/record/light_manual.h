/*
 * record/light_manual.h - scopes that are entered and left by hand, by their edges (record/light.h)
 *
 * As the inline parts of eprof/scopes.h, with the same order of stores. Functions of the library,
 * since the program passes no frame and no token.
 */
#ifndef EP_RECORD_LIGHT_MANUAL_H
#define EP_RECORD_LIGHT_MANUAL_H

#include "record/light.h"

#if defined(__x86_64__) && !defined(__ILP32__)

/* Whether the innermost scope is a call with a patched entry that has ended: nothing reported that,
 * but the slot of its return address holds another one (instrument/entry.c). */
EP_INLINE bool ep_light_manual_has_ended(const struct ep_thread *thread,
                                         const struct eprof_open *open)
{
    bool is_silent = open->cell == EP_LIGHT_ENTRY ||
                     (ep_light_has_cell(open) && thread->top->state & EP_SCOPE_ENTRY);
    return is_silent && ((const uint32_t *)(uintptr_t)open->frame)[-2] != open->return_address;
}

/* The statistics of the values of a site below the innermost scope; NULL: there is no edge, or the
 * general case is needed. offset: of the site. frame, return_address: of the function that contains
 * the site. */
EP_INLINE struct ep_statistics *ep_light_manual_value(uint64_t offset, uint64_t frame,
                                                      uint32_t return_address)
{
    const struct ep_thread *thread = ep_thread_self;
    struct eprof_open *top = ep_load(&eprof_hot.top);
    offset |= top->limit;
    const char *edges = ep_load(&eprof_hot.edges) + top->state;
    const struct eprof_edge *edge = (const struct eprof_edge *)(const void *)(edges + offset);
    char *calls = (char *)edge->calls;
    ep_signal_fence(); /* a signal handler may put another edge there */
    bool is_inside =
        top->frame > frame || (top->frame == frame && top->return_address == return_address);
    if (EP_UNLIKELY(edge->site != offset) || EP_UNLIKELY(!is_inside) ||
        EP_UNLIKELY(thread->lost_enters) || EP_UNLIKELY(ep_light_manual_has_ended(thread, top)))
        return NULL;
    return (struct ep_statistics *)(void *)(calls - offsetof(struct ep_statistics, calls));
}

/* Counts a call of an edge, as the inline part: a signal handler may count in between. false: the
 * call is timed. */
EP_INLINE bool ep_light_manual_count(uint64_t *calls)
{
    uint32_t *until_timed = (uint32_t *)(void *)((char *)calls + EP_UNTIL_TIMED);
    bool is_untimed;
    __asm__ volatile("subl $1, %0" : "+m"(*until_timed), "=@ccg"(is_untimed) : : "memory");
    if (EP_UNLIKELY(!is_untimed))
        ep_add32(until_timed, 1);
    else
        ep_add64(calls, 1);
    return is_untimed;
}

/* Enters a scope, if its call is only counted. offset: of its site. frame: the canonical frame
 * address of the call of the library. false: the general case is needed. */
EP_INLINE bool ep_light_manual_enter(uint64_t offset, uint64_t frame)
{
    const struct ep_thread *thread = ep_thread_self;
    struct eprof_open *top = ep_load(&eprof_hot.top), *open = top + 1;
    offset |= top->limit;
    const char *edges = ep_load(&eprof_hot.edges) + top->state;
    const struct eprof_edge *edge = (const struct eprof_edge *)(const void *)(edges + offset);
    uint64_t *calls = edge->calls, state = edge->state;
    ep_signal_fence(); /* a signal handler may put another edge there */
    if (EP_UNLIKELY(edge->site != offset) || EP_UNLIKELY(top->frame <= frame) ||
        EP_UNLIKELY(thread->lost_enters) || EP_UNLIKELY(ep_light_manual_has_ended(thread, top)) ||
        EP_UNLIKELY(!ep_light_manual_count(calls)))
        return false;
    ep_store(&eprof_hot.top, open);
    ep_signal_fence();
    open->frame = top->frame;
    open->return_address = top->return_address;
    open->token = 0;
    ep_store(&open->cell, EP_LIGHT_MANUAL);
    ep_signal_fence();
    ep_store(&open->state, state);
    ep_signal_fence();
    return true;
}

/* Leaves the innermost scope if it was entered so, and if the scope around it has not ended. */
EP_INLINE bool ep_light_manual_leave(uint64_t frame)
{
    struct eprof_open *top = ep_load(&eprof_hot.top);
    if (ep_load(&top->cell) != EP_LIGHT_MANUAL || !top->state || top->frame <= frame ||
        ep_thread_self->lost_enters)
        return false;
    ep_store(&top->state, 0);
    ep_signal_fence();
    if (ep_load(&top->cell) != EP_LIGHT_MANUAL) /* a signal handler gave it one before */
        return false;
    ep_store(&eprof_hot.top, top - 1);
    ep_signal_fence();
    return true;
}

#else

EP_INLINE struct ep_statistics *ep_light_manual_value(uint64_t offset, uint64_t frame,
                                                      uint32_t return_address)
{
    (void)offset, (void)frame, (void)return_address;
    return NULL;
}

EP_INLINE bool ep_light_manual_enter(uint64_t offset, uint64_t frame)
{
    (void)offset, (void)frame;
    return false;
}

EP_INLINE bool ep_light_manual_leave(uint64_t frame)
{
    (void)frame;
    return false;
}

#endif

#endif /* EP_RECORD_LIGHT_MANUAL_H */
