/*
 * moment.h - orders the events, so that the ledger knows which calls a reset removes
 *
 * A thread records a call, and writes it into its book, in a moment that it shares with other
 * threads. A thread that resets, or changes the source, takes a moment alone. In a storm no thread
 * waits for another: then it is not known which calls a reset removed, only which calls can remain.
 */
#ifndef SOAK_MOMENT_H
#define SOAK_MOMENT_H

#include <stdbool.h>

void moment_begin(void);
void moment_end(void);
void moment_begin_alone(void);
void moment_end_alone(void);

/* Begins or ends a storm. To be called while no thread is in a moment. */
void moment_storm(bool is_storm);
bool moment_is_storm(void);

/* This thread waits for no other thread any more: the thread that began it is in a moment, or it is
 * the only thread of a forked child. */
void moment_leave_out(void);

#endif /* SOAK_MOMENT_H */
