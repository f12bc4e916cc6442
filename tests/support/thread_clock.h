/*
 * thread_clock.h - a time source with its own time on each thread, moved by that thread
 *
 * So any number of threads can record at the same time, and the exact totals are known.
 */
#ifndef THREAD_CLOCK_H
#define THREAD_CLOCK_H

#include "test.h"

#include <errno.h>

#include "eprof.h"

static _Thread_local uint64_t thread_ticks; /* one tick is one ns */

static inline uint64_t thread_clock_now(void *context)
{
    (void)context;
    return thread_ticks;
}

static inline void thread_clock_use(void)
{
    struct eprof_source source = {.size = sizeof source,
                                  .name = "thread",
                                  .now = thread_clock_now,
                                  .ticks_per_second = 1000000000,
                                  .flags = EPROF_SOURCE_PER_THREAD};
    if (eprof_source_add(&source) != 0)
        assert_int_equal(errno, EEXIST); /* from the test before */
    assert_return_code(eprof_source_use("thread"), errno);
}

/* The set-up of a test: there is no instance, and nothing is recorded. */
static inline int thread_clock_begin(void **state)
{
    (void)state;
    thread_clock_use();
    eprof_init();
    return 0;
}

#endif /* THREAD_CLOCK_H */
