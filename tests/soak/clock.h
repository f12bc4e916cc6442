/*
 * clock.h - the clocks that the soak records by, and what it knows of their time itself
 *
 * One is moved by hand, by each thread for itself: so every time is known to the tick. Of the
 * others a part of the time is known: that which is spent in clock_advance(), by a clock of the
 * system. A tick is a ns.
 */
#ifndef SOAK_CLOCK_H
#define SOAK_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* Adds the clock that is moved by hand, and finds those that this machine has. Once. */
void clock_begin(void);

/* Takes one into use by `dice`; 0: that which is moved by hand. This resets. */
void clock_change(uint64_t dice);

/* Behind a storm, in which two threads may have changed it at once: which of them was the last. */
void clock_find(void);

bool clock_is_by_hand(void);
/* Its difference is cut to whole microseconds, so that a part of the time is lost. */
bool clock_is_coarse(void);
/* Its value is another on each thread. */
bool clock_is_per_thread(void);

/* What this thread knows to have passed. */
uint64_t clock_now(void);
void clock_advance(uint64_t ticks);

#endif /* SOAK_CLOCK_H */
