/*
 * bench_clocks.h - the system's clocks, raw and as the library's source
 */
#ifndef BENCH_CLOCKS_H
#define BENCH_CLOCKS_H

#include <stdint.h>

/* Two calls, and the difference in the clock's own unit added up. */
void bench_raw_clock_gettime_pairs(uint64_t pairs);
void bench_raw_gettimeofday_pairs(uint64_t pairs);

/* bench_instance_begin(), then the source of that name. */
int bench_clock_gettime_begin(void);
int bench_gettimeofday_begin(void);

#endif /* BENCH_CLOCKS_H */
