/*
 * truth.h - what something takes, by a clock that is read by nobody else
 */
#ifndef TRUTH_H
#define TRUTH_H

#include <stddef.h>

/* CLOCK_MONOTONIC: Linux reads the counter when all that is before it is done. */
double truth_now_ns(void);

/* Of values that are sorted by it. */
double truth_median(double *values, size_t count);
double truth_least(double *values, size_t count);

#endif /* TRUTH_H */
