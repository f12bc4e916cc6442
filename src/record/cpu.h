/*
 * record/cpu.h - the processor time of calls (EPROF=cpu), from which reports know how long a region
 * waited
 *
 * An enter reads the processor time of its thread, then the clock; a leave reads the clock first.
 * So a call's time does not contain its own readings of processor time, each of which is a call of
 * the kernel. Only outermost timed calls have processor time. As no node has two of them open at a
 * time, their beginning is kept with the sums.
 */
#ifndef EP_RECORD_CPU_H
#define EP_RECORD_CPU_H

#include "image/layout.h"
#include "record/process.h"

EP_INLINE bool ep_cpu_is_on(void)
{
    return ep_load(&ep_process.cpu_source) != NULL;
}

/* Records processor time from now on, by `source`, whose ticks are ns. Each node and each instance
 * adopts it at its next visit. Lock. Returns whether that is a change. */
bool ep_cpu_set(const struct ep_source *source);

/* The processor time of this thread, in ns, while it is recorded. */
EP_INLINE uint64_t ep_cpu_now(void)
{
    const struct ep_source *source = ep_load(&ep_process.cpu_source);
    return source->now(source->context);
}

/* At the beginning of an outermost timed call. NULL: nothing. */
EP_INLINE void ep_cpu_start(struct ep_cpu_sums *sums)
{
    if (sums)
        ep_store(&sums->start_cpu_ns, ep_cpu_now() + 1);
}

/* At its end. A call that began before processor time was recorded adds nothing. */
void ep_cpu_count(struct ep_cpu_sums *sums, uint64_t now_cpu_ns, uint32_t weight);

void ep_cpu_clear(struct ep_cpu_sums *sums);

/* `to` or `more` may be NULL. */
void ep_cpu_add(struct ep_cpu_sums *to, const struct ep_cpu_sums *more);
/* Moves the beginning of an open call. Either may be NULL: then it is not known any more. */
void ep_cpu_move(struct ep_cpu_sums *to, struct ep_cpu_sums *from);

#endif /* EP_RECORD_CPU_H */
