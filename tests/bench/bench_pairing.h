/*
 * bench_pairing.h - compares two loops on a machine with other load
 *
 * If two whole runs follow each other, the comparison mainly shows how the load of the machine
 * changed. Here slices of about 100 us alternate, and each slice is compared only with the one next
 * to it. A disturbance that is longer than two slices affects both loops, but not equally: another
 * hardware thread of the same core takes execution units, which a loop of many instructions needs
 * and a loop of counter reads does not. On an AMD EPYC (family 25) with something on the other
 * thread, a scope takes 1.5 to 1.7 raw pairs, and 1.25 to 1.27 without (2026-11-28). So each round
 * also measures how fast independent additions are, and the result is the median of the tenth of
 * the rounds in which they are fastest. Two results can be compared if their core_use is the same.
 */
#ifndef BENCH_PAIRING_H
#define BENCH_PAIRING_H

#include <stdint.h>

/* One round in BENCH_CANDIDATES is used. */
enum { BENCH_SLICE_NS = 100000, BENCH_ROUNDS_MIN = 45, BENCH_CANDIDATES = 10 };

/* Makes `pairs` pairs, one after another. */
typedef void bench_loop(uint64_t pairs);

/* The loop stays one function at one aligned address, so that it is not inlined and measured at
 * another place in each caller. */
#define BENCH_LOOP __attribute__((noinline, aligned(64)))

struct bench_loops {
    bench_loop *ours;
    bench_loop *raw;
    bench_loop *taken_off; /* its time is subtracted from ours; NULL: no time is */
};

/* Each figure is a median of its own. */
struct bench_result {
    double ns;     /* a pair of ours, minus the subtracted time */
    double raw_ns; /* a raw pair */
    double ratio, lower_quartile, upper_quartile;
    double core_use; /* the time of independent additions to that of dependent multiplications */
};

/* The time of one pair in a slice, in ns. */
double bench_slice_ns(bench_loop *loop, uint64_t pairs);

/* The number of pairs that fill a slice. The call also warms the loop up. */
uint64_t bench_slice_pairs(bench_loop *loop);

/* Sorts the array. */
double bench_median(double *values, unsigned count);

/* Computes the medians of `rounds` figures of each, and of their quotients. Sorts the arrays. */
struct bench_result bench_summarise(double *ours_ns, double *raw_ns, double *ratios,
                                    unsigned rounds);

/* `rounds` is 1 to BENCH_ROUNDS_MAX; BENCH_CANDIDATES times as many are measured. */
enum { BENCH_ROUNDS_MAX = 10001 };
struct bench_result bench_compare(struct bench_loops loops, unsigned rounds);

#endif /* BENCH_PAIRING_H */
