/*
 * record_image.c - the program that recorded image-1.eprof
 *
 *     record_image FILE
 *
 * The file is never changed: it shows that old files can still be read. The clock is moved by hand,
 * so that the figures are those in this source. In this directory:
 *
 *     cc -I../../include -o record_image record_image.c libeprof.a -pthread
 *     ./record_image image-1.eprof
 *     eprof report image-1.eprof --format table -o image-1.txt    # tree csv json the same
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

#include "hand_clock.h"

static sem_t has_worked, may_end;

static void pass(uint64_t ticks)
{
    hand_ticks += ticks;
}

static void recurse(int depth)
{
    EPROF_FUNC;
    pass(10);
    if (depth > 0)
        recurse(depth - 1);
    pass(1);
}

static void read_file(void)
{
    EPROF_FUNC;
    pass(300);
    recurse(3);
}

/* One has its percentiles 1,000 ns apart, the other a call far longer than 2^32 ticks. */
static void use_instances(void)
{
    int parse = eprof_alloc("parse");
    int hostile = eprof_alloc("\033[31m\"two\"\nlines;\\ \xFF\xC3( gr\xC3\xBC\xC3\x9F");
    for (uint64_t i = 1; i <= 100; i++) {
        eprof_start(parse);
        pass(100 * i);
        eprof_stop(parse);
    }
    eprof_start(hostile);
    pass(UINT64_C(10) << 32);
    eprof_stop(hostile);
    eprof_start(hostile);    /* this pair stays open */
    eprof_stop(parse);       /* a stop without a start */
    eprof_free("not there"); /* diagnostics that belong to no thread */
}

static void hold(void)
{
    eprof_hold();
    EPROF_BLOCK("kept")
    read_file();
    eprof_keep(true);
    eprof_hold();
    EPROF_BLOCK("dropped")
    read_file();
    eprof_keep(false);
    for (uint64_t i = 1; i <= 3; i++) {
        EPROF_SLOW("slow", 150);
        pass(100 * i);
    }
}

static void work(void)
{
    EPROF_FUNC;
    read_file();
    recurse(1);
}

static void *work_under_name(void *name)
{
    if (name)
        eprof_thread_enter(name);
    for (int i = 0; i < 5; i++)
        work();
    sem_post(&has_worked);
    sem_wait(&may_end);
    return NULL;
}

/* The threads run one after another, since they share a clock; all exist until the end. */
static void begin_threads(pthread_t threads[2])
{
    static char name[] = "reader;\"1\"";
    sem_init(&has_worked, 0, 0);
    sem_init(&may_end, 0, 0);
    for (int i = 0; i < 2; i++) {
        if (pthread_create(&threads[i], NULL, work_under_name, i == 0 ? name : NULL) != 0)
            abort();
        sem_wait(&has_worked);
    }
}

int main(int count, char **words)
{
    if (count != 2) {
        fprintf(stderr, "usage: %s FILE\n", words[0]);
        return 2;
    }
    pthread_t threads[2];
    hand_clock_use();
    use_instances();
    begin_threads(threads);
    EPROF_SCOPE("open");
    pass(1000);
    work();
    hold();
    pass(5);
    int result = eprof_save(words[1]);
    if (result != 0)
        perror(words[1]);
    for (int i = 0; i < 2; i++)
        sem_post(&may_end);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return result != 0;
}
