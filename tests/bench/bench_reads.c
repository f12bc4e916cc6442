#include "bench_processor.h"

#if BENCH_READS_EXIST

#include <x86intrin.h>

#include "bench_counter.h"
#include "bench_pairing.h"

static inline uint64_t read_fenced(void)
{
    __asm__ volatile("lfence" : : : "memory"); /* the intrinsic needs -msse2 */
    return __rdtsc();
}

static inline uint64_t read_rdtscp(void)
{
    unsigned processor;
    return __rdtscp(&processor);
}

#define PAIRS(name, read)                                                                          \
    BENCH_LOOP void name(uint64_t pairs)                                                           \
    {                                                                                              \
        uint64_t total_ticks = 0;                                                                  \
        for (uint64_t i = 0; i < pairs; i++) {                                                     \
            uint64_t start_ticks = read();                                                         \
            total_ticks += read() - start_ticks;                                                   \
            bench_keep(total_ticks);                                                               \
        }                                                                                          \
    }

PAIRS(bench_fenced_pairs, read_fenced)
PAIRS(bench_rdtscp_pairs, read_rdtscp)

BENCH_LOOP void bench_cpuid(uint64_t times)
{
    for (uint64_t i = 0; i < times; i++) {
        unsigned leaf = 0, subleaf = 0;
        __asm__ volatile("cpuid" : "+a"(leaf), "+c"(subleaf) : : "ebx", "edx");
    }
}

#endif
