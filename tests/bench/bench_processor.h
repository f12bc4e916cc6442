/*
 * bench_processor.h - loops that show the kind of a processor
 */
#ifndef BENCH_PROCESSOR_H
#define BENCH_PROCESSOR_H

#include "bench_pairing.h"

/* ---- bench_floor.c: the minimum cost of a start and a stop, step by step ---- */

/* Each pair makes two calls of functions that are not inlined and read the counter. Each loop does
 * the same as the one before it, and more; the last ones are close to the library. */

/* With a cell at a fixed address: */
void bench_floor_stamps(uint64_t pairs);    /* store the values that were read */
void bench_floor_totals(uint64_t pairs);    /* calls, total, min and max */
void bench_floor_checks(uint64_t pairs);    /* is the cell current, is the time possible */
void bench_floor_histogram(uint64_t pairs); /* a histogram of one level, the sum of squares */
/* With a cell that is looked up: */
void bench_floor_table(uint64_t pairs);   /* in the table to which a thread-local pointer points */
void bench_floor_depth(uint64_t pairs);   /* the number of open pairs */
void bench_floor_octaves(uint64_t pairs); /* a histogram of two levels */

/* ---- bench_reads.c: the cost of other reads, on x86 ---- */

/* A read that waits for all instructions before it, by a fence or by rdtscp; and CPUID, which
 * reports the properties of the processor. Under a hypervisor, the hypervisor answers CPUID. */

#if defined(__x86_64__) || defined(__i386__)
#define BENCH_READS_EXIST 1
#else
#define BENCH_READS_EXIST 0
#endif

void bench_fenced_pairs(uint64_t pairs); /* lfence; rdtsc */
void bench_rdtscp_pairs(uint64_t pairs);
void bench_cpuid(uint64_t times);

/* ---- bench_serial.c: whether work between two reads of the counter costs anything ---- */

/* No instruction orders a plain read, so the work of a probe next to its two reads could run in
 * parallel with them, and be free. On some processors it is. On others, no instruction after a read
 * begins before all instructions before the read are done. These loops show the kind of a
 * processor. */

/* Two reads, and between them this number of instructions of one kind. */
struct bench_serial {
    unsigned count;
    bench_loop *beside;       /* multiplications that depend on each other, but not on the reads */
    bench_loop *of_stamp;     /* the same, but the first of them depends on the first read */
    bench_loop *instructions; /* instructions that do nothing and depend on nothing */
};

/* The list ends with a count of 0. */
extern const struct bench_serial bench_serials[];

/* The time of one of those multiplications in a chain without reads, in ns. */
double bench_multiplication_ns(void);

/* Eight multiplications that do not depend on each other, in place of a pair. */
void bench_multiplications(uint64_t pairs);

/*
 * They show which read waits for a chain. There are four reads in a row, with a chain of 32 between
 * the first two; `ns` are the times from each read to the next. The time of the chain is in the
 * first of them if the second read waits for it, and in the second one if only the third read does.
 */
enum { BENCH_GAPS = 3, BENCH_GAP_MULTIPLICATIONS = 32 };
void bench_gaps_ns(double ns[BENCH_GAPS]);

#endif /* BENCH_PROCESSOR_H */
