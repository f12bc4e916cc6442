/* Threads that libeprof has not seen before, and that end with open functions. */
#include "hooks_test.h"

#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <unistd.h>

TEST(thread_needs_no_introduction)
{
    for (int i = 0; i < 50; i++)
        run_thread(thread_returns, NULL);
    assert_tree("thread_returns 50\nthread_returns;calls_leaf_thrice 50\n"
                "thread_returns;calls_leaf_thrice;leaf 150\n");
    assert_diagnostics("");
}

TEST(pthread_exit_ends_all_functions)
{
    for (int i = 0; i < 50; i++)
        run_thread(thread_exits, (void *)(intptr_t)(i % 5));
    assert_tree("thread_exits 50\nthread_exits;thread_exit_deep 150\n");
}

TEST(deferred_cancellation_ends_all_functions)
{
    for (int i = 0; i < 50; i++)
        run_thread(thread_cancels_itself, (void *)(intptr_t)(i % 5));
    assert_tree("thread_cancels_itself 50\nthread_cancels_itself;thread_cancel_deep 150\n");
}

/* ---- cancelled by another thread ---- */

static sem_t is_ready, never;

static void wait_deferred(void)
{
    sem_post(&is_ready);
    sem_wait(&never); /* the thread is cancelled here */
}

static void wait_asynchronous(void)
{
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    sem_post(&is_ready);
    for (;;)
        STAY();
}

static void *as_data(void (*function)(void))
{
    union {
        void (*function)(void);
        void *data;
    } pointer = {function};
    return pointer.data;
}

static void cancel_by(void (*wait)(void))
{
    pthread_t thread;
    void *result = NULL;
    assert_int_equal(pthread_create(&thread, NULL, thread_is_cancelled, as_data(wait)), 0);
    sem_wait(&is_ready);
    assert_int_equal(pthread_cancel(thread), 0);
    assert_int_equal(pthread_join(thread, &result), 0);
    assert_ptr_equal(result, PTHREAD_CANCELED);
}

TEST(cancellation_from_outside_ends_all_functions)
{
    sem_init(&is_ready, 0, 0);
    sem_init(&never, 0, 0);
    for (int i = 0; i < 20; i++) {
        cancel_by(wait_deferred);
        cancel_by(wait_asynchronous);
    }
    sem_destroy(&never);
    sem_destroy(&is_ready);
    assert_tree("thread_is_cancelled 40\nthread_is_cancelled;thread_waits 40\n");
}

#pragma weak thread_spins
#pragma weak thread_counts
#pragma weak thread_has_clean_up

TEST(cancellation_at_any_instruction_ends_all_functions)
{
    if (!thread_spins)
        return; /* C++ cannot be unwound from any instruction, with or without hooks */
    for (int i = 0; i < 20; i++) {
        pthread_t thread;
        int is_there = 0;
        assert_int_equal(pthread_create(&thread, NULL, thread_spins, &is_there), 0);
        while (!__atomic_load_n(&is_there, __ATOMIC_ACQUIRE))
            sched_yield();
        assert_int_equal(pthread_cancel(thread), 0);
        assert_int_equal(pthread_join(thread, NULL), 0);
    }
    assert_tree("thread_spins 20\nthread_spins;thread_spin 20\n");
}

/* The test cannot know whether the call at the cancellation had begun. */
TEST(cancellation_inside_a_hook_harms_nobody)
{
    enum { THREADS = 200 };
    unsigned long counted = 0;
    if (!thread_counts)
        return;
    for (int i = 0; i < THREADS; i++) {
        pthread_t thread;
        unsigned long count = 0;
        assert_int_equal(pthread_create(&thread, NULL, thread_counts, &count), 0);
        while (__atomic_load_n(&count, __ATOMIC_ACQUIRE) < 100)
            sched_yield();
        assert_int_equal(pthread_cancel(thread), 0);
        assert_int_equal(pthread_join(thread, NULL), 0);
        counted += count;
    }
    assert_in_range(function_calls("leaf"), counted, counted + THREADS);
    assert_int_equal(function_calls("thread_counts"), THREADS);
    assert_int_equal(function_open("leaf"), 0);
    leaf();
}

/* ---- functions that run while a thread ends ---- */

TEST(clean_up_of_a_thread_counts)
{
    if (!thread_has_clean_up)
        return; /* in C++ the clean-up is not a function of the program */
    run_thread(thread_has_clean_up, NULL);
    assert_calls("thread_has_clean_up 1\n"
                 "thread_has_clean_up;thread_clean_up 1\n"
                 "thread_has_clean_up;thread_clean_up;leaf 1\n"
                 "thread_has_clean_up;thread_exit_deep 2\n");
}

/* The system chooses the order of the destructors: that of the library may come first. */
TEST(destructor_of_a_key_counts)
{
    pthread_key_t key;
    assert_int_equal(pthread_key_create(&key, key_destroy), 0);
    for (int i = 0; i < 20; i++)
        run_thread(thread_sets_key, &key);
    pthread_key_delete(key);
    assert_tree("key_destroy 20\nkey_destroy;leaf 20\nthread_sets_key 20\n");
    assert_diagnostics("");
}

/* ---- many threads ---- */

TEST(first_calls_of_many_threads_meet_in_one_place)
{
    enum { THREADS = 8 };
    pthread_t threads[THREADS];
    pthread_barrier_t barrier;
    assert_int_equal(pthread_barrier_init(&barrier, NULL, THREADS), 0);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, thread_races, &barrier), 0);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    pthread_barrier_destroy(&barrier);

    static char expected[RACE_FUNCTIONS * 64];
    size_t end = (size_t)sprintf(expected, "thread_races %d\n", THREADS);
    for (int i = 0; i < RACE_FUNCTIONS; i++)
        end +=
            (size_t)sprintf(expected + end, "thread_races;race_%d%d %d\n", i / 8, i % 8, THREADS);
    assert_tree(expected);
    assert_diagnostics("");
}

/* The first call of a function looks up its module. */
TEST(smallest_stack_of_a_thread_is_enough)
{
    pthread_attr_t attributes;
    pthread_t thread;
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstacksize(&attributes, (size_t)sysconf(_SC_THREAD_STACK_MIN)),
                     0);
    assert_int_equal(pthread_create(&thread, &attributes, thread_is_small, NULL), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    pthread_attr_destroy(&attributes);
    assert_tree("thread_is_small 1\nthread_is_small;thread_first_call 1\n");
}

int test_thread(void)
{
    return tests_run("thread", hooks_begin, hooks_end);
}
