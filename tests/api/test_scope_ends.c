/*
 * Threads that end inside scopes: by return, pthread_exit() and cancellation.
 *
 * Built twice: with -fexceptions the end of a thread unwinds its stack, and each scope is left as
 * by an exception; without it, the library closes the scopes that are still open, and counts them.
 */
#include "calls.h"
#include "threads.h"
#include "tree_text.h"

#include <semaphore.h>

#ifdef __EXCEPTIONS
#define DIAGNOSTIC_OF(closes) ""
#else
#define DIAGNOSTIC_OF(closes) "forced_closes " closes
#endif

static void run(void *(*body)(void *), void *argument)
{
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, body, argument), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
}

/* ---------------------------------------------------------- pthread_exit -- */

static __attribute__((noinline)) void exit_thread(int depth)
{
    EPROF_FUNC;
    pass(1);
    if (depth > 0)
        exit_thread(depth - 1);
    EPROF_SCOPE("last");
    pass(10);
    if (hand_ticks) /* always true */
        pthread_exit(NULL);
}

static void *exit_in_scopes(void *unused)
{
    EPROF_SCOPE("thread");
    pass(100);
    EPROF_BLOCK("ended") pass(1000);
    exit_thread(*(int *)unused);
    pass(1000000);
    return NULL;
}

TEST(pthread_exit_ends_all_scopes)
{
    int depth = 0;
    run(exit_in_scopes, &depth);
    pass(10000);
    assert_tree("thread 1/1 1111 100\nthread;ended 1/1 1000 1000\nthread;exit_thread 1/1 11 1\n"
                "thread;exit_thread;last 1/1 10 10\n");
    assert_diagnostics(DIAGNOSTIC_OF("3"));
}

TEST(pthread_exit_ends_recursion)
{
    int depth = 4;
    run(exit_in_scopes, &depth);
    assert_tree("thread 1/1 1115 100\nthread;ended 1/1 1000 1000\nthread;exit_thread 5/1 15 5\n"
                "thread;exit_thread;last 1/1 10 10\n");
    assert_diagnostics(DIAGNOSTIC_OF("7"));
}

TEST(next_thread_begins_at_its_root)
{
    int depth = 0;
    for (int i = 0; i < 100; i++)
        run(exit_in_scopes, &depth);
    assert_tree("thread 100/100 111100 10000\nthread;ended 100/100 100000 100000\n"
                "thread;exit_thread 100/100 1100 100\nthread;exit_thread;last 100/100 1000 1000\n");
    assert_diagnostics(DIAGNOSTIC_OF("300"));
}

TEST(other_threads_go_on_as_they_were)
{
    int depth = 0;
    EPROF_BLOCK("main")
    {
        run(exit_in_scopes, &depth);
        EPROF_BLOCK("inside") pass(10000);
    }
    assert_tree("main 1/1 11111 1111\nmain;inside 1/1 10000 10000\n"
                "thread 1/1 1111 100\nthread;ended 1/1 1000 1000\nthread;exit_thread 1/1 11 1\n"
                "thread;exit_thread;last 1/1 10 10\n");
}

/* --------------------------------------------------------- pthread_cancel -- */

struct victim {
    pthread_t thread;
    sem_t is_ready, never;
};

static __attribute__((noinline)) void wait_to_be_cancelled(struct victim *victim)
{
    EPROF_FUNC;
    EPROF_BLOCK("block")
    {
        pass(1);
        sem_post(&victim->is_ready);
        sem_wait(&victim->never); /* it is cancelled here */
    }
    pass(1000000);
}

static void *be_cancelled(void *victim)
{
    EPROF_SCOPE("thread");
    pass(10);
    wait_to_be_cancelled(victim);
    pass(1000000);
    return NULL;
}

static void cancel_one(void)
{
    struct victim victim;
    void *result = NULL;
    sem_init(&victim.is_ready, 0, 0);
    sem_init(&victim.never, 0, 0);
    assert_int_equal(pthread_create(&victim.thread, NULL, be_cancelled, &victim), 0);
    sem_wait(&victim.is_ready);
    pass(100);
    assert_int_equal(pthread_cancel(victim.thread), 0);
    assert_int_equal(pthread_join(victim.thread, &result), 0);
    assert_ptr_equal(result, PTHREAD_CANCELED);
    sem_destroy(&victim.is_ready);
    sem_destroy(&victim.never);
}

TEST(cancellation_ends_all_scopes)
{
    for (int i = 0; i < 10; i++)
        cancel_one();
    assert_tree("thread 10/10 1110 100\nthread;wait_to_be_cancelled 10/10 1010 0\n"
                "thread;wait_to_be_cancelled;block 10/10 1010 1010\n");
    assert_diagnostics(DIAGNOSTIC_OF("30"));
}

/* Scopes that are entered while the thread ends: in its clean-up and in the destructors of its
 * keys. */
static void clean_up(void *unused)
{
    (void)unused;
    EPROF_SCOPE("clean-up");
    pass(1000);
}

static void *be_cancelled_with_clean_up(void *unused)
{
    EPROF_SCOPE("thread");
    pthread_cleanup_push(clean_up, NULL);
    pass(1);
    pthread_cancel(pthread_self());
    pthread_testcancel();
    pthread_cleanup_pop(0);
    return unused;
}

TEST(scope_of_a_clean_up_counts)
{
    run(be_cancelled_with_clean_up, NULL);
    assert_tree("thread 1/1 1001 1\nthread;clean-up 1/1 1000 1000\n");
    assert_diagnostics(DIAGNOSTIC_OF("1"));
}

static void destroy_key(void *unused)
{
    clean_up(unused);
}

static void *set_key(void *key)
{
    EPROF_SCOPE("thread");
    pthread_setspecific(*(pthread_key_t *)key, key);
    return NULL;
}

/* The system decides the order of the destructors: the library's may come first. */
TEST(scope_of_a_key_destructor_counts)
{
    pthread_key_t key;
    assert_int_equal(pthread_key_create(&key, destroy_key), 0);
    run(set_key, &key);
    assert_int_equal(pthread_key_delete(key), 0);
    assert_tree("clean-up 1/1 1000 1000\nthread 1/1 0 0\n");
    assert_diagnostics("");
}

/* ---------------------------------------------------------- eprof_thread_exit -- */

/* Scopes that are open at the call end there; their own leaves come later and have no effect. */
TEST(exit_by_call_ends_what_is_open)
{
    {
        EPROF_SCOPE("a");
        pass(1);
        EPROF_BLOCK("b")
        {
            pass(10);
            eprof_thread_exit();
            pass(100);
            EPROF_BLOCK("c") pass(1000);
        }
    }
    assert_tree("a 1/1 11 1\na;b 1/1 10 10\nc 1/1 1000 1000\n");
    assert_diagnostics("forced_closes 2");
}

TEST_EACH(hand_clock_begin, NULL)
