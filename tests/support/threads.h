/*
 * threads.h - threads that do what the test says, when it says so
 *
 * No thread but the test's own may assert: a failed assertion jumps back into
 * the frame of the thread that runs the tests.
 */
#ifndef THREADS_H
#define THREADS_H

#include <pthread.h>
#include <stdlib.h>

typedef void (*thread_act)(void *argument);

struct worker {
    pthread_t thread;
    pthread_barrier_t turn; /* the test and the worker meet here before and after each act */
    thread_act act;         /* NULL: the thread is to end */
    void *argument;
};

static inline void *worker_run(void *own)
{
    struct worker *worker = own;
    for (;;) {
        pthread_barrier_wait(&worker->turn);
        if (!worker->act)
            return NULL;
        worker->act(worker->argument);
        pthread_barrier_wait(&worker->turn);
    }
}

static inline void worker_begin(struct worker *worker)
{
    if (pthread_barrier_init(&worker->turn, NULL, 2) != 0 ||
        pthread_create(&worker->thread, NULL, worker_run, worker) != 0)
        abort();
}

/* Has `act` done on the worker's thread, and waits for it. */
static inline void worker_do(struct worker *worker, thread_act act, void *argument)
{
    worker->act = act;
    worker->argument = argument;
    pthread_barrier_wait(&worker->turn);
    if (act)
        pthread_barrier_wait(&worker->turn);
}

static inline void worker_end(struct worker *worker)
{
    worker_do(worker, NULL, NULL);
    pthread_join(worker->thread, NULL);
    pthread_barrier_destroy(&worker->turn);
}

/* Has `act` done on a thread of its own, from the thread's begin to its end. */
static inline void on_a_thread(thread_act act, void *argument)
{
    struct worker worker;
    worker_begin(&worker);
    worker_do(&worker, act, argument);
    worker_end(&worker);
}

#endif /* THREADS_H */
