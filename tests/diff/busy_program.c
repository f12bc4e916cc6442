/*
 * busy_program.c - REGION PERCENT: the program of regions.h on the machine's own clock, of which
 * one region does so much more
 *
 * Its work is multiplications that wait for each other: no memory, no system call.
 */
#include <stdio.h>
#include <stdlib.h>

#include "../bench/bench_chain.h"
#include "regions.h"

/* A chain takes some 20 ns, so that a part is a microsecond or so, and the whole some 8 ms. */
enum { CHAINS_A_PART = 50 };

static int changed;
static unsigned percent;

static void spend(int region)
{
    unsigned value = 1, chains = regions[region].own * CHAINS_A_PART;
    if (region == changed)
        chains += chains * percent / 100;
    while (chains-- > 0)
        BENCH_CHAIN(value);
}

int main(int count, char **words)
{
    if (count != 3 || (changed = region_named(words[1])) == REGIONS) {
        fprintf(stderr, "usage: %s REGION PERCENT\n", words[0]);
        return 2;
    }
    percent = (unsigned)atoi(words[2]);
    region_call(0, spend);
    return 0;
}
