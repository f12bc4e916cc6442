#include "bench_loops.h"

#include <eprof.h>
#include <sys/time.h>

#include "bench_counter.h"
#include "bench_pairing.h"

BENCH_LOOP void bench_raw_clock_gettime_pairs(uint64_t pairs)
{
    uint64_t total_ns = 0;
    for (uint64_t i = 0; i < pairs; i++) {
        struct timespec start, stop;
        clock_gettime(CLOCK_MONOTONIC, &start);
        clock_gettime(CLOCK_MONOTONIC, &stop);
        total_ns += (uint64_t)(stop.tv_sec - start.tv_sec) * 1000000000 +
                    (uint64_t)(stop.tv_nsec - start.tv_nsec);
        bench_keep(total_ns);
    }
}

BENCH_LOOP void bench_raw_gettimeofday_pairs(uint64_t pairs)
{
    uint64_t total_us = 0;
    for (uint64_t i = 0; i < pairs; i++) {
        struct timeval start, stop;
        gettimeofday(&start, NULL);
        gettimeofday(&stop, NULL);
        total_us += (uint64_t)(stop.tv_sec - start.tv_sec) * 1000000 +
                    (uint64_t)(stop.tv_usec - start.tv_usec);
        bench_keep(total_us);
    }
}

int bench_clock_gettime_begin(void)
{
    return bench_instance_begin() == 0 ? eprof_source_use("clock_gettime") : -1;
}

int bench_gettimeofday_begin(void)
{
    return bench_instance_begin() == 0 ? eprof_source_use("gettimeofday") : -1;
}
