/*
 * The calls of threads in an image file after the program has ended, in any way
 */
#include "scratch.h"
#include "stored.h"
#include "ways_to_end.h"

#include <pthread.h>
#include <semaphore.h>

static sem_t all_recorded;

static void *record_and_wait(void *number)
{
    char label[16];
    snprintf(label, sizeof label, "thread %d", *(int *)number);
    for (int i = 0; i < 100; i++) {
        eprof_enter(label);
        eprof_leave();
    }
    sem_post(&all_recorded);
    for (;;)
        pause();
    return NULL;
}

static void end_with_threads(void *way)
{
    static int numbers[4] = {1, 2, 3, 4};
    pthread_t thread;
    hand_clock_use();
    sem_init(&all_recorded, 0, 0);
    for (int i = 0; i < 4; i++)
        pthread_create(&thread, NULL, record_and_wait, &numbers[i]);
    for (int i = 0; i < 4; i++)
        while (sem_wait(&all_recorded) != 0)
            ;
    ((const struct way *)way)->end();
}

TEST(calls_of_other_threads_are_there)
{
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        struct program program;
        struct stored stored;
        struct way way = ways[i];
        program_run(&program, "image=profile", end_with_threads, &way);
        assert_int_equal(program.status, way.status);
        stored_open(&stored, "profile");
        for (int t = 1; t <= 4; t++) {
            char label[16];
            snprintf(label, sizeof label, "thread %d", t);
            assert_int_equal(stored_row(&stored, "scope", label, "*").calls, 100);
        }
        stored_close(&stored);
    }
}

enum { FIRST_THREADS = 6, FIRST_CALLS = 3, FIRST_PROGRAMS = 20 };

static pthread_barrier_t gate;

static void *call_first(void *unused)
{
    (void)unused;
    pthread_barrier_wait(&gate);
    for (int i = 0; i < FIRST_CALLS; i++)
        EPROF_BLOCK("first");
    return NULL;
}

static void make_first_calls_at_once(void *unused)
{
    pthread_t threads[FIRST_THREADS];
    (void)unused;
    pthread_barrier_init(&gate, NULL, FIRST_THREADS);
    for (int i = 0; i < FIRST_THREADS; i++)
        if (pthread_create(&threads[i], NULL, call_first, NULL) != 0)
            _exit(2);
    for (int i = 0; i < FIRST_THREADS; i++)
        pthread_join(threads[i], NULL);
    _exit(0);
}

/* One of the threads sets the library up. */
TEST(first_calls_of_threads_at_once_are_all_there)
{
    for (int i = 0; i < FIRST_PROGRAMS; i++) {
        struct program program;
        struct stored stored;
        program_run(&program, "image=profile", make_first_calls_at_once, NULL);
        if (program.status != 0)
            fail_msg("the program ended with status %d: %s", program.status, program.err);
        stored_open(&stored, "profile");
        assert_int_equal(stored_row(&stored, "scope", "first", "*").calls,
                         FIRST_THREADS * FIRST_CALLS);
        stored_close(&stored);
        remove("profile");
    }
}

TEST_EACH(scratch_enter, scratch_leave)
