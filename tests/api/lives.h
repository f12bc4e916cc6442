/*
 * lives.h - very many threads, one after another
 */
#ifndef LIVES_H
#define LIVES_H

#include "rows.h"
#include "thread_clock.h"

#include <pthread.h>

static int lives_instance;

static inline int lives_begin(void **state)
{
    thread_clock_begin(state);
    lives_instance = eprof_alloc("work");
    return 0;
}

/* The ticks that each life records, once. */
static inline uint64_t lives_ticks(int number)
{
    return (uint64_t)(number % 1000) + 1;
}

static inline void lives_record(void *number)
{
    eprof_start(lives_instance);
    thread_ticks += lives_ticks((int)(uintptr_t)number);
    eprof_stop(lives_instance);
}

static inline void *live_nameless(void *number)
{
    lives_record(number);
    return NULL;
}

static inline void *live_named_before(void *number)
{
    eprof_thread_enter("worker");
    lives_record(number);
    return NULL;
}

static inline void *live_named_after(void *number)
{
    lives_record(number);
    eprof_thread_enter("worker");
    return NULL;
}

static inline void *live_named_for_a_while(void *number)
{
    eprof_thread_enter("for a while");
    lives_record(number);
    eprof_thread_enter(NULL);
    return NULL;
}

static inline void *live_with_many_names(void *number)
{
    eprof_thread_enter((uintptr_t)number % 2 ? "first" : "second");
    lives_record(number);
    eprof_thread_enter((uintptr_t)number % 3 ? "third" : NULL);
    eprof_thread_enter("last");
    eprof_thread_exit();
    return NULL;
}

/* Lives `first` to before `end`. */
static inline void lives_run(void *(*body)(void *), int first, int end)
{
    for (int i = first; i < end; i++) {
        pthread_t life;
        int error = pthread_create(&life, NULL, body, (void *)(uintptr_t)i);
        if (error)
            fail_msg("life %d: %s", i, strerror(error));
        assert_int_equal(pthread_join(life, NULL), 0);
    }
}

/* Checks that lives 0 to before `end` are in one row, and that it belongs to `thread`; NULL: to any
 * thread. */
static inline void assert_lives(int end, const char *thread)
{
    uint64_t total_ns = 0;
    for (int i = 0; i < end; i++)
        total_ns += lives_ticks(i);
    assert_figures(instance_row("work"), (uint64_t)end, total_ns);
    assert_figures(thread_row("work", thread), (uint64_t)end, total_ns);
    assert_int_equal(count_thread_rows(NULL, NULL), 1);
    assert_int_equal(count_rows("diagnostic"), 0);
}

#endif /* LIVES_H */
