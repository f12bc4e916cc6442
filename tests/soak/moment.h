/*
 * moment.h - what the order of events is, so that the ledger knows what a reset forgets
 *
 * What a thread records, and writes into its book, it does in a moment that it shares with
 * others; who resets, or changes the source, has a moment alone. In a storm nobody waits for
 * anybody: then it is not known what a reset found, only what it can have left.
 */
#ifndef SOAK_MOMENT_H
#define SOAK_MOMENT_H

#include <stdbool.h>

void moment_begin(void);
void moment_end(void);
void moment_begin_alone(void);
void moment_end_alone(void);

/* Whether there is a storm from now on. While no thread is in a moment. */
void moment_storm(bool is_storm);
bool moment_is_storm(void);

/* This thread waits for nobody any more, as who has begun it is in a moment, or it is the only
 * one: of a forked child. */
void moment_leave_out(void);

#endif /* SOAK_MOMENT_H */
