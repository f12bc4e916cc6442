/*
 * bench_floor.h - the least that a start and a stop can cost, step by step
 *
 * Two calls out of line that read the counter. Each loop's do what the one's
 * before do, and more; the last ones are close to the library's.
 */
#ifndef BENCH_FLOOR_H
#define BENCH_FLOOR_H

#include <stdint.h>

/* On a cell at a fixed address: */
void bench_floor_stamps(uint64_t pairs);    /* store what was read */
void bench_floor_totals(uint64_t pairs);    /* calls, total, min and max */
void bench_floor_checks(uint64_t pairs);    /* is the cell current, is the time possible */
void bench_floor_histogram(uint64_t pairs); /* a histogram of one level, the sum of squares */
/* On one that is looked up: */
void bench_floor_table(uint64_t pairs);   /* in the table that a thread-local pointer points to */
void bench_floor_depth(uint64_t pairs);   /* how many pairs are open */
void bench_floor_octaves(uint64_t pairs); /* a histogram of two levels */

#endif /* BENCH_FLOOR_H */
