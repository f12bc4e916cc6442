/*
 * calls.h - calls that many tests make, on the clock that is moved by hand
 *
 * The functions that take one pointer can also be given to threads and children (threads.h,
 * child.h).
 */
#ifndef CALLS_H
#define CALLS_H

#include "hand_clock.h"

static inline void pass(uint64_t ticks)
{
    hand_ticks += ticks;
}

/* One pair of an instance. */
static inline void pair_of(int id, uint64_t ticks)
{
    eprof_start(id);
    hand_ticks += ticks;
    eprof_stop(id);
}

static inline void start(void *id)
{
    eprof_start(*(int *)id);
}

static inline void stop(void *id)
{
    eprof_stop(*(int *)id);
}

/* One call of a scope by hand. */
static inline void scope_of(const char *label, uint64_t ticks)
{
    eprof_enter(label);
    hand_ticks += ticks;
    eprof_leave();
}

static inline void name_this_thread(void *name)
{
    eprof_thread_enter(name);
}

static inline void reset_here(void *unused)
{
    (void)unused;
    eprof_reset();
}

static inline void switch_all_off(void *unused)
{
    (void)unused;
    eprof_enable(false);
}

static inline void switch_off_and_on(void *unused)
{
    (void)unused;
    eprof_enable(false);
    eprof_enable(true);
}

static inline void switch_thread_off(void *unused)
{
    (void)unused;
    eprof_thread_enable(false);
}

static inline void switch_thread_on(void *unused)
{
    (void)unused;
    eprof_thread_enable(true);
}

#endif /* CALLS_H */
