/*
 * bench_chain.h - work of about 20 ns: a chain of multiplications that wait for each other
 */
#ifndef BENCH_CHAIN_H
#define BENCH_CHAIN_H

enum { BENCH_CHAIN_LENGTH = 20 };

/* 69069 is Marsaglia's multiplier; any odd number would do. The barrier keeps the compiler from
 * merging the multiplications. It is a macro, since a function would have its own hooks in a file
 * that is built with them. */
#define BENCH_CHAIN(value)                                                                         \
    _Pragma("GCC unroll 20") for (int chain = 0; chain < BENCH_CHAIN_LENGTH; chain++)              \
    {                                                                                              \
        (value) *= 69069;                                                                          \
        __asm__ volatile("" : "+r"(value));                                                        \
    }

#endif /* BENCH_CHAIN_H */
