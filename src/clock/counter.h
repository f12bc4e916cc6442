/*
 * clock/counter.h - the processor's counter, read inline
 *
 * A read does not wait for earlier instructions: rdtscp or a fence would cost 1.9 times as much as
 * the read (docs/internals/performance.md). For regions so short that this matters, clock/source.c
 * has an ordered source.
 */
#ifndef EP_CLOCK_COUNTER_H
#define EP_CLOCK_COUNTER_H

#include "base/compiler.h"

/* "rdtsc" is a known name on processors without a counter too, but not supported there. */
#if defined(__x86_64__) || defined(__i386__)
#define EP_COUNTER_EXISTS 1
#define EP_COUNTER_NAME "rdtsc"
#elif defined(__aarch64__) && defined(__LP64__)
#define EP_COUNTER_EXISTS 1
#define EP_COUNTER_NAME "cntvct"
#else
#define EP_COUNTER_EXISTS 0
#define EP_COUNTER_NAME "rdtsc"
#endif

/* Whether ep_counter_wait() works. lfence belongs to SSE2, which every 64-bit processor has. */
EP_INLINE bool ep_counter_can_wait(void)
{
#if defined(__i386__)
    __builtin_cpu_init();
    return __builtin_cpu_supports("sse2");
#else
    return EP_COUNTER_EXISTS;
#endif
}

/* Waits until all earlier instructions are complete; later ones begin after that. x86: SDM volume
 * 2A, LFENCE; on AMD since Linux 4.15 sets MSR C001_1029[1] (AMD 24594, LFENCE). aarch64: Arm ARM
 * DDI 0487, D11.2.1: a read may be performed early, unless an ISB precedes it. */
EP_INLINE void ep_counter_wait(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __asm__ volatile("lfence" ::: "memory");
#elif EP_COUNTER_EXISTS
    __asm__ volatile("isb" ::: "memory");
#endif
}

/* Arm ARM DDI 0487, D11.2: CNTVCT_EL0 counts CNTFRQ_EL0 ticks a second, equal on all processors. */
EP_INLINE uint64_t ep_counter_read(void)
{
    uint64_t ticks = 0;
#if defined(__x86_64__) || defined(__i386__)
    ticks = __builtin_ia32_rdtsc();
#elif EP_COUNTER_EXISTS
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
#endif
    return ticks;
}

/* Whether this thread may read the counter. */
bool ep_counter_is_readable(void);
/* Whether the counter runs evenly and the kernel itself keeps time by it. */
bool ep_counter_is_trusted(void);
/* The rate that the processor or the hypervisor reports; 0: none. */
uint64_t ep_counter_ticks_per_second(void);

#endif /* EP_CLOCK_COUNTER_H */
