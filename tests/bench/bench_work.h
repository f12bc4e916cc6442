/*
 * bench_work.h - a pair around a region that works, in a caller that works
 *
 * In a loop of empty regions a probe stands alone between two clock reads, and
 * all that it waits for is seen. In a program it runs beside the program's own
 * instructions. The work here is one long chain of multiplications, 20 in the
 * region and 20 behind it, some 20 ns each: they wait for each other and leave
 * room for whatever else there is.
 */
#ifndef BENCH_WORK_H
#define BENCH_WORK_H

#include <stdint.h>

void bench_raw_work_pairs(uint64_t pairs);      /* between two raw reads */
void bench_instance_work_pairs(uint64_t pairs); /* between eprof_start and eprof_stop */
void bench_scope_work_pairs(uint64_t pairs);    /* in an EPROF_SCOPE */

#endif /* BENCH_WORK_H */
