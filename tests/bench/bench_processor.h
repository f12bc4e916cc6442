/*
 * bench_processor.h - loops that show what kind of processor this is
 */
#ifndef BENCH_PROCESSOR_H
#define BENCH_PROCESSOR_H

#include "bench_pairing.h"

/* ---- bench_floor.c: the least that a start and a stop can cost, step by step ---- */

/* Two calls out of line that read the counter. Each loop's do what the one's
 * before do, and more; the last ones are close to the library's. */

/* On a cell at a fixed address: */
void bench_floor_stamps(uint64_t pairs);    /* store what was read */
void bench_floor_totals(uint64_t pairs);    /* calls, total, min and max */
void bench_floor_checks(uint64_t pairs);    /* is the cell current, is the time possible */
void bench_floor_histogram(uint64_t pairs); /* a histogram of one level, the sum of squares */
/* On one that is looked up: */
void bench_floor_table(uint64_t pairs);   /* in the table that a thread-local pointer points to */
void bench_floor_depth(uint64_t pairs);   /* how many pairs are open */
void bench_floor_octaves(uint64_t pairs); /* a histogram of two levels */

/* ---- bench_reads.c: what other reads cost, on x86 ---- */

/* A read that waits for all before it, by a fence or as rdtscp does; and CPUID,
 * by which the processor tells of itself. A hypervisor answers in its place. */

#if defined(__x86_64__) || defined(__i386__)
#define BENCH_READS_EXIST 1
#else
#define BENCH_READS_EXIST 0
#endif

void bench_fenced_pairs(uint64_t pairs); /* lfence; rdtsc */
void bench_rdtscp_pairs(uint64_t pairs);
void bench_cpuid(uint64_t times);

/* ---- bench_serial.c: whether work between two reads of the counter costs anything ---- */

/* Nothing orders a plain read, so one would think that what a probe does beside
 * its two reads runs while they do, and is free. On some processors it is. On
 * others nothing that stands behind a read begins before all that stands in
 * front of it is done. These loops show which kind a processor is. */

/* Two reads, and this many of something between them. */
struct bench_serial {
    unsigned count;
    bench_loop *beside;       /* multiplications that wait for each other, but not for the reads */
    bench_loop *of_stamp;     /* the same, the first of them of what the first read gave */
    bench_loop *instructions; /* instructions that do nothing and wait for nothing */
};

/* The list ends with a count of 0. */
extern const struct bench_serial bench_serials[];

/* The ns that one of those multiplications takes in a chain without reads. */
double bench_multiplication_ns(void);

/* Eight multiplications that do not wait for each other, in place of a pair. */
void bench_multiplications(uint64_t pairs);

/*
 * Where a chain is waited for. Four reads in a row, with a chain of 32 between
 * the first two; the ns from each read to the next. The chain is in the first
 * of them if the second read waits for it, in the second if only the third does.
 */
enum { BENCH_GAPS = 3, BENCH_GAP_MULTIPLICATIONS = 32 };
void bench_gaps_ns(double ns[BENCH_GAPS]);

#endif /* BENCH_PROCESSOR_H */
