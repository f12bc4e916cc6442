/*
 * bench_chain.h - work of some 20 ns: a chain of multiplications that wait for each other
 */
#ifndef BENCH_CHAIN_H
#define BENCH_CHAIN_H

enum { BENCH_CHAIN_LENGTH = 20 };

/* 69069: Marsaglia's multiplier; any odd one would do. The barrier keeps them as many. No function,
 * since one would have hooks of its own where this is built with them. */
#define BENCH_CHAIN(value)                                                                         \
    _Pragma("GCC unroll 20") for (int chain = 0; chain < BENCH_CHAIN_LENGTH; chain++)              \
    {                                                                                              \
        (value) *= 69069;                                                                          \
        __asm__ volatile("" : "+r"(value));                                                        \
    }

#endif /* BENCH_CHAIN_H */
