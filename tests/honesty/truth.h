/*
 * truth.h - the true time of work, by a clock that no other code here reads
 */
#ifndef TRUTH_H
#define TRUTH_H

/* CLOCK_MONOTONIC: Linux reads the counter only after all instructions before it are done. */
double truth_now_ns(void);

#endif /* TRUTH_H */
