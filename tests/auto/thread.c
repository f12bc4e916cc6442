/* thread.c - functions that are open when their thread ends */
#include "subjects.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

SUBJECTS_BEGIN

void *thread_returns(void *unused)
{
    calls_leaf_thrice();
    return unused;
}

/* ---- the thread ends itself ---- */

NOINLINE void thread_exit_deep(intptr_t depth)
{
    if (depth)
        thread_exit_deep(depth - 1);
    else
        pthread_exit(NULL);
    STAY();
}

void *thread_exits(void *depth)
{
    thread_exit_deep((intptr_t)depth);
    return NULL;
}

NOINLINE void thread_cancel_deep(intptr_t depth)
{
    if (depth) {
        thread_cancel_deep(depth - 1);
    } else {
        pthread_cancel(pthread_self());
        pthread_testcancel();
    }
    STAY();
}

void *thread_cancels_itself(void *depth)
{
    thread_cancel_deep((intptr_t)depth);
    return NULL;
}

/* ---- another thread cancels it ---- */

NOINLINE void thread_waits(void (*wait)(void))
{
    wait();
    STAY();
}

/* `wait` belongs to the test, without hooks: a function with clean-ups can only be unwound from a
 * call. */
void *thread_is_cancelled(void *wait)
{
    union {
        void *data;
        void (*function)(void);
    } pointer = {wait};
    thread_waits(pointer.function);
    return NULL;
}

#ifndef __cplusplus
/* The thread may be cancelled at any instruction. */
NOINLINE void thread_spin(int *is_there)
{
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    __atomic_store_n(is_there, 1, __ATOMIC_RELEASE);
    for (;;)
        STAY();
}

void *thread_spins(void *is_there)
{
    thread_spin((int *)is_there);
    return NULL;
}

/* The same; nearly all executed instructions are those of the hooks. */
void *thread_counts(void *count)
{
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    for (;;) {
        leaf();
        __atomic_add_fetch((unsigned long *)count, 1, __ATOMIC_RELEASE);
    }
}
#endif

/* ---- functions that run while the thread ends ---- */

/* In C++ the clean-up is an object of a system header, which has hooks too. */
#ifndef __cplusplus
void thread_clean_up(void *unused)
{
    (void)unused;
    leaf();
}

void *thread_has_clean_up(void *unused)
{
    pthread_cleanup_push(thread_clean_up, NULL);
    thread_exit_deep(1);
    pthread_cleanup_pop(0);
    return unused;
}
#endif

void key_destroy(void *value)
{
    (void)value;
    leaf();
}

void *thread_sets_key(void *key)
{
    pthread_setspecific(*(pthread_key_t *)key, key);
    return NULL;
}

/* ---- first calls of many functions on many threads ---- */

#define RACE(tens, ones)                                                                           \
    void race_##tens##ones(void)                                                                   \
    {                                                                                              \
        STAY();                                                                                    \
    }
#define RACE_CALL(tens, ones) race_##tens##ones();
#define EIGHT(do, tens)                                                                            \
    do                                                                                             \
    (tens, 0) do(tens, 1) do(tens, 2) do(tens, 3) do(tens, 4) do(tens, 5) do(tens, 6) do(tens, 7)
#define ALL(do)                                                                                    \
    EIGHT(do, 0)                                                                                   \
    EIGHT(do, 1) EIGHT(do, 2) EIGHT(do, 3) EIGHT(do, 4) EIGHT(do, 5) EIGHT(do, 6) EIGHT(do, 7)

ALL(RACE)

void *thread_races(void *barrier)
{
    pthread_barrier_wait((pthread_barrier_t *)barrier);
    ALL(RACE_CALL)
    return NULL;
}

/* No other function calls it, so its first call occurs on the small stack. */
NOINLINE void thread_first_call(void)
{
    STAY();
}

void *thread_is_small(void *unused)
{
    thread_first_call();
    return unused;
}

SUBJECTS_END
