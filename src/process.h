/*
 * process.h - what there is once in a process: the image, the source in use,
 * and the lock of everything that is not hot
 *
 * Fork. The lock, the mark "this process is set up" and the hot records of
 * threads lie in memory that the kernel zeroes in a forked child
 * (MADV_WIPEONFORK). So a child begins with the lock free and no mark, whatever
 * the parent's threads were doing, after fork, clone and _Fork alike; the first
 * to take the lock finds the mark missing and makes the copy of the image the
 * child's own. pthread_atfork only sees to it that the copy is not taken while
 * somebody changes it.
 */
#ifndef EP_PROCESS_H
#define EP_PROCESS_H

#include "calibrate.h"
#include "fields.h"
#include "image.h"
#include "switches.h"

struct ep_thread;

/* The hot records of threads; lock. */
enum { EP_THREAD_LISTS = 1024 };

struct ep_thread_pool {
    /* each with its cells, for the next thread of its name: by the name's hash, the first those
     * without one */
    struct ep_thread *ended[EP_THREAD_LISTS];
    struct ep_thread *blank; /* hold nothing, and are for any name */
    struct ep_thread *made;  /* all */
    ep_ref last;             /* of the threads of the image; 0: none yet */
    ep_ref block;     /* one that was taken for a record that then could not be made; 0: none */
    uint32_t orphans; /* ended records of the image without a hot one: the parent's, after fork */
};

struct ep_function_table;
struct ep_loaded_module;

/* What functions may lie in at present; lock. */
struct ep_loaded_modules {
    struct ep_loaded_module *at;
    uint32_t count, room;
};

struct ep_process {
    const struct ep_source *source;      /* in use; release, pairs with the hot calls' generation */
    struct ep_function_table *functions; /* release; an old one stays, somebody may look at it */
    struct ep_image image;
    struct ep_thread_pool threads;
    struct ep_loaded_modules modules;
    struct ep_fields patterns;                           /* of functions that are recorded; lock */
    uint64_t throttle_calls __attribute__((aligned(8))); /* from here on a brief function may be
                                                            throttled; 0: none is; lock */
    uint32_t depth_limit;        /* of the tree, for functions; 0: none; lock */
    bool is_off;                 /* EPROF=off: nothing is ever recorded */
    bool has_throttled;          /* a function is or was throttled; lock, read by all */
    bool is_being_read;          /* by a snapshot or a save: who would begin a keep waits; lock */
    struct ep_switches switches; /* by eprof_enable(); lock */
    uint64_t births __attribute__((aligned(8))); /* instances ever made; lock, read by all */
    uint64_t origin_ticks
        __attribute__((aligned(8))); /* from here on the source has run, for all that is known */
    struct ep_moment reset_moment;   /* the last one; lock */
} __attribute__((aligned(EP_CELL_BYTES))); /* every hot call reads it: no neighbours */

extern struct ep_process ep_process;

EP_INLINE const struct ep_source *ep_process_source(void)
{
    return ep_load_acquire(&ep_process.source);
}

/* Before and behind what is to be done in order: by a source that waits. */
EP_INLINE void ep_process_wait(void)
{
    const struct ep_source *source = ep_process_source();
    if (source && source->is_ordered)
        ep_counter_wait();
}

/*
 * Takes the lock of all that is not hot. Sets the process up at first use, and
 * a forked child as well. 0; -1 with ENOMEM: not locked.
 *
 * Until the unlock, a signal handler of this thread that would need the lock
 * finds the thread busy and counts its call as lost.
 */
int ep_process_lock(void);
void ep_process_unlock(void);

/* The lock alone, for cold paths that have marked their thread busy themselves.
 * Its holder may take it again. */
void ep_process_mutex_lock(void);
void ep_process_mutex_unlock(void);

/* Sees to it that ep_thread_life_end() is called when the present thread ends. 0, or -1 and ENOMEM.
 */
int ep_process_watch_thread(void);

/* For those who only look: whether this very process (not its parent) was set up. */
bool ep_process_is_ready(void);

/* Adds to the counts that belong to no thread. */
void ep_process_trouble(enum ep_trouble kind);

/* The first moment of the source in use on the two clocks. */
struct ep_moment ep_process_first_moment(void);

/* Provided by the face: reads EPROF= and sees to the reports at exit. Called
 * once, with the lock held, when the process has been set up. */
void ep_process_first_use(void);
/* Likewise: sees to a file of its own for a forked child that has been set up. Lock. */
void ep_process_renewed(void);
/* Likewise: says that the image's file does not grow any more. Of a cold path of any thread, a
 * signal handler's as well: without a lock and without memory. */
void ep_process_cut_short(int error);
/* Defined by the face: patterns of functions are matched against less than their names and files.
 * Lock. */
void ep_process_filter_is_blind(void);

#endif /* EP_PROCESS_H */
