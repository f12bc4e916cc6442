/*
 * clock/source.h - time sources: the built-in ones and those that a program registers
 */
#ifndef EP_CLOCK_SOURCE_H
#define EP_CLOCK_SOURCE_H

#include "base/compiler.h"
#include "clock/counter.h"

enum { EP_SOURCE_NAME_BYTES = 32 };

/* A registered source never changes and is not freed while recording is possible: the hot path
 * holds a pointer to it without a lock. */
struct ep_source {
    uint64_t (*now)(void *context);
    void *context;
    uint64_t mask;             /* 2^bits - 1 */
    uint64_t ticks_per_second; /* 0: measured */
    bool per_thread;           /* values of two threads cannot be compared */
    bool is_counter;           /* ep_counter_read() inline returns the same as now() */
    bool is_ordered; /* now() waits for earlier instructions, and later ones wait for it */
    bool is_own; /* registered by the program */
    bool steps; /* the clock is set from outside: it does not say how long the process has run */
    const char *name;
    const struct ep_source *next;
};

extern const struct ep_source ep_counter_source; /* clock/counter.c */
extern const struct ep_source ep_source_clock_gettime;
extern const struct ep_source ep_source_thread_cputime;
extern const struct ep_source ep_source_gettimeofday;

/* Whether this is the name of a counter, ordered or not, of any processor. */
bool ep_source_is_counter_name(const char *name);

/* The source of this name ("auto" included). NULL with errno: EINVAL unknown, ENOTSUP not on this
 * machine. The caller holds the process lock. */
const struct ep_source *ep_source_find(const char *name);

/* Adds a copy, its name included. 0; -1 with EEXIST (the names of other processors' counters and
 * "auto" are taken too) or ENOMEM. The caller holds the process lock. */
int ep_source_register(const struct ep_source *source);
/* Frees the registered sources. No thread may use one any more. */
void ep_source_release_all(void);

EP_INLINE uint64_t ep_source_now(const struct ep_source *source)
{
    return source->is_counter ? ep_counter_read() : source->now(source->context);
}

/* Whether its ticks are those of the processor's counter. */
EP_INLINE bool ep_source_is_of_counter(const struct ep_source *source)
{
    return source->is_counter || source->is_ordered;
}

/* stop - start of a source that wraps; a step back becomes a huge number. */
EP_INLINE uint64_t ep_source_difference(const struct ep_source *source, uint64_t start,
                                        uint64_t stop)
{
    return (stop - start) & source->mask;
}

#endif /* EP_CLOCK_SOURCE_H */
