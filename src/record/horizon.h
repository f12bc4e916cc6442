/*
 * record/horizon.h - which differences of ticks are possible, whether recording was on at a moment,
 * and the raise of the generation
 *
 * The horizon is the longest difference that is known to be possible: a pair that is longer than
 * the source has run is rejected.
 */
#ifndef EP_RECORD_HORIZON_H
#define EP_RECORD_HORIZON_H

#include "record/process.h"

/* Raises the generation, so that every thread visits its cells again, and returns it. */
uint64_t ep_horizon_raise(void);

/* Whether a difference is possible: the clock did not go back, and the difference is not longer
 * than the process has run. Reads the clock only for a difference longer than all before. Takes the
 * lock itself. */
bool ep_horizon_is_possible(uint64_t difference_ticks);
/* The same without the lock, for a signal handler that may have interrupted its holder: it always
 * reads the clock, and remembers nothing. If the source is changed meanwhile, the answer may be
 * wrong, and the reset that follows discards the pair. */
bool ep_horizon_is_possible_in_handler(uint64_t difference_ticks);

/* At a reset: a source that was set back to before its first moment has run for an unknown time.
 * Lock. */
void ep_horizon_look(uint64_t now_ticks);
/* The horizon of a source that is taken into use. */
uint64_t ep_horizon_first(const struct ep_source *source);

/* Whether recording was on at start_ticks; whether that is still known. Both take the lock. */
bool ep_horizon_was_on(uint64_t start_ticks);
bool ep_horizon_switches_reach(uint64_t start_ticks);

#endif /* EP_RECORD_HORIZON_H */
