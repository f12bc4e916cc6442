/*
 * eprof.h - measures what a region of code costs, from inside the running program
 *
 * Bracket a region, link with -leprof, print:
 *
 *     int id = eprof_alloc("parse");
 *     eprof_start(id);
 *     parse(text);
 *     eprof_stop(id);
 *     eprof_print();
 *
 * Rules for every call of this header, unless its comment says otherwise:
 *
 * Threads    Any call may be made from any thread at any time. Calls take effect
 *            as if they were made one after the other. Threads need not be
 *            registered.
 * Signals    A handler may use the hot calls (eprof_start, eprof_stop,
 *            eprof_record), eprof_now and scopes once its thread has recorded
 *            something; it may not use other calls.
 * Errors     Calls that can fail return 0 (or an id), or -1 with errno set.
 *            The hot calls return nothing, print nothing, keep errno, and count
 *            wrong uses; the counts appear at the end of every report.
 * Ownership  The library copies the strings passed to it, and owns the strings
 *            that it returns; the call's comment gives their lifetime.
 * Units      The name of a time ends with its unit: ticks of the current time
 *            source, or ns (nanoseconds).
 *
 * With -DEPROF_DISABLE the compiler removes every call: arguments are not evaluated,
 * int calls return 0, pointers are NULL, and no symbol of the library is needed.
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

/* The source counts separately for each thread, as processor time does. Ticks of
 * two threads cannot be compared. */
#define EPROF_SOURCE_PER_THREAD 1u

/* The value of a figure of a row that is not known: the error of an estimate from too few calls,
 * or processor time that was not recorded. */
#define EPROF_UNKNOWN UINT64_MAX

#ifdef __cplusplus
extern "C" {
#endif

/* A time source, for eprof_source_add(). */
struct eprof_source {
    size_t size;                    /* sizeof(struct eprof_source) */
    const char *name;               /* for eprof_source_use() */
    uint64_t (*now)(void *context); /* ticks; called from any thread, on the hot path. If it
                                       changes variables that functions with scopes read, these
                                       are volatile or atomic: the compiler assumes that a scope
                                       changes no other variables. It must not call the library,
                                       must keep errno, and must return: no longjmp(), exception
                                       or cancellation. */
    uint64_t ticks_per_second;      /* 0: measured against CLOCK_MONOTONIC */
    unsigned bits;                  /* the ticks wrap at 2^bits; 0 means 64. A difference of
                                       half that range or more counts as a step back. */
    unsigned flags;                 /* EPROF_SOURCE_PER_THREAD or 0 */
    void *context;                  /* passed to now(); must stay valid until the program ends */
};

/* A row of a snapshot. It covers all calls since the last reset; durations are in ns, corrected for
 * the cost of the probe. Later versions add members at the end. */
struct eprof_row {
    size_t size;        /* set by the caller: sizeof(struct eprof_row) */
    const char *kind;   /* "instance", "scope", "function", "value" or "diagnostic" */
    const char *name;   /* the label; in a diagnostic row its name, with its count in `calls` */
    const char *path;   /* the names from the root to the row, joined by ';' */
    const char *thread; /* "*": merged over all threads */
    const char *file;   /* "" if the row has no source location */
    unsigned line;      /* 0 if the row has no source location */
    int id;             /* the slot of an instance, the column ID of the table; else -1 */
    /* finished pairs, recursive, rejected and untimed ones too; under a budget, open calls of
     * scopes and functions as well */
    uint64_t calls;
    uint64_t timed;     /* pairs whose time counts: outermost, measured and not rejected */
    uint64_t errors;    /* rejected pairs: the clock went back, or the length is impossible */
    uint64_t open;      /* started and not stopped */
    uint64_t total_ns;  /* of the timed pairs; an estimate is of all calls */
    uint64_t self_ns;   /* total minus the time in scopes inside */
    uint64_t mean_ns;   /* of ended pairs: total / timed; an estimate: of all of them */
    uint64_t stddev_ns; /* of all timed pairs as the whole population (divided by n) */
    uint64_t min_ns;
    uint64_t p50_ns; /* percentiles: from a log-linear histogram, */
    uint64_t p90_ns; /* at most 6.25 % away from the true one     */
    uint64_t p99_ns;
    uint64_t p999_ns;
    uint64_t max_ns;
    uint64_t outermost; /* those of `calls` that were not recursive */
    uint64_t estimated; /* 1: the times are estimates from a part of the calls; else 0 */
    /* half of the 95 % interval of an estimate, rounded up; 0 if every call was timed,
     * EPROF_UNKNOWN if a few long calls decide the time */
    uint64_t mean_error_ns;
    uint64_t total_error_ns;
    uint64_t cpu_ns;  /* the part of the total on a processor, and the part spent waiting; */
    uint64_t wait_ns; /* EPROF_UNKNOWN unless processor time was recorded */
    const char *unit; /* of the figures: "ns"; of a value "1", "bytes" or "ns"; "" of a diagnostic.
                         Figures of a value are signed, in two's complement, and in this unit */
    /* bytes, in each second of the scope around them; or frames in each second of frames; else
     * EPROF_UNKNOWN */
    uint64_t per_second;
    /* In a profile of several processes: those with calls of this path, the least, mean and
     * greatest of their total times, and the standard deviation of these; the one with the most
     * time, by its rank of MPI or its process id; and max / mean - 1 in millionths. Else
     * EPROF_UNKNOWN */
    uint64_t processes;
    uint64_t process_min_ns;
    uint64_t process_mean_ns;
    uint64_t process_max_ns;
    uint64_t process_stddev_ns;
    uint64_t process_slowest;
    uint64_t imbalance_millionths;
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
