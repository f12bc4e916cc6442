#include "bench_chain.h"
#include "bench_loops.h"

void bench_hooked(void)
{
    __asm__ volatile("");
}

unsigned bench_hooked_work(unsigned value)
{
    BENCH_CHAIN(value);
    return value;
}
