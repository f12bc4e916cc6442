#include "bench_processor.h"

#include "bench_counter.h"

enum { CHAIN_PAIRS = 2000, CHAIN_MULTIPLICATIONS = 64, GAP_ROUNDS = 100, GAP_READS = 2000 };

#define INLINE static inline __attribute__((always_inline))

/* 69069 is Marsaglia's multiplier; any odd number would do. */
INLINE unsigned multiply(unsigned value, int count)
{
#pragma GCC unroll 64
    for (int i = 0; i < count; i++) {
        value *= 69069;
        __asm__ volatile("" : "+r"(value)); /* so that the compiler does not merge them */
    }
    return value;
}

/* ---- between the reads ---- */

INLINE void pairs_around_chain(uint64_t pairs, int count)
{
    uint64_t total_ticks = 0;
    for (uint64_t i = 0; i < pairs; i++) {
        uint64_t start_ticks = bench_counter_read();
        bench_keep(multiply((unsigned)i, count));
        total_ticks += bench_counter_read() - start_ticks;
        bench_keep(total_ticks);
    }
}

INLINE void pairs_around_chain_of_stamp(uint64_t pairs, int count)
{
    uint64_t total_ticks = 0;
    for (uint64_t i = 0; i < pairs; i++) {
        uint64_t start_ticks = bench_counter_read();
        bench_keep(multiply((unsigned)start_ticks, count));
        total_ticks += bench_counter_read() - start_ticks;
        bench_keep(total_ticks);
    }
}

/* The instruction is named nop on x86 and on aarch64. */
#define INSTRUCTIONS(count) __asm__ volatile(".rept %c0\n\tnop\n\t.endr" : : "i"(count))

#define LOOPS(count)                                                                               \
    BENCH_LOOP static void beside_##count(uint64_t pairs)                                          \
    {                                                                                              \
        pairs_around_chain(pairs, count);                                                          \
    }                                                                                              \
    BENCH_LOOP static void of_stamp_##count(uint64_t pairs)                                        \
    {                                                                                              \
        pairs_around_chain_of_stamp(pairs, count);                                                 \
    }                                                                                              \
    BENCH_LOOP static void instructions_##count(uint64_t pairs)                                    \
    {                                                                                              \
        uint64_t total_ticks = 0;                                                                  \
        for (uint64_t i = 0; i < pairs; i++) {                                                     \
            uint64_t start_ticks = bench_counter_read();                                           \
            INSTRUCTIONS(count);                                                                   \
            total_ticks += bench_counter_read() - start_ticks;                                     \
            bench_keep(total_ticks);                                                               \
        }                                                                                          \
    }

LOOPS(2)
LOOPS(4)
LOOPS(8)
LOOPS(16)
LOOPS(32)
LOOPS(64)

#define ENTRY(count)                                                                               \
    {                                                                                              \
        count, beside_##count, of_stamp_##count, instructions_##count                              \
    }
const struct bench_serial bench_serials[] = {
    ENTRY(2), ENTRY(4), ENTRY(8), ENTRY(16), ENTRY(32), ENTRY(64), {0, NULL, NULL, NULL}};

/* ---- without reads ---- */

BENCH_LOOP static void chain(uint64_t pairs)
{
    unsigned value = 1;
    for (uint64_t i = 0; i < pairs; i++)
        value = multiply(value, CHAIN_MULTIPLICATIONS);
    bench_keep(value);
}

/* The fastest of several measurements, as below: a disturbance only makes one longer. */
double bench_multiplication_ns(void)
{
    double fastest_ns = BENCH_SLICE_NS;
    for (int i = 0; i < BENCH_ROUNDS_MIN; i++) {
        double ns = bench_slice_ns(chain, CHAIN_PAIRS) / CHAIN_MULTIPLICATIONS;
        if (ns < fastest_ns)
            fastest_ns = ns;
    }
    return fastest_ns;
}

BENCH_LOOP void bench_multiplications(uint64_t pairs)
{
    unsigned value[8] = {0};
    for (uint64_t i = 0; i < pairs; i++)
#pragma GCC unroll 8
        for (int k = 0; k < 8; k++)
            value[k] = multiply(value[k], 1);
}

/* ---- the read that waits for a chain ---- */

BENCH_LOOP static void add_gaps(uint64_t ticks[BENCH_GAPS])
{
    for (unsigned i = 0; i < GAP_READS; i++) {
        uint64_t first_ticks = bench_counter_read();
        bench_keep(multiply(i, BENCH_GAP_MULTIPLICATIONS));
        uint64_t second_ticks = bench_counter_read();
        uint64_t third_ticks = bench_counter_read();
        uint64_t fourth_ticks = bench_counter_read();
        ticks[0] += second_ticks - first_ticks;
        ticks[1] += third_ticks - second_ticks;
        ticks[2] += fourth_ticks - third_ticks;
    }
}

void bench_gaps_ns(double ns[BENCH_GAPS])
{
    uint64_t fastest_ticks[BENCH_GAPS] = {UINT64_MAX, UINT64_MAX, UINT64_MAX};
    uint64_t begin_ns = bench_monotonic_ns();
    uint64_t begin_ticks = bench_counter_read();
    for (int round = 0; round < GAP_ROUNDS; round++) {
        uint64_t ticks[BENCH_GAPS] = {0};
        add_gaps(ticks);
        for (int i = 0; i < BENCH_GAPS; i++)
            if (ticks[i] < fastest_ticks[i])
                fastest_ticks[i] = ticks[i];
    }
    double run_ticks = (double)(bench_counter_read() - begin_ticks);
    double ns_per_tick = (double)(bench_monotonic_ns() - begin_ns) / run_ticks;
    for (int i = 0; i < BENCH_GAPS; i++)
        ns[i] = (double)fastest_ticks[i] / GAP_READS * ns_per_tick;
}
