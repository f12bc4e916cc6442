/*
 * truth.h - what something takes, by a clock that is read by nobody else
 */
#ifndef TRUTH_H
#define TRUTH_H

/* CLOCK_MONOTONIC: Linux reads the counter when all that is before it is done. */
double truth_now_ns(void);

#endif /* TRUTH_H */
