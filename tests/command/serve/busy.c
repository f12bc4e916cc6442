/*
 * busy.c - a service for the tests of `eprof serve`
 *
 *     busy PER_SECOND [REGIONS [INSTANCES]]
 *
 * First it enters so many scopes of different names. With each request it frees so many instances,
 * and allocates others in their place.
 *
 * It handles so many requests a second until a signal ends it: the scope `request`, in which
 * `parse` takes about 100 us and `answer` about 300 us of a processor, and the instance
 * `connection`. The requests begin at fixed times, so a request that is late does not delay those
 * after it.
 */
#include <eprof.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void compute(uint64_t ns)
{
    uint64_t end_ns = now_ns() + ns;
    while (now_ns() < end_ns) {
    }
}

static void answer(void)
{
    EPROF_SCOPE("answer");
    compute(300000);
}

static void handle(int connection)
{
    EPROF_SCOPE("request");
    eprof_start(connection);
    EPROF_BLOCK("parse")
    compute(100000);
    answer();
    eprof_stop(connection);
}

/* Those of the last call are freed. */
static void change_instances(int *ids, long count)
{
    for (long i = 0; i < count; i++) {
        if (ids[i] >= 0)
            eprof_release(ids[i]);
        ids[i] = eprof_alloc("changing");
        eprof_start(ids[i]);
        eprof_stop(ids[i]);
    }
}

int main(int argc, char **argv)
{
    uint64_t step_ns = argc > 1 ? 1000000000 / strtoull(argv[1], NULL, 10) : 10000000;
    for (unsigned long i = argc > 2 ? strtoul(argv[2], NULL, 10) : 0; i > 0; i--) {
        char label[32];
        snprintf(label, sizeof label, "region %lu", i);
        eprof_enter(label);
        eprof_leave();
    }
    uint64_t due_ns = now_ns();
    int connection = eprof_alloc("connection");
    static int ids[20000];
    long count = argc > 3 ? strtol(argv[3], NULL, 10) : 0;
    memset(ids, -1, sizeof ids);
    for (;; due_ns += step_ns) {
        struct timespec due = {.tv_sec = (time_t)(due_ns / 1000000000),
                               .tv_nsec = (long)(due_ns % 1000000000)};
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL);
        handle(connection);
        change_instances(ids, count);
    }
}
