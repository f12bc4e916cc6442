#include "bench_loops.h"

#include <eprof.h>

#include "bench_counter.h"
#include "bench_pairing.h"

enum { ROTATION_MAX = 10000 };

int bench_id;

static int rotation[ROTATION_MAX];
static unsigned rotation_count, rotation_next;

/* Volatile: the compiler must not know the functions to which they point. */
static void (*volatile start_pointer)(int) = eprof_start;
static void (*volatile stop_pointer)(int) = eprof_stop;

BENCH_LOOP void bench_raw_pairs(uint64_t pairs)
{
    uint64_t total_ticks = 0;
    for (uint64_t i = 0; i < pairs; i++) {
        uint64_t start_ticks = bench_counter_read();
        total_ticks += bench_counter_read() - start_ticks;
        bench_keep(total_ticks);
    }
}

BENCH_LOOP void bench_instance_pairs(uint64_t pairs)
{
    int id = bench_id;
    for (uint64_t i = 0; i < pairs; i++) {
        eprof_start(id);
        eprof_stop(id);
    }
}

BENCH_LOOP void bench_pointer_pairs(uint64_t pairs)
{
    int id = bench_id;
    for (uint64_t i = 0; i < pairs; i++) {
        start_pointer(id);
        stop_pointer(id);
    }
}

BENCH_LOOP void bench_span_pairs(uint64_t pairs)
{
    int id = bench_id;
    for (uint64_t i = 0; i < pairs; i++) {
        uint64_t start_ticks = eprof_now();
        eprof_record(id, start_ticks, eprof_now());
    }
}

BENCH_LOOP void bench_recursive_pairs(uint64_t pairs)
{
    int id = bench_id;
    for (uint64_t i = 0; i < pairs; i += 2) {
        eprof_start(id);
        eprof_start(id);
        eprof_stop(id);
        eprof_stop(id);
    }
}

BENCH_LOOP void bench_rotating_pairs(uint64_t pairs)
{
    unsigned next = rotation_next, count = rotation_count;
    for (uint64_t i = 0; i < pairs; i++) {
        int id = rotation[next];
        next = next + 1 < count ? next + 1 : 0;
        eprof_start(id);
        eprof_stop(id);
    }
    rotation_next = next;
}

int bench_instance_begin(void)
{
    if (eprof_source_use(BENCH_SOURCE) != 0)
        return -1;
    bench_id = eprof_alloc("bench");
    return bench_id < 0 ? -1 : 0;
}

int bench_rotation_begin(unsigned count)
{
    if (eprof_source_use(BENCH_SOURCE) != 0)
        return -1;
    for (unsigned i = 0; i < count; i++)
        if ((rotation[i] = eprof_alloc("bench")) < 0)
            return -1;
    rotation_count = count;
    rotation_next = 0;
    /* the first visit makes the cells, the second one those of the histogram */
    bench_rotating_pairs(2 * (uint64_t)count);
    return 0;
}

void bench_instance_end(void)
{
    eprof_init();
    eprof_source_use("auto");
}
