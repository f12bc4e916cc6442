#include "random.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>

uint64_t random_state;

void random_begin(void)
{
    const char *seed = getenv("EPROF_TEST_SEED");
    if (seed)
        random_state = strtoull(seed, NULL, 10);
    else if (getrandom(&random_state, sizeof random_state, 0) != (ssize_t)sizeof random_state)
        abort();
    printf("EPROF_TEST_SEED=%llu\n", (unsigned long long)random_state);
}

uint64_t random_of(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

uint64_t random_next(void)
{
    return random_of(&random_state);
}

uint64_t random_magnitude(void)
{
    uint64_t shift = random_next() % 64;
    return random_next() >> shift;
}
