/*
 * bench_disabled.h - the loop of bench_instance_pairs() without its calls
 *
 * What a call costs that does nothing is what is left of the loop's time when
 * the loop itself is taken off.
 */
#ifndef BENCH_DISABLED_H
#define BENCH_DISABLED_H

#include <stdint.h>

/* In place of the two calls two barriers for the compiler, which are no instruction. */
void bench_empty_pairs(uint64_t pairs);
/* In place of the two calls two of a function that returns at once. */
void bench_empty_call_pairs(uint64_t pairs);
/* The same, through pointers as in bench_pointer_pairs(). */
void bench_empty_pointer_pairs(uint64_t pairs);

/* bench_instance_begin(), then off. */
int bench_disabled_begin(void);
void bench_disabled_end(void);

#endif /* BENCH_DISABLED_H */
