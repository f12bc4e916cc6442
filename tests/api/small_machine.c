/* small_machine.c PATHS - four threads record 1,000 calls each, and main so many call paths; for
 * check_small_machine.sh, which limits its memory. The libraries are linked in the way of users. */
#include <eprof.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* RLIMIT_DATA counts whole stacks, used or not */
enum { THREADS = 4, CALLS = 1000, STACK_BYTES = 256 << 10 };

static void *work(void *data)
{
    (void)data;
    for (int i = 0; i < CALLS; i++)
        EPROF_BLOCK("step")
        {
        }
    return NULL;
}

static void make_paths(long count)
{
    for (long i = 0; i < count; i++) {
        char name[32];
        snprintf(name, sizeof name, "path %ld", i);
        eprof_enter(name);
        eprof_leave();
    }
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0 ||
        pthread_attr_setstacksize(&attributes, STACK_BYTES) != 0)
        return 1;
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], &attributes, work, NULL) != 0)
            return 1;
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    EPROF_SCOPE("paths");
    make_paths(argc > 1 ? atol(argv[1]) : 0);
    return 0;
}
