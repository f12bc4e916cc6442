/*
 * process_clock.h - whether the source in use tells the time that CLOCK_MONOTONIC tells
 *
 * Each pair is looked at by itself: one that went back, or is longer than the source has run, is
 * rejected. A source that jumps forward has run for as long as it says. So both are asked, when a
 * report is made, how long it is since the last reset. A source of the program's own may tell
 * whatever it likes; only where it is a day and more apart something is said.
 */
#ifndef EP_PROCESS_CLOCK_H
#define EP_PROCESS_CLOCK_H

#include "scale.h"

/* At a reset: from here on. Lock. */
void ep_process_clock_begin(uint64_t reset_ticks);

/* Looks, and notes it in the image; `scale` is ep_process_scale(). A source that wraps, or is
 * another on each thread, cannot tell how long it is since the reset. Lock. */
void ep_process_clock_look(struct ep_scale scale);

#endif /* EP_PROCESS_CLOCK_H */
