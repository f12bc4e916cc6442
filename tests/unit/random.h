/*
 * random.h - random numbers for tests, from a seed that is printed
 *
 * EPROF_TEST_SEED=n repeats the run that printed n.
 */
#ifndef RANDOM_H
#define RANDOM_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>

static uint64_t random_state;

/* Call once, before all tests. */
static inline void random_begin(void)
{
    const char *seed = getenv("EPROF_TEST_SEED");
    if (seed)
        random_state = strtoull(seed, NULL, 10);
    else if (getrandom(&random_state, sizeof random_state, 0) != (ssize_t)sizeof random_state)
        abort();
    printf("EPROF_TEST_SEED=%llu\n", (unsigned long long)random_state);
}

/* The next of the sequence whose state that is, as each thread may have one of its own.
 * SplitMix64: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014. */
static inline uint64_t random_of(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static inline uint64_t random_next(void)
{
    return random_of(&random_state);
}

/* Of any magnitude: each number of bits is as likely as another. */
static inline uint64_t random_magnitude(void)
{
    uint64_t shift = random_next() % 64;
    return random_next() >> shift;
}

#endif /* RANDOM_H */
