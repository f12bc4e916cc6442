/*
 * random.h - random numbers for tests, from a seed that is printed
 *
 * EPROF_TEST_SEED=n repeats the run that printed n.
 */
#ifndef RANDOM_H
#define RANDOM_H

#include <stdint.h>

/* What random_next() goes on from. */
extern uint64_t random_state;

/* Call once, before all tests, unless the program's main() is that of group.c. */
void random_begin(void);

/* The next of the sequence whose state that is, as each thread may have one of its own.
 * SplitMix64: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014. */
uint64_t random_of(uint64_t *state);

uint64_t random_next(void);

/* Of any magnitude: each number of bits is as likely as another. */
uint64_t random_magnitude(void);

#endif /* RANDOM_H */
