/*
 * work.h - tests of one instance, on the clock that is moved by hand
 */
#ifndef WORK_H
#define WORK_H

#include "calls.h"
#include "threads.h"

static int instance; /* "work" */

/* The set-up of a test: nothing is recorded, and this is the only instance. */
static inline int begin_test(void **state)
{
    (void)state;
    hand_clock_use();
    eprof_init();
    instance = eprof_alloc("work");
    return 0;
}

static inline void record(uint64_t ticks)
{
    pair_of(instance, ticks);
}

/* ---- for threads: `ns` and `times` point to the number ---- */

static inline void record_ns(void *ns)
{
    record(*(const uint64_t *)ns);
}

static inline void record_named(void *ns)
{
    eprof_thread_enter("worker");
    record_ns(ns);
}

static inline void start_times(void *times)
{
    for (int i = 0; i < *(const int *)times; i++)
        eprof_start(instance);
}

static inline void stop_times(void *times)
{
    for (int i = 0; i < *(const int *)times; i++)
        eprof_stop(instance);
}

#endif /* WORK_H */
