/*
 * life.c - functions that run before main or after it, or in which the program ends
 *
 * The argument says how the program ends. As its last action the program writes the recorded data
 * as csv.
 */
#include "subjects.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <eprof.h>

SUBJECTS_BEGIN

#define UNSEEN __attribute__((no_instrument_function))

void life_work(void)
{
    STAY();
}

/* ---- before main ---- */

/* Runs before the constructors of all libraries; a shared library cannot have such a function. */
void life_before_libraries(int count, char **arguments, char **environment)
{
    (void)count, (void)arguments, (void)environment;
    life_work();
}

__attribute__((used,
               section(".preinit_array"))) void (*life_preinit)(int, char **,
                                                                char **) = life_before_libraries;

__attribute__((constructor(101))) void life_before_constructors(void)
{
    life_work();
}

__attribute__((constructor)) void life_before_main(void)
{
    life_work();
}

/* ---- after main ---- */

void life_at_exit(void)
{
    life_work();
}

__attribute__((destructor)) void life_after_main(void)
{
    life_work();
}

UNSEEN __attribute__((destructor(101))) void life_report(void)
{
    eprof_report(stdout, "csv");
}

#ifdef __cplusplus
void life_construct(void)
{
    life_work();
}

void life_destroy(void)
{
    life_work();
}

struct life_object {
    UNSEEN life_object()
    {
        life_construct();
    }
    UNSEEN ~life_object()
    {
        life_destroy();
    }
} life_of_the_program;
#endif

/* ---- the ways to end ---- */

NOINLINE void life_exits(void)
{
    life_work();
    exit(0);
}

void *life_thread_exits(void *unused)
{
    life_exits();
    return unused;
}

NOINLINE void life_thread_ends(void)
{
    pthread_exit(NULL);
}

/* Ends after the thread that it waits for, which is that of main. */
void *life_last_thread(void *first)
{
    pthread_join(*(pthread_t *)first, NULL);
    life_work();
    return NULL;
}

int main(int count, char **arguments)
{
    const char *way = count > 1 ? arguments[1] : "returns";
    static pthread_t first;
    pthread_t thread;
    atexit(life_at_exit);
    life_work();
    if (strcmp(way, "exits") == 0)
        life_exits();
    if (strcmp(way, "exits_in_thread") == 0) {
        pthread_create(&thread, NULL, life_thread_exits, NULL);
        pthread_join(thread, NULL);
    }
    if (strcmp(way, "outlives_main") == 0) {
        first = pthread_self();
        pthread_create(&thread, NULL, life_last_thread, &first);
        life_thread_ends();
    }
    return 0;
}

SUBJECTS_END
