#include "bench_loops.h"

#include <eprof.h>

#include "bench_pairing.h"

/* The barrier keeps the compiler from removing the call as unnecessary. */
__attribute__((noinline)) static void do_nothing(int id)
{
    __asm__ volatile("" : : "r"(id) : "memory");
}

static void (*volatile first_pointer)(int) = do_nothing;
static void (*volatile second_pointer)(int) = do_nothing;

BENCH_LOOP void bench_empty_pairs(uint64_t pairs)
{
    for (uint64_t i = 0; i < pairs; i++) {
        __asm__ volatile("" : : : "memory");
        __asm__ volatile("" : : : "memory");
    }
}

BENCH_LOOP void bench_empty_call_pairs(uint64_t pairs)
{
    int id = bench_id;
    for (uint64_t i = 0; i < pairs; i++) {
        do_nothing(id);
        do_nothing(id);
    }
}

BENCH_LOOP void bench_empty_pointer_pairs(uint64_t pairs)
{
    int id = bench_id;
    for (uint64_t i = 0; i < pairs; i++) {
        first_pointer(id);
        second_pointer(id);
    }
}

int bench_disabled_begin(void)
{
    if (bench_instance_begin() != 0)
        return -1;
    eprof_enable(false);
    return 0;
}

void bench_disabled_end(void)
{
    eprof_enable(true);
    bench_instance_end();
}
