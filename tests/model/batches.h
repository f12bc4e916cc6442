/*
 * batches.h - runs of a model, some in each child process
 *
 * A process keeps the call paths of all its runs, and each snapshot reads them. So the time of 250
 * runs in one process is quadratic; in children it is a tenth (2026-11-29). The runs and their
 * random numbers are the same.
 */
#ifndef BATCHES_H
#define BATCHES_H

#include "child.h"
#include "random.h"

#if ADDRESS_SANITIZER
#include <sanitizer/lsan_interface.h>
#endif

enum { BATCH_RUNS = 25 };

struct batch {
    uint64_t random_state; /* at its begin, and then at its end */
    int first, end;
    void (*begin)(void); /* NULL: none */
    void (*run)(int number);
};

static inline void batch_do(void *shared)
{
    struct batch *batch = shared;
    random_state = batch->random_state;
    if (batch->begin)
        batch->begin();
    for (int number = batch->first; number < batch->end; number++)
        batch->run(number);
    batch->random_state = random_state;
#if ADDRESS_SANITIZER
    __lsan_do_leak_check(); /* _exit() makes none */
#endif
}

/* Calls `begin` (NULL: nothing) first in each child, and `run` for each number below `runs`. If a
 * run fails, its child ends with the status of a failed test: the file has no other test. */
static inline void batches_do(int runs, void (*begin)(void), void (*run)(int number))
{
    struct batch batch = {.random_state = random_state, .begin = begin, .run = run};
    for (; batch.first < runs; batch.first = batch.end) {
        batch.end = batch.first + BATCH_RUNS < runs ? batch.first + BATCH_RUNS : runs;
        child_do(fork, batch_do, &batch, sizeof batch);
    }
    random_state = batch.random_state;
}

#endif /* BATCHES_H */
