#include "scope_manual.h"

#include <errno.h>

#include "control.h"
#include "eprof.h"
#include "scope_open.h"
#include "site.h"
#include "tree.h"

static struct ep_stack_scope manual_scope(const void *stack_pointer)
{
    return (struct ep_stack_scope){.frame = (uintptr_t)stack_pointer, .state = EP_FRAME_MANUAL};
}

/* Labels may be made up without end: beyond the limit a new one is "(other)". */
static uint32_t number_of_label(struct ep_thread *thread, const char *label)
{
    if (ep_tree_has_room(thread)) {
        uint32_t number = ep_site_number(NULL, 0, label);
        if (!number)
            ep_thread_trouble(thread, EP_TROUBLE_LOST);
        return number;
    }
    ep_thread_trouble(thread, EP_TROUBLE_OUT_OF_CELLS);
    return EP_SITE_OTHER;
}

static bool enter_manual(struct ep_thread *thread, const char *label, const void *stack_pointer)
{
    struct ep_stack_scope scope = manual_scope(stack_pointer);
    if (thread->is_off || !(ep_load(&eprof_recording) & EP_RECORDING_STARTS))
        return ep_scope_open_void(scope);
    uint32_t number = ep_site_known(NULL, 0, label);
    if (!number && ep_thread_begin_cold()) {
        number = number_of_label(thread, label);
        ep_thread_end_cold();
    }
    return number && ep_scope_open(number, scope);
}

void ep_scope_manual_enter(const char *label, const void *stack_pointer)
{
    int saved_errno = errno;
    ep_process_wait();
    struct ep_thread *thread = ep_process.is_off ? NULL : ep_thread_current();
    if (thread && !enter_manual(thread, label, stack_pointer))
        ep_self->skipped++;
    ep_process_wait();
    errno = saved_errno;
}

void ep_scope_manual_leave(const void *stack_pointer)
{
    int saved_errno = errno;
    struct ep_thread *thread = ep_process.is_off ? NULL : ep_thread_current();
    uint64_t now_ticks = thread ? ep_source_now(ep_process_source()) : 0;
    if (thread && thread->skipped) {
        thread->skipped--;
    } else if (thread && ep_thread_begin_cold()) {
        struct ep_stack_scope scope = manual_scope(stack_pointer);
        if (thread->top && ep_stack_is_settled(thread))
            ep_stack_resync(thread, &scope);
        if (thread->top && thread->top->state & EP_FRAME_MANUAL)
            ep_stack_close_top(thread, now_ticks);
        else
            ep_thread_trouble(thread, EP_TROUBLE_UNBALANCED);
        ep_scope_drained(thread);
        ep_thread_end_cold();
    }
    ep_process_wait();
    errno = saved_errno;
}
