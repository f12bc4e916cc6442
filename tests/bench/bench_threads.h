/*
 * bench_threads.h - the comparison of bench_pairing.h, on two processors at once
 */
#ifndef BENCH_THREADS_H
#define BENCH_THREADS_H

#include "bench_pairing.h"

/*
 * Two threads, each bound to a processor of its own, begin every slice
 * together: both of ours, then both raw, and so on. A round's figures are the
 * means of the two threads. 0; -1 with ENOTSUP where there are no two
 * processors to be had, or the errno of pthread_create(): then the process is
 * to end, for one thread may wait for the other for ever.
 */
int bench_compare_on_two(struct bench_loops loops, unsigned rounds, struct bench_result *result);

#endif /* BENCH_THREADS_H */
