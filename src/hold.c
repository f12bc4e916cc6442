#include "hold.h"

#include <errno.h>

#include "platform.h"
#include "process_scale.h"
#include "stack.h"

/* Deeper ones are counted only: they decide with the last that has cells of its own. */
enum { LEVELS = EP_LEVELS - 1 };

/* ---- levels ---- */

static void begin(struct ep_thread *thread)
{
    struct ep_hold *hold = ep_hold_at(thread, ++thread->level);
    thread->salt += EP_STAMP_LEVEL;
    hold->touched = 0;
    hold->entry = thread->top;
    hold->child_before = thread->top ? thread->top->child_ticks : 0;
    hold->least_ns = 0;
    hold->source = ep_process_source();
    hold->begin_ticks = ep_source_now(hold->source);
}

static bool begin_or_count(struct ep_thread *thread)
{
    if (!thread->holds)
        thread->holds = ep_platform_allocate_wiped(LEVELS * sizeof *thread->holds);
    if (!thread->holds)
        ep_thread_trouble(thread, EP_TROUBLE_OUT_OF_CELLS);
    if (!thread->holds || thread->level == LEVELS) {
        thread->further_holds++;
        return false;
    }
    begin(thread);
    return true;
}

/* For a forked child, which finds the cell but not the record. */
static void tell(const struct ep_thread *thread)
{
    ep_store(&thread->cell->holds, thread->level + thread->further_holds + thread->former_holds);
}

/* A hold that began without a stack has all entries that there are now above it. */
static void find_entry(const struct ep_thread *thread, struct ep_hold *hold)
{
    if (!hold->entry && thread->cell->frames)
        hold->entry = ep_stack_entry(thread, thread->cell->frames);
}

/* A thread that keeps without pause could not be read between its keeps. */
static void wait_for_readers(void)
{
    if (EP_LIKELY(!ep_load(&ep_process.is_being_read)))
        return;
    ep_process_mutex_lock();
    ep_process_mutex_unlock();
}

static void keep_all(struct ep_thread *thread, struct ep_hold *hold)
{
    struct ep_thread_cell *cell = thread->cell;
    ep_hold_tree_prepare(thread, hold);
    ep_hold_tree_settle(thread, hold, true);
    thread->level--;
    thread->salt -= EP_STAMP_LEVEL;
    ep_hold_pairs_prepare(thread, hold);
    wait_for_readers();
    ep_store(&thread->cells[cell->move].move.keep_level, thread->level + 1);
    /* odd: a reader waits for the rest, or finishes it. Pairs with the snapshot's acquires */
    ep_store_release(&cell->keeps, cell->keeps + 1);
    ep_store_fence();
    ep_hold_tree_keep(thread, hold);
    ep_hold_pairs_end(thread, hold, true);
    ep_store_release(&cell->keeps, cell->keeps + 1);
}

static void drop_all(struct ep_thread *thread, struct ep_hold *hold)
{
    ep_hold_tree_settle(thread, hold, false);
    ep_hold_tree_drop(thread, hold);
    thread->level--;
    thread->salt -= EP_STAMP_LEVEL;
    ep_hold_pairs_end(thread, hold, false);
}

static void end(struct ep_thread *thread, bool keep)
{
    struct ep_hold *hold = ep_hold_at(thread, thread->level);
    find_entry(thread, hold);
    if (keep)
        keep_all(thread, hold);
    else
        drop_all(thread, hold);
}

/* ---- eprof_hold(), eprof_keep() ---- */

void ep_hold_begin(void)
{
    int saved_errno = errno;
    struct ep_thread *thread = ep_thread_current();
    if (thread && ep_thread_begin_cold()) {
        begin_or_count(thread);
        tell(thread);
        ep_thread_end_cold();
    }
    errno = saved_errno;
}

void ep_hold_end(bool keep)
{
    int saved_errno = errno;
    struct ep_thread *thread = ep_thread_current();
    if (thread && ep_thread_begin_cold()) {
        if (thread->further_holds)
            thread->further_holds--;
        else if (thread->level)
            end(thread, keep);
        else if (thread->former_holds)
            thread->former_holds--;
        else
            ep_thread_trouble(thread, EP_TROUBLE_STRAY_KEEPS);
        tell(thread);
        ep_thread_end_cold();
    }
    errno = saved_errno;
}

void ep_hold_forget(struct ep_thread *thread)
{
    thread->further_holds = 0;
    while (thread->level)
        end(thread, false);
    thread->dropped_count = 0; /* the depths are forgotten too */
    thread->former_holds = 0;
    tell(thread);
}

/* ---- EPROF_SLOW ---- */

bool ep_hold_begin_slow(uint64_t least_ns)
{
    struct ep_thread *thread = ep_thread_begin_cold();
    bool has_begun = thread && begin_or_count(thread);
    if (has_begun)
        ep_hold_at(thread, thread->level)->least_ns = least_ns;
    else if (thread && thread->further_holds)
        thread->further_holds--;
    if (thread)
        ep_thread_end_cold();
    return has_begun;
}

/* Without waiting for a better scale: what is waited here is the program's time. Of a source of its
 * own that tells no rate it is 6 ms, once. */
static uint64_t to_ns(uint64_t ticks)
{
    ep_process_mutex_lock();
    uint64_t ns = ep_scale_ns(ep_process_scale_at_once(), ticks);
    ep_process_mutex_unlock();
    return ns;
}

void ep_hold_end_slow(struct ep_thread *thread, uint32_t level, uint64_t difference_ticks)
{
    bool is_held = level <= thread->level; /* no keep of the program's own has ended it */
    thread->further_holds = is_held ? 0 : thread->further_holds;
    while (thread->level > level)
        end(thread, false);
    if (is_held)
        end(thread, to_ns(difference_ticks) >= ep_hold_at(thread, level)->least_ns);
}
