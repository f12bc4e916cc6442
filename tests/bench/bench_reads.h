/*
 * bench_reads.h - what other reads cost, on x86
 *
 * A read that waits for all before it, by a fence or as rdtscp does; and CPUID,
 * by which the processor tells of itself. A hypervisor answers in its place.
 */
#ifndef BENCH_READS_H
#define BENCH_READS_H

#include <stdint.h>

#if defined(__x86_64__) || defined(__i386__)
#define BENCH_READS_EXIST 1
#else
#define BENCH_READS_EXIST 0
#endif

void bench_fenced_pairs(uint64_t pairs); /* lfence; rdtsc */
void bench_rdtscp_pairs(uint64_t pairs);
void bench_cpuid(uint64_t times);

#endif /* BENCH_READS_H */
