/*
 * instrument/entry_ended.c - takes calls of functions with patched entries off that have ended and
 * have a cell
 *
 * Each call that is out of line gives a cell to every open call (record/light.h). When such a call
 * has ended, the routine of libeprof-auto cannot take it off inline. It calls this function, which
 * uses general registers only (src/CMakeLists.txt), so that the routine need not save the others.
 */
#include "eprof.h"
#include "instrument/scope_open.h"

#if defined(__x86_64__) && !defined(__ILP32__)

/* Whether the innermost call has ended, and is to be taken off with nothing else to do. The state
 * of the call around it must be that of no hold. */
static bool is_plain_and_ended(const struct ep_thread *thread, const struct ep_light *light,
                               const struct eprof_open *open, uint64_t frame)
{
    enum { NEAR_BYTES = 64 << 10 }; /* farther away may be another stack */
    const struct ep_open_scope_cell *top = thread->top;
    return open > light->lowest && open->cell == ep_stack_ref(thread, top) && top->frame <= frame &&
           frame - top->frame <= NEAR_BYTES && !ep_light_state_of(light, open[-1].state)->level;
}

static bool is_current(const struct ep_thread *thread, const struct ep_light *light)
{
    return !thread->busy && !thread->level && !light->level &&
           ep_load(&eprof_hot.edges) == (const char *)light->edges &&
           light->generation == ep_light_generation(thread);
}

EP_EXPORT int eprof_entry_close_ended(uintptr_t frame)
{
    const uint32_t kind = EP_SCOPE_FUNCTION | EP_SCOPE_ENTRY;
    struct ep_thread *thread = ep_thread_self;
    struct ep_light *light = thread->light;
    if (!light || !is_current(thread, light))
        return 0;
    uintptr_t here = ep_light_here();
    struct eprof_open *top = ep_light_begin_work(light, here), *open = top;
    if (top == &ep_thread_at_work) /* this is a signal handler that has interrupted the library */
        return 0;
    if (!ep_thread_is_no_scope(top)) {
        light->inner = 0;
        while (is_plain_and_ended(thread, light, open, frame) &&
               ep_scope_leave_untimed(thread, kind)) {
            ep_store(&open->cell, 0);
            ep_store(&open->state, 0);
            open--;
        }
        light->top = open;
    }
    ep_light_end_work(light, open);
    return open != top;
}

#else

EP_EXPORT int eprof_entry_close_ended(uintptr_t frame)
{
    (void)frame;
    return 0;
}

#endif
