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

/*
 * Looks, notes it in the image, and returns the scale for a report. It is ep_process_scale(), but
 * of a program's own source whose rate is measured, and that jumped meanwhile: then all of its time
 * tells no rate, and what 2 ms tell counts. A source that wraps, or is another on each thread,
 * cannot tell how long it is since the reset. Lock.
 */
struct ep_scale ep_process_clock_scale(void);

/* Whether the rate of all its time is more than twice, or less than half of that which it has
 * now. */
bool ep_process_clock_has_jumped(struct ep_scale whole, struct ep_scale now);

#endif /* EP_PROCESS_CLOCK_H */
