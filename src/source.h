/*
 * source.h - the clocks: the built-in ones, a program's own, and the current one
 */
#ifndef EP_SOURCE_H
#define EP_SOURCE_H

#include "compiler.h"
#include "counter.h"

enum { EP_SOURCE_NAME_BYTES = 32 };

/* A source that is registered never changes and is never freed: the hot path
 * holds a pointer to it without a lock. */
struct ep_source {
    uint64_t (*now)(void *context);
    void *context;
    uint64_t mask;             /* 2^bits - 1 */
    uint64_t ticks_per_second; /* 0: measured */
    bool per_thread;           /* values of two threads cannot be compared */
    bool is_counter;           /* ep_counter_read() inline gives the same as now() */
    bool is_ordered;           /* now() waits for what is before it, and what is behind it waits */
    bool steps;                /* a clock that is set from outside, so that its own word
                                  on how long the process has run is worth nothing */
    const char *name;
    const struct ep_source *next;
};

/* source_rdtsc.c; source_cntvct.c on aarch64, where its name is "cntvct", and
 * source_no_counter.c elsewhere */
extern const struct ep_source ep_source_rdtsc;
extern const struct ep_source ep_source_rdtsc_ordered; /* source_ordered.c */
extern const struct ep_source ep_source_clock_gettime; /* source_clock.c */
extern const struct ep_source ep_source_thread_cputime;
extern const struct ep_source ep_source_gettimeofday; /* source_gettimeofday.c */

/* Whether this thread may read the processor's counter. */
bool ep_source_rdtsc_is_readable(void);

/* Whether it may, and what is before a read can be waited for. */
bool ep_source_rdtsc_can_wait(void);

/* Whether the processor's counter runs evenly and the kernel itself keeps time by it. */
bool ep_source_rdtsc_is_trusted(void);

/* What the processor says its counter's rate is; 0 where it does not. */
uint64_t ep_source_rdtsc_ticks_per_second(void);

/*
 * The source of this name ("auto" included). NULL with errno: EINVAL unknown,
 * ENOTSUP not on this machine. The caller holds the process lock.
 */
const struct ep_source *ep_source_find(const char *name);

/*
 * Adds a copy, its name included. 0; -1 with EEXIST (the counters of other
 * processors and "auto" are names in use too) or ENOMEM. The caller holds the
 * process lock.
 */
int ep_source_register(const struct ep_source *source);

EP_INLINE uint64_t ep_source_now(const struct ep_source *source)
{
    return source->is_counter ? ep_counter_read() : source->now(source->context);
}

/* Whether its ticks are the processor's counter's. */
EP_INLINE bool ep_source_is_of_counter(const struct ep_source *source)
{
    return source->is_counter || source->is_ordered;
}

/* stop - start of a source that wraps; a step back comes out huge. */
EP_INLINE uint64_t ep_source_difference(const struct ep_source *source, uint64_t start,
                                        uint64_t stop)
{
    return (stop - start) & source->mask;
}

#endif /* EP_SOURCE_H */
