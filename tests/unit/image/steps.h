/*
 * steps.h - threads that record calls of which each takes as many ticks as every other, so that
 * what does not belong together shows in a copy of their image
 */
#ifndef STEPS_H
#define STEPS_H

#include "support/test.h"

#include <eprof.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "image/image.h"

enum {
    STEPS_THREADS = 3,
    STEP_TICKS = 7,
    OUTER_TICKS = 5 * STEP_TICKS, /* its own, a scope's and an instance's readings of the clock */
    OUTER_SELF_TICKS = 4 * STEP_TICKS
};

int steps_use(void);

/* ---- recording ---- */

extern uint32_t steps_rounds; /* of all threads */

void steps_begin(pthread_t threads[STEPS_THREADS]);
void steps_end(pthread_t threads[STEPS_THREADS]);

/* ---- checking ---- */

/* All calls there are in a copy in which keeps are finished. */
uint64_t steps_check(const struct ep_image *copy);

#endif /* STEPS_H */
