/*
 * hand_clock.h - a time source that stands still until a test moves it
 *
 * A tick is a nanosecond, so that a report shows the very numbers that the test
 * moved it by.
 */
#ifndef HAND_CLOCK_H
#define HAND_CLOCK_H

#include <eprof.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Atomic: it may be moved while other threads record. */
static _Atomic uint64_t hand_ticks;

static inline uint64_t hand_clock_now(void *context)
{
    (void)context;
    return hand_ticks;
}

/* Takes it into use, which resets. */
static inline void hand_clock_use(void)
{
    const struct eprof_source hand = {
        .size = sizeof hand,
        .name = "hand",
        .now = hand_clock_now,
        .ticks_per_second = 1000000000,
    };
    bool is_added = eprof_source_add(&hand) == 0 || errno == EEXIST;
    if (!is_added || eprof_source_use("hand") != 0) {
        perror("the clock that is moved by hand");
        abort();
    }
}

/* The set-up of a test: no instance, nothing recorded, recording on. */
static inline int hand_clock_begin(void **state)
{
    (void)state;
    eprof_enable(true);
    hand_clock_use();
    eprof_init();
    return 0;
}

#endif /* HAND_CLOCK_H */
