/*
 * control.h - what concerns all that is recorded: reset, init, on and off, the source
 *
 * Each is a raise of the image's one generation number, after which every
 * thread finds its cells stale at its next visit (cell.h). All of these are
 * called with the process lock held, unless their comment says that they take it.
 */
#ifndef EP_CONTROL_H
#define EP_CONTROL_H

#include "process.h"

/* The bits of eprof_recording. */
enum { EP_RECORDING_STOPS = 1, EP_RECORDING_STARTS = 2, EP_RECORDING_ALL = 3 };

/* Makes every thread visit its cells again, and returns the new generation. */
uint64_t ep_control_raise(void);

/* Sets all figures to zero. */
void ep_control_reset(void);

/* The same for eprof_init(): what is open belongs to instances that were released. */
void ep_control_reset_init(void);

/* Takes `source` into use and resets. */
void ep_control_use_source(const struct ep_source *source);

/*
 * On and off. Off is first draining: starts are nothing at once, stops are
 * still called until no thread has an open pair; then both cost a load and a
 * branch.
 */
void ep_control_enable(bool on);
void ep_control_turn_off_for_good(void);
/* From draining to off, if nothing is open any more: after a stop has closed its
 * pair, when a thread has ended, in a forked child. */
void ep_control_drain(void);

/* Whether recording was on at start_ticks. Takes the lock itself. */
bool ep_control_was_on(uint64_t start_ticks);

/*
 * Whether a difference can be: it does not go back, and is not longer than the
 * process has run. Looks at the clock only where a difference is longer than
 * any before it, and remembers. Takes the lock itself.
 */
bool ep_control_is_possible(uint64_t difference_ticks);

#endif /* EP_CONTROL_H */
