#include "bench_loops.h"

#include <eprof.h>

#include "bench_counter.h"
#include "bench_pairing.h"

enum {
    EIGHT = 8,
    FIBONACCI_OF = 10,
    FIBONACCI_CALLS = 177 /* 2 * F(FIBONACCI_OF + 1) - 1 */
};

#define OUT_OF_LINE __attribute__((noinline)) static

BENCH_LOOP void bench_scope_pairs(uint64_t pairs)
{
    for (uint64_t i = 0; i < pairs; i++) {
        EPROF_SCOPE("bench");
    }
}

BENCH_LOOP void bench_scope_nested_pairs(uint64_t pairs)
{
    for (uint64_t i = 0; i < pairs; i += EIGHT) {
        EPROF_SCOPE("bench 1");
        EPROF_SCOPE("bench 2");
        EPROF_SCOPE("bench 3");
        EPROF_SCOPE("bench 4");
        EPROF_SCOPE("bench 5");
        EPROF_SCOPE("bench 6");
        EPROF_SCOPE("bench 7");
        EPROF_SCOPE("bench 8");
    }
}

#define SIBLING(label)                                                                             \
    {                                                                                              \
        EPROF_SCOPE(label);                                                                        \
    }

BENCH_LOOP void bench_scope_siblings_pairs(uint64_t pairs)
{
    for (uint64_t i = 0; i < pairs; i += EIGHT) {
        SIBLING("bench 1")
        SIBLING("bench 2")
        SIBLING("bench 3")
        SIBLING("bench 4")
        SIBLING("bench 5")
        SIBLING("bench 6")
        SIBLING("bench 7")
        SIBLING("bench 8")
    }
}

BENCH_LOOP void bench_scope_enter_pairs(uint64_t pairs)
{
    for (uint64_t i = 0; i < pairs; i++) {
        eprof_enter("bench");
        eprof_leave();
    }
}

/* ---- functions ---- */

/* It replaces EPROF_FUNC. */
static inline __attribute__((always_inline)) void read_again(const uint64_t *start_ticks)
{
    bench_keep(bench_counter_read() - *start_ticks);
}
#define RAW_FUNC                                                                                   \
    __attribute__((unused, cleanup(read_again))) const uint64_t start_ticks = bench_counter_read()

#define FUNCTION(name, body)                                                                       \
    OUT_OF_LINE void ours_##name(void)                                                             \
    {                                                                                              \
        EPROF_FUNC;                                                                                \
        body(ours)                                                                                 \
    }                                                                                              \
    OUT_OF_LINE void raw_##name(void)                                                              \
    {                                                                                              \
        RAW_FUNC;                                                                                  \
        body(raw)                                                                                  \
    }
#define CALL_NOTHING(variant)
#define CALL_1(variant) variant##_1();
#define CALL_2(variant) variant##_2();
#define CALL_3(variant) variant##_3();
#define CALL_4(variant) variant##_4();
#define CALL_5(variant) variant##_5();
#define CALL_6(variant) variant##_6();
#define CALL_7(variant) variant##_7();

FUNCTION(1, CALL_NOTHING)
FUNCTION(2, CALL_1)
FUNCTION(3, CALL_2)
FUNCTION(4, CALL_3)
FUNCTION(5, CALL_4)
FUNCTION(6, CALL_5)
FUNCTION(7, CALL_6)
FUNCTION(8, CALL_7)

BENCH_LOOP void bench_scope_functions_pairs(uint64_t pairs)
{
    for (uint64_t i = 0; i < pairs; i += EIGHT)
        ours_8();
}

BENCH_LOOP void bench_raw_functions_pairs(uint64_t pairs)
{
    for (uint64_t i = 0; i < pairs; i += EIGHT)
        raw_8();
}

OUT_OF_LINE unsigned ours_fibonacci(unsigned n)
{
    EPROF_FUNC;
    return n < 2 ? n : ours_fibonacci(n - 1) + ours_fibonacci(n - 2);
}

OUT_OF_LINE unsigned raw_fibonacci(unsigned n)
{
    RAW_FUNC;
    return n < 2 ? n : raw_fibonacci(n - 1) + raw_fibonacci(n - 2);
}

BENCH_LOOP void bench_scope_recursive_pairs(uint64_t pairs)
{
    for (uint64_t i = 0; i < pairs; i += FIBONACCI_CALLS)
        bench_keep(ours_fibonacci(FIBONACCI_OF));
}

BENCH_LOOP void bench_raw_recursive_pairs(uint64_t pairs)
{
    for (uint64_t i = 0; i < pairs; i += FIBONACCI_CALLS)
        bench_keep(raw_fibonacci(FIBONACCI_OF));
}

/* ---- before and after ---- */

int bench_scope_begin(void)
{
    return eprof_setup("budget=off") == 0 ? eprof_source_use(BENCH_SOURCE) : -1;
}

int bench_scope_sampled_begin(void)
{
    return eprof_setup("budget=2") == 0 ? eprof_source_use(BENCH_SOURCE) : -1;
}

void bench_scope_end(void)
{
    eprof_source_use("auto");
}

int bench_scope_disabled_begin(void)
{
    if (bench_scope_begin() != 0)
        return -1;
    eprof_enable(false);
    return 0;
}

void bench_scope_disabled_end(void)
{
    eprof_enable(true);
    bench_scope_end();
}
