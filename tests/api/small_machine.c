/* small_machine.c PATHS - four threads record 1,000 calls each, and main so many call paths; for
 * check_small_machine.sh, which limits its memory. The libraries are linked in the way of users. */
#include <eprof.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 4, CALLS = 1000 };

static void *work(void *data)
{
    (void)data;
    for (int i = 0; i < CALLS; i++)
        EPROF_BLOCK("step") {
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
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, work, NULL) != 0)
            return 1;
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    EPROF_SCOPE("paths");
    make_paths(argc > 1 ? atol(argv[1]) : 0);
    return 0;
}
