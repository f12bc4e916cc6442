/*
 * bench_counter.h - the read of the counter that a program would use without the library
 *
 * All ratios are to a pair of these reads. If the processor has no counter that a program can read,
 * it is the clock that such a program would use.
 */
#ifndef BENCH_COUNTER_H
#define BENCH_COUNTER_H

#include <stdint.h>
#include <time.h>

/* Uses the value at this point of the loop, so that the compiler can neither omit its computation
 * nor merge several of them. It needs no store: it only asks for a register. */
#define bench_keep(value) __asm__ volatile("" : : "r"((uintptr_t)(value)))

static inline uint64_t bench_monotonic_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

#if defined(__x86_64__) || defined(__i386__)
#include <x86intrin.h>
#define BENCH_SOURCE "rdtsc"
static inline uint64_t bench_counter_read(void)
{
    return __rdtsc();
}
#elif defined(__aarch64__)
#define BENCH_SOURCE "cntvct"
static inline uint64_t bench_counter_read(void)
{
    uint64_t ticks;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
}
#else
#define BENCH_SOURCE "clock_gettime"
static inline uint64_t bench_counter_read(void)
{
    return bench_monotonic_ns();
}
#endif

#endif /* BENCH_COUNTER_H */
