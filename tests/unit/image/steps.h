/*
 * steps.h - threads that record calls of equal length, so that a test finds figures in a copy of
 * their image that do not belong together
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
    OUTER_TICKS = 5 * STEP_TICKS, /* the readings of itself, a scope and an instance */
    OUTER_SELF_TICKS = 4 * STEP_TICKS
};

int steps_use(void);

/* ---- recording ---- */

extern uint32_t steps_rounds; /* of all threads */

void steps_begin(pthread_t threads[STEPS_THREADS]);
void steps_end(pthread_t threads[STEPS_THREADS]);

/* ---- checking ---- */

/* Returns the number of all calls in a copy. The keeps in it must be finished. */
uint64_t steps_check(const struct ep_image *copy);

#endif /* STEPS_H */
