/*
 * record/control.h - operations on everything that is recorded: reset, init, on and off, change
 * of the source
 *
 * Each of them raises the image's one generation (horizon.h), after which every thread finds its
 * cells stale at its next visit. All functions except the last are called with the process lock.
 */
#ifndef EP_RECORD_CONTROL_H
#define EP_RECORD_CONTROL_H

#include "record/process.h"

struct ep_thread;

/* Clears all figures. */
void ep_control_reset(void);

/* The same for eprof_init(): open pairs belong to instances that were released. */
void ep_control_reset_init(void);

/* Takes `source` into use and resets. */
void ep_control_use_source(const struct ep_source *source);

/* On and off. Off begins with quiescing: starts are ignored at once, and stops are still called
 * until no thread has an open pair. Then both cost a load and a branch. */
void ep_control_enable(bool on);
void ep_control_turn_off_for_good(void);
/* Ends quiescing if no pair is open any more: after a stop has closed its pair, when a thread has
 * ended, in a forked child. */
void ep_control_quiesce(void);
/* The same after a start or an enter that may have been undone because recording was switched off
 * meanwhile: the switch, or the last stop of another thread, saw it open. Takes the lock itself. */
void ep_control_quiesce_given_up(struct ep_thread *thread);

#endif /* EP_RECORD_CONTROL_H */
