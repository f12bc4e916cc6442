/*
 * bench_serial.h - whether work between two reads of the counter costs anything
 *
 * Nothing orders a plain read, so one would think that what a probe does beside
 * its two reads runs while they do, and is free. On some processors it is. On
 * others nothing that stands behind a read begins before all that stands in
 * front of it is done. These loops show which kind a processor is.
 */
#ifndef BENCH_SERIAL_H
#define BENCH_SERIAL_H

#include "bench_pairing.h"

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

#endif /* BENCH_SERIAL_H */
