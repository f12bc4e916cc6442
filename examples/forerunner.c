/*
 * forerunner.c - two functions on two threads, an instance each
 *
 * The demonstration that came with eProf, the embedded profiler from which
 * libeprof has its name, its six calls and its table.
 */
#include <eprof.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int func1_id, func2_id;

static void work(unsigned long steps)
{
    volatile unsigned long step;

    for (step = 0; step < steps; ++step)
        ;
}

static void *func1(void *unused)
{
    eprof_start(func1_id);
    work(10000000);
    eprof_stop(func1_id);
    return unused;
}

static void *func2(void *unused)
{
    for (int i = 0; i < 10; ++i) {
        eprof_start(func2_id);
        work(500000);
        eprof_stop(func2_id);
    }
    return unused;
}

int main(void)
{
    pthread_t thread1, thread2;

    eprof_init();
    func1_id = eprof_alloc("func1");
    func2_id = eprof_alloc("func2");

    if (pthread_create(&thread1, NULL, func1, NULL) != 0 ||
        pthread_create(&thread2, NULL, func2, NULL) != 0) {
        fputs("forerunner: no thread\n", stderr);
        return EXIT_FAILURE;
    }
    pthread_join(thread1, NULL);
    pthread_join(thread2, NULL);

    eprof_print();
    eprof_free("func1");
    eprof_free("func2");
    return EXIT_SUCCESS;
}
