/*
 * hand_clock.h - a time source that does not advance until a test moves it
 *
 * One tick is one nanosecond, so that a report shows exactly the numbers by which the test moved
 * it.
 */
#ifndef HAND_CLOCK_H
#define HAND_CLOCK_H

#include <eprof.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Atomic, since it may be moved while other threads record. */
static _Atomic uint64_t hand_ticks;

static inline uint64_t hand_clock_now(void *context)
{
    (void)context;
    return hand_ticks;
}

/* Makes the clock of this name the current one, which resets; adds it if it is new. rate: ticks per
 * second; 0 if the rate is measured. */
static inline void clock_take(const char *name, uint64_t (*now)(void *context), uint64_t rate)
{
    const struct eprof_source source = {
        .size = sizeof source, .name = name, .now = now, .ticks_per_second = rate};
    bool is_added = eprof_source_add(&source) == 0 || errno == EEXIST;
    if (!is_added || eprof_source_use(name) != 0) {
        perror(name);
        abort();
    }
}

static inline void hand_clock_use(void)
{
    clock_take("hand", hand_clock_now, 1000000000);
}

/* The set-up of a test: there is no instance, nothing is recorded, and recording is on. */
static inline int hand_clock_begin(void **state)
{
    (void)state;
    eprof_enable(true);
    hand_clock_use();
    eprof_init();
    return 0;
}

#endif /* HAND_CLOCK_H */
