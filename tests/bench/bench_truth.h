/*
 * bench_truth.h - what the first call costs, and how far the library's own
 * figures can be trusted
 */
#ifndef BENCH_TRUTH_H
#define BENCH_TRUTH_H

#include <stdbool.h>

/* The process's first call of the library is in here: to be called before any other. */
void bench_truth_begin(void);

/* One figure each; false and errno: it could not be had. */

/* eprof_now(), the process's first call, in us. */
bool bench_first_stamp(double *us);
/* By how many ppm eprof_ns() is off CLOCK_MONOTONIC over the process's first
 * second: by the rate that was known at the start, and by the one after it. */
bool bench_told_rate(double *ppm);
bool bench_measured_rate(double *ppm);
/* What a million empty regions read in a snapshot, in ns each. */
bool bench_empty_region(double *ns);

#endif /* BENCH_TRUTH_H */
