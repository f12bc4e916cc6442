/*
 * bench_threads.h - the comparison of bench_pairing.h, on two processors at once
 */
#ifndef BENCH_THREADS_H
#define BENCH_THREADS_H

#include "bench_pairing.h"

/*
 * Two threads, each bound to its own processor, begin each slice together: both run ours, then both
 * run raw, and so on. The figures of a round are the means of the two threads. Returns 0; or -1
 * with ENOTSUP if there are no two processors, or with the errno of pthread_create(). In the last
 * case the process must end, since one thread may wait for the other for ever.
 */
int bench_compare_on_two(struct bench_loops loops, unsigned rounds, struct bench_result *result);

#endif /* BENCH_THREADS_H */
