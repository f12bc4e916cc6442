/*
 * eprof.h - what a region of code costs, told from inside the running program
 *
 * Bracket a region, link with -leprof, print:
 *
 *     int id = eprof_alloc("parse");
 *     eprof_start(id);
 *     parse(text);
 *     eprof_stop(id);
 *     eprof_print();
 *
 * What holds for every call of this header, unless its comment says otherwise:
 *
 * Threads    Any call may be made from any thread at any time, as if the calls
 *            happened in some order. A thread needs no introduction.
 * Errors     Calls that can fail return 0 (or an id), and -1 with errno set.
 *            The hot calls (eprof_start, eprof_stop, eprof_record) return
 *            nothing, print nothing, keep errno, and count what was wrong: the
 *            counts stand at the end of every report.
 * Ownership  Strings are copied. What the library returns as a string belongs
 *            to the library, and its comment says how long it lives.
 * Units      A time's name carries its unit: ticks are those of the current
 *            time source, ns are nanoseconds.
 *
 * With -DEPROF_DISABLE every call vanishes: arguments are not evaluated, int
 * calls give 0, pointers NULL, and no symbol of the library is needed.
 */
#ifndef EPROF_H
#define EPROF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define EPROF_VERSION_MAJOR 0
#define EPROF_VERSION_MINOR 1
#define EPROF_VERSION_PATCH 0
#define EPROF_VERSION_STRING "0.1.0"

/* The source's value is the calling thread's own (its processor time, say):
 * two threads' ticks cannot be compared. */
#define EPROF_SOURCE_PER_THREAD 1u

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A time source. What eprof_source_add() takes.
 */
struct eprof_source {
    size_t size;                    /* sizeof(struct eprof_source) */
    const char *name;               /* what eprof_source_use() will know it by */
    uint64_t (*now)(void *context); /* ticks; called from any thread, on the hot path */
    uint64_t ticks_per_second;      /* 0: measured against CLOCK_MONOTONIC */
    unsigned bits;                  /* the ticks wrap at 2^bits; 0 means 64. A pair that took
                                       half of that range or more is taken for a step back. */
    unsigned flags;                 /* EPROF_SOURCE_PER_THREAD or 0 */
    void *context;                  /* handed to now(); must outlive the program's profiling */
};

/*
 * One line of a snapshot. Counts are of all calls since the last reset;
 * durations are in ns, corrected for the probe's own cost.
 */
struct eprof_row {
    size_t size;        /* set by the caller: sizeof(struct eprof_row) */
    const char *kind;   /* "instance", "scope", "function" or "trouble" */
    const char *name;   /* the label; of a trouble row its name, the count is in `calls` */
    const char *path;   /* the names from the root to the row, joined by ';' */
    const char *thread; /* "*": merged over all threads */
    const char *file;   /* "" where the row has no place in the source */
    unsigned line;      /* 0 where the row has no place in the source */
    int id;             /* an instance's slot, the column ID of the table; else -1 */
    uint64_t calls;     /* finished pairs, recursive and rejected ones too */
    uint64_t timed;     /* those whose time counts: the outermost, not rejected */
    uint64_t errors;    /* rejected: the clock went back, or an impossible length */
    uint64_t open;      /* started and not stopped */
    uint64_t total_ns;  /* of the timed */
    uint64_t self_ns;   /* total less what was spent in scopes inside */
    uint64_t mean_ns;   /* total / timed */
    uint64_t stddev_ns; /* of all timed pairs as the whole population (divided by n) */
    uint64_t min_ns;
    uint64_t p50_ns; /* percentiles: from a log-linear histogram, */
    uint64_t p90_ns; /* at most 6.25 % away from the true one     */
    uint64_t p99_ns;
    uint64_t p999_ns;
    uint64_t max_ns;
};

typedef struct eprof_snapshot eprof_snapshot;

#ifdef __cplusplus
}
#endif

#ifdef EPROF_DISABLE
#include "eprof/disabled.h"
#else
#include "eprof/calls.h"
#include "eprof/scopes.h"
#endif

#endif /* EPROF_H */
