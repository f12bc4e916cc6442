/*
 * clock.h - the clocks for the recording of the soak, and the known part of their time
 *
 * Each thread moves its own value of one clock by hand: so each time is known exactly. For the
 * other clocks only a part of the time is known: the time spent in clock_advance(), measured by a
 * clock of the system. One tick is one ns.
 */
#ifndef SOAK_CLOCK_H
#define SOAK_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* Adds the clock that is moved by hand, and finds the other clocks of this machine. To be called
 * once. */
void clock_begin(void);

/* Makes one of the clocks the current one, chosen by `dice`; 0: the clock moved by hand. This
 * resets. */
void clock_change(uint64_t dice);

/* To be called after a storm, in which two threads may have changed the clock at once: finds the
 * one that was last. */
void clock_find(void);

bool clock_is_by_hand(void);
/* The difference is cut to whole microseconds, so that a part of the time is lost. */
bool clock_is_coarse(void);
/* Each thread has another value. */
bool clock_is_per_thread(void);

/* The time that this thread knows to have passed. */
uint64_t clock_now(void);
void clock_advance(uint64_t ticks);

#endif /* SOAK_CLOCK_H */
