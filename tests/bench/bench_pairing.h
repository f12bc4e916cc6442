/*
 * bench_pairing.h - compares two loops on a machine that is not quiet
 *
 * Whole runs one after the other compare the machine's moods. Here slices of
 * about a millisecond alternate; what disturbs the machine for longer falls on
 * both, each slice is compared with its neighbour only, and the median of the
 * ratios does not know the disturbed ones.
 */
#ifndef BENCH_PAIRING_H
#define BENCH_PAIRING_H

#include <stdint.h>

enum { BENCH_SLICE_NS = 1000000, BENCH_ROUNDS_MIN = 45 };

/* Makes so many pairs in a row. */
typedef void bench_loop(uint64_t pairs);

/* Keeps one address, so that no loop is measured in a place of its own in each caller. */
#define BENCH_LOOP __attribute__((noinline, aligned(64)))

struct bench_loops {
    bench_loop *ours;
    bench_loop *raw;
    bench_loop *taken_off; /* its time is taken off ours; NULL: nothing is */
};

/* Medians, each of its own. */
struct bench_result {
    double ns;     /* a pair of ours, less what is taken off */
    double raw_ns; /* a raw pair */
    double ratio, lower_quartile, upper_quartile;
};

/* The ns that one pair of a slice takes. */
double bench_slice_ns(bench_loop *loop, uint64_t pairs);

/* How many pairs fill a slice. Warms the loop up. */
uint64_t bench_slice_pairs(bench_loop *loop);

/* Sorts the array. */
double bench_median(double *values, unsigned count);

/* Of `rounds` figures of each, and of their quotients. Sorts the arrays. */
struct bench_result bench_summarise(double *ours_ns, double *raw_ns, double *ratios,
                                    unsigned rounds);

/* `rounds` is 1 to BENCH_ROUNDS_MAX. */
enum { BENCH_ROUNDS_MAX = 10001 };
struct bench_result bench_compare(struct bench_loops loops, unsigned rounds);

#endif /* BENCH_PAIRING_H */
