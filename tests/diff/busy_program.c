/*
 * busy_program.c - REGION PERCENT: runs the program of regions.h on the real clock; one region does
 * PERCENT more work
 *
 * The work consists of multiplications that wait for each other, without memory accesses or system
 * calls.
 */
#include <stdio.h>
#include <stdlib.h>

#include "../bench/bench_chain.h"
#include "regions.h"

/* A chain takes about 20 ns, so that a part takes about a microsecond, and the whole program about
 * 8 ms. */
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
