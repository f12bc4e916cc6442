/*
 * random.h - random numbers for tests, from a seed that each run prints
 *
 * EPROF_TEST_SEED=n repeats the run that printed n.
 */
#ifndef RANDOM_H
#define RANDOM_H

#include <stdint.h>

/* The state of the generator. */
extern uint64_t random_state;

/* It must be called once, before all tests, unless main() comes from group.c. */
void random_begin(void);

/* The next number of the sequence with this state; each thread may have its own state. SplitMix64:
 * Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014. */
uint64_t random_of(uint64_t *state);

uint64_t random_next(void);

/* A number of any magnitude: each number of bits is equally likely. */
uint64_t random_magnitude(void);

#endif /* RANDOM_H */
