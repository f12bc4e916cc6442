#include "bench_loops.h"

#include <eprof.h>

#include "bench_chain.h"
#include "bench_counter.h"
#include "bench_pairing.h"

/* The code that the compiler adds to a function with the flag, written by hand. */
#define EMPTY_HOOK(which, function)                                                                \
    which((void *)(uintptr_t)(function), __builtin_return_address(0))

__attribute__((noinline)) static void empty_hooked(void)
{
    EMPTY_HOOK(bench_empty_enter, empty_hooked);
    __asm__ volatile("");
    EMPTY_HOOK(bench_empty_exit, empty_hooked);
}

__attribute__((noinline)) static unsigned empty_hooked_work(unsigned value)
{
    EMPTY_HOOK(bench_empty_enter, empty_hooked_work);
    BENCH_CHAIN(value);
    EMPTY_HOOK(bench_empty_exit, empty_hooked_work);
    return value;
}

__attribute__((noinline)) static void raw_hooked(void)
{
    EMPTY_HOOK(bench_empty_enter, raw_hooked);
    uint64_t start_ticks = bench_counter_read();
    bench_keep(bench_counter_read() - start_ticks);
    EMPTY_HOOK(bench_empty_exit, raw_hooked);
}

/* ---- loops ---- */

BENCH_LOOP void bench_hook_pairs(uint64_t pairs)
{
    for (uint64_t i = 0; i < pairs; i++)
        bench_hooked();
}

BENCH_LOOP void bench_empty_hook_pairs(uint64_t pairs)
{
    for (uint64_t i = 0; i < pairs; i++)
        empty_hooked();
}

BENCH_LOOP void bench_raw_hook_pairs(uint64_t pairs)
{
    for (uint64_t i = 0; i < pairs; i++)
        raw_hooked();
}

BENCH_LOOP void bench_hook_work_pairs(uint64_t pairs)
{
    unsigned value = 1;
    for (uint64_t i = 0; i < pairs; i++) {
        value = bench_hooked_work(value);
        BENCH_CHAIN(value);
    }
}

BENCH_LOOP void bench_empty_hook_work_pairs(uint64_t pairs)
{
    unsigned value = 1;
    for (uint64_t i = 0; i < pairs; i++) {
        value = empty_hooked_work(value);
        BENCH_CHAIN(value);
    }
}

/* ---- before and after ---- */

int bench_hook_begin(void)
{
    if (eprof_setup("budget=off") != 0)
        return -1;
    return eprof_source_use(BENCH_SOURCE);
}

int bench_hook_sampled_begin(void)
{
    if (eprof_setup("budget=1/64") != 0)
        return -1;
    return eprof_source_use(BENCH_SOURCE);
}

void bench_hook_end(void)
{
    eprof_source_use("auto");
}

int bench_hook_disabled_begin(void)
{
    if (bench_hook_begin() != 0)
        return -1;
    eprof_enable(false);
    return 0;
}

void bench_hook_disabled_end(void)
{
    eprof_enable(true);
    bench_hook_end();
}
