#include "bench_loops.h"

#include <eprof.h>

#include "bench_chain.h"
#include "bench_counter.h"
#include "bench_pairing.h"

BENCH_LOOP void bench_raw_work_pairs(uint64_t pairs)
{
    uint64_t total_ticks = 0;
    unsigned value = 1;
    for (uint64_t i = 0; i < pairs; i++) {
        uint64_t start_ticks = bench_counter_read();
        BENCH_CHAIN(value);
        total_ticks += bench_counter_read() - start_ticks;
        bench_keep(total_ticks);
        BENCH_CHAIN(value);
    }
}

BENCH_LOOP void bench_instance_work_pairs(uint64_t pairs)
{
    int id = bench_id;
    unsigned value = 1;
    for (uint64_t i = 0; i < pairs; i++) {
        eprof_start(id);
        BENCH_CHAIN(value);
        eprof_stop(id);
        BENCH_CHAIN(value);
    }
}

BENCH_LOOP void bench_scope_work_pairs(uint64_t pairs)
{
    unsigned value = 1;
    for (uint64_t i = 0; i < pairs; i++) {
        {
            EPROF_SCOPE("bench");
            BENCH_CHAIN(value);
        }
        BENCH_CHAIN(value);
    }
}
