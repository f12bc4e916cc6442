/*
 * threads.h - threads that call a given function when the test asks for it
 *
 * Only the thread that runs the tests may assert: a failed assertion jumps back into a frame of
 * that thread.
 */
#ifndef THREADS_H
#define THREADS_H

#include <pthread.h>
#include <stdlib.h>

typedef void (*thread_act)(void *argument);

struct worker {
    pthread_t thread;
    pthread_barrier_t turn; /* the test and the worker meet here before and after each act */
    thread_act act;         /* NULL: the thread must end */
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

/* Calls `act` on the worker's thread, and waits for it. */
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

/* Runs `act` on a new thread, from the begin of the thread to its end. */
static inline void on_a_thread(thread_act act, void *argument)
{
    struct worker worker;
    worker_begin(&worker);
    worker_do(&worker, act, argument);
    worker_end(&worker);
}

#endif /* THREADS_H */
