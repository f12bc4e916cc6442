#include "bench_work.h"

#include <eprof.h>

#include "bench_counter.h"
#include "bench_instance.h"
#include "bench_pairing.h"

enum { MULTIPLICATIONS = 20 };

/* 69069: Marsaglia's multiplier; any odd one would do. */
static inline unsigned work(unsigned value)
{
#pragma GCC unroll 20
    for (int i = 0; i < MULTIPLICATIONS; i++) {
        value *= 69069;
        __asm__ volatile("" : "+r"(value)); /* so that they stay as many */
    }
    return value;
}

BENCH_LOOP void bench_raw_work_pairs(uint64_t pairs)
{
    uint64_t total_ticks = 0;
    unsigned value = 1;
    for (uint64_t i = 0; i < pairs; i++) {
        uint64_t start_ticks = bench_counter_read();
        value = work(value);
        total_ticks += bench_counter_read() - start_ticks;
        bench_keep(total_ticks);
        value = work(value);
    }
}

BENCH_LOOP void bench_instance_work_pairs(uint64_t pairs)
{
    int id = bench_id;
    unsigned value = 1;
    for (uint64_t i = 0; i < pairs; i++) {
        eprof_start(id);
        value = work(value);
        eprof_stop(id);
        value = work(value);
    }
}

BENCH_LOOP void bench_scope_work_pairs(uint64_t pairs)
{
    unsigned value = 1;
    for (uint64_t i = 0; i < pairs; i++) {
        {
            EPROF_SCOPE("bench");
            value = work(value);
        }
        value = work(value);
    }
}
