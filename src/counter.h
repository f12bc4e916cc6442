/*
 * counter.h - the processor's counter, read inline
 *
 * Not serialised: rdtscp or a fence would cost 1.9 times as much as the read
 * (docs/performance.md), and order nothing that a profile can show.
 */
#ifndef EP_COUNTER_H
#define EP_COUNTER_H

#include "compiler.h"

#if defined(__x86_64__) || defined(__i386__)
#define EP_COUNTER_EXISTS 1
EP_INLINE uint64_t ep_counter_read(void)
{
    return __builtin_ia32_rdtsc();
}
#elif defined(__aarch64__)
#define EP_COUNTER_EXISTS 1
/* Arm ARM DDI 0487, D11.2: CNTVCT_EL0 counts CNTFRQ_EL0 ticks a second, alike on all processors. */
EP_INLINE uint64_t ep_counter_read(void)
{
    uint64_t ticks;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
}
#else
#define EP_COUNTER_EXISTS 0
EP_INLINE uint64_t ep_counter_read(void)
{
    return 0;
}
#endif

#endif /* EP_COUNTER_H */
