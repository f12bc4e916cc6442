/*
 * record/process.h - the data that exists once per process: the image, the time source in use, and
 * the switches that hot calls read
 *
 * The first file of src/record: all others use it. The mutex that guards this data is in
 * process_lock.h; set-up, fork and unloading are in process_life.h.
 */
#ifndef EP_RECORD_PROCESS_H
#define EP_RECORD_PROCESS_H

#include <pthread.h>

#include "clock/calibrate.h"
#include "image/image.h"
#include "record/rate.h"

/* The bits of eprof_recording. */
enum {
    EP_RECORDING_STOPS = 1,
    EP_RECORDING_STARTS = 2,
    EP_RECORDING_ALL = 3,
    EP_RECORDING_INLINE = 4 /* with both: under a budget, scopes may be entered inline */
};

/* What calls with a patched entry cost outside of the time that is measured. */
struct ep_entry_cost {
    uint64_t ticks, calls;
};

struct ep_process {
    const struct ep_source *source; /* in use; release, pairs with ep_process_source() */
    struct ep_image image;
    const struct ep_source *cpu_source; /* of processor time; NULL: it is not recorded */
    uint32_t depth_limit;               /* of the call tree, for functions; 0: no limit; lock */
    bool is_off;                        /* EPROF=off: recording cannot be switched on */
    bool is_released;            /* the library is being unloaded; nothing is recorded any more */
    bool has_sampled;            /* a call went untimed; written by all, never to false */
    bool is_being_read;          /* by a snapshot or a save: a thread waits before it keeps; lock */
    struct ep_switches switches; /* of eprof_enable(); lock */
    uint64_t entry_inside_ticks; /* of a timed call with a patched entry; 0: there was none */
    struct ep_entry_cost entry_cost[2]; /* of calls that represent themselves, and of others */
    uint64_t births __attribute__((aligned(8))); /* instances ever allocated; lock, read by all */
    uint64_t origin_ticks __attribute__((aligned(8))); /* the source is known to run since then */
    struct ep_moment reset_moment;                     /* of the last reset; lock */
    /* of the run since the reset: its beginning, and when it was last written into the image */
    uint64_t run_monotonic_ns __attribute__((aligned(8)));
    uint64_t run_cpu_ns __attribute__((aligned(8)));
    uint64_t run_written_ns __attribute__((aligned(8)));
} __attribute__((aligned(EP_CELL_BYTES))); /* read by every hot call: no neighbours */

extern struct ep_process ep_process;

/* Memory that is zero in a forked child. All zero is an unlocked mutex (glibc, musl). */
struct ep_process_wiped {
    pthread_mutex_t mutex;
    uint64_t holder; /* pthread_self() of the thread that holds the mutex; it may lock it again */
    uint32_t times;  /* how often the holder has locked it */
    uint32_t ending; /* number of threads in end_thread() */
    bool is_ready;   /* this process is set up; release, pairs with ep_process_is_ready() */
    int cancel_state, cancel_type; /* of the holder, before it took the lock */
};

extern struct ep_process_wiped *ep_process_wiped_page;

/* NULL: no call yet, or released. A thread may use the page before it has taken the mutex, while
 * another thread still allocates it. */
EP_INLINE struct ep_process_wiped *ep_process_wiped(void)
{
    return ep_load_acquire(&ep_process_wiped_page); /* pairs with ep_process_get_wiped() */
}

/* Allocates it at first use. NULL: no memory, or the library is being unloaded. */
struct ep_process_wiped *ep_process_get_wiped(void);

EP_INLINE const struct ep_source *ep_process_source(void)
{
    return ep_load_acquire(&ep_process.source);
}

/* Waits until earlier instructions have ended, for a source whose reads must be in order. */
EP_INLINE void ep_process_wait(void)
{
    const struct ep_source *source = ep_process_source();
    if (source && source->is_ordered)
        ep_counter_wait();
}

EP_INLINE struct ep_control_cell *ep_process_control(void)
{
    return ep_image_control(&ep_process.image);
}

/* Whether this process itself, not its parent, was set up. Does not set it up. */
bool ep_process_is_ready(void);

/* Adds 1 to a diagnostic that belongs to no thread. */
void ep_process_diagnose(enum ep_diagnostic kind);

/* The first moment of the source in use, on the source and on CLOCK_MONOTONIC. */
struct ep_moment ep_process_first_moment(void);

/* The one table of calls from the recording core to the folder api. It is a constant of the linker,
 * since the first call of the library may come before main(). */
struct ep_upward {
    /* The process has been set up: reads EPROF= and registers the reports at exit. Called once.
     * Lock. */
    void (*first_use)(void);
    /* A forked child has been set up: gives the child a file of its own. Lock. */
    void (*renewed)(void);
    /* The image's file cannot grow any more. Called from a cold path of any thread, also in a
     * signal handler: takes no lock and no memory. */
    void (*cut_short)(int error);
    /* Function patterns are matched against dynamic symbols only, not against all names and files.
     * Lock. */
    void (*filter_is_blind)(void);
    /* The first function was added to an image that has a file: measures what the function probe
     * costs. Lock. */
    void (*measure_probes)(void);
};

extern const struct ep_upward ep_upward; /* api/eprof.c */

#endif /* EP_RECORD_PROCESS_H */
