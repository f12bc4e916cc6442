/*
 * counter.h - the processor's counter, read inline
 *
 * A read does not wait for what is before it: rdtscp or a fence would cost 1.9 times as much as
 * the read (docs/performance.md). Where regions are so short that this can be seen, there is
 * source_ordered.c.
 */
#ifndef EP_COUNTER_H
#define EP_COUNTER_H

#include "compiler.h"

#if defined(__x86_64__) || defined(__i386__)
#define EP_COUNTER_EXISTS 1
/* lfence came with SSE2, which a processor of 64 bits has. */
EP_INLINE bool ep_counter_can_wait(void)
{
#if defined(__x86_64__)
    return true;
#else
    __builtin_cpu_init();
    return __builtin_cpu_supports("sse2");
#endif
}

/* Until all that is before it is done; what is behind it begins after that. SDM volume 2A,
 * LFENCE; on AMD so since Linux 4.15 sets MSR C001_1029[1] (AMD 24594, LFENCE). */
EP_INLINE void ep_counter_wait(void)
{
    __asm__ volatile("lfence" ::: "memory");
}

EP_INLINE uint64_t ep_counter_read(void)
{
    return __builtin_ia32_rdtsc();
}
#elif defined(__aarch64__)
#define EP_COUNTER_EXISTS 1
EP_INLINE bool ep_counter_can_wait(void)
{
    return true;
}

/* Arm ARM DDI 0487, D11.2.1: a read may come early, and an ISB before it holds it back. */
EP_INLINE void ep_counter_wait(void)
{
    __asm__ volatile("isb" ::: "memory");
}

/* Arm ARM DDI 0487, D11.2: CNTVCT_EL0 counts CNTFRQ_EL0 ticks a second, alike on all processors. */
EP_INLINE uint64_t ep_counter_read(void)
{
    uint64_t ticks;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
}
#else
#define EP_COUNTER_EXISTS 0
EP_INLINE bool ep_counter_can_wait(void)
{
    return false;
}

EP_INLINE void ep_counter_wait(void)
{
    __asm__ volatile("" ::: "memory");
}

EP_INLINE uint64_t ep_counter_read(void)
{
    return 0;
}
#endif

#endif /* EP_COUNTER_H */
