/*
 * thread.h - what a thread has: a hot record, and cells of its own in the image
 *
 * The hot record is what the one thread-local pointer points to: a head, with the
 * stack of open scopes in it, and, right behind it, the table of the thread's pairs by
 * slot, so that a pair is found by two loads one after the other. It is private memory that a
 * forked child finds zeroed: a table of no pairs sends every call to its cold path, for "no thread
 * yet", "forked" and "switched off" alike, in the one test that bounds the table.
 *
 * A table that is too small is copied into a larger record, and the old one
 * stays: a signal handler may have made the larger one while the hot path it
 * interrupted looks at the old one. So a cold path asks for the record anew.
 */
#ifndef EP_THREAD_H
#define EP_THREAD_H

#include "process.h"
#include "switches.h"

/* The rest of the last block that was taken for one purpose. */
struct ep_pool {
    ep_ref block_next, block_end;
    ep_ref spare;    /* single cells that were left over of blocks */
    bool is_limited; /* for the call tree, which EPROF=limit= bounds */
};

/* What a thread knows of a site. */
struct ep_place {
    struct ep_frame_cell *open; /* its innermost entry whose time counts; NULL: none. It may be one
                                   that was left just now */
    ep_ref parent;              /* where it was entered last: below this node, */
    ep_ref node;                /* as this one */
};

struct ep_thread {
    /* hot */
    uint32_t counter_pairs; /* of `pairs`, while the source is the processor's counter, */
    uint32_t called_pairs;  /* and while it is a function; else 0: the cold path looks */
    const struct ep_control_cell *control;
    union ep_cell *cells;      /* of the image */
    uint64_t salt;             /* the upper 16 bits of stamps, see cell.h */
    uint32_t counter_sites;    /* of `places`, as counter_pairs of `pairs`, */
    uint32_t called_sites;     /* and as called_pairs */
    struct ep_frame_cell *top; /* the innermost open scope */
    struct ep_place *places;   /* by site; the number of a site is an index */
    ep_ref free; /* the stack's lowest entry that is not in use; 0: not made yet. Right above `top`,
                    but in the midst of an enter or a leave, whose signal handlers begin there */
    struct ep_tree_table *table; /* of the call tree */
    /* cold */
    ep_ref root;            /* the call tree's; 0: none yet */
    uint32_t site_capacity; /* of `places` */
    uint32_t skipped;       /* eprof_enter() calls that were lost: their leaves are to come */
    struct ep_hold *holds;  /* by level; NULL: there was none yet */
    uint32_t level;         /* the innermost; 0: none */
    uint32_t further_holds; /* begun inside it for which there is no level */
    uint32_t former_holds;  /* of before a fork: their keeps are nothing */
    uint32_t dropped_count; /* of `dropped`, */
    struct ep_dropped_pairs *dropped; /* a page; NULL: there were none yet */
    uint32_t random;                  /* the state of its generator; 0: not begun */
    uint32_t busy;                    /* a cold path is under way, */
    int cancel_state, cancel_type;    /* and these were the thread's before it */
    struct ep_frame_cell *cold_top;   /* where it has the top of the stack: what is above, signal
                                         handlers have entered since */
    uint32_t pair_capacity;           /* of `pairs` */
    struct ep_thread_cell *cell;      /* NULL: not alive, or forked */
    bool is_off;                      /* eprof_thread_enable(false) */
    bool was_interrupted;             /* a signal handler recorded in the midst of an enter: of
                                         some regions time inside is counted twice */
    uint32_t lent;                    /* to so many children of vfork(), one in another: they
                                         record nothing */
    uint64_t switch_birth;            /* instances born later know nothing of the last switch */
    struct ep_switches switches;      /* by eprof_thread_enable() */
    const struct ep_source *source; /* that the table is open to, and the switches' ticks are of */
    struct ep_pool pair_cells, tree_cells;
    ep_ref last_pair, last_scratch, last_node; /* of its lists; 0: none yet */
    struct ep_thread *next_ended;              /* in the pool */
    struct ep_thread *made_before;             /* all records ever made */
    struct ep_pair_cell *pairs[]; /* by slot; NULL: none. Pages of it that were never used take
                                     no memory */
};

struct ep_tree_table;
struct ep_hold;

/* This thread's; never NULL. */
extern EP_THREAD_LOCAL struct ep_thread *ep_self;

/* Before a thread's first call, and while it has no record but holds the lock. */
extern struct ep_thread ep_thread_nobody, ep_thread_entering;

/* While a child of vfork() runs on a thread that has no record, and one in that. */
extern struct ep_thread ep_thread_lent, ep_thread_lent_inner;

/* What the stamp of a cell of this thread must be to be recorded into. Asked before anything is
 * written there, and in order: no figure of a call is seen before `calls` of the one before. */
EP_INLINE uint64_t ep_thread_stamp(const struct ep_thread *thread)
{
    /* cppcheck-suppress nullPointerRedundantCheck; an outer loop asked before */
    return ep_load_in_order(&thread->control->generation) + thread->salt;
}

/* Whether what was stamped so is of this time, and not of before a reset. */
EP_INLINE bool ep_thread_is_of_now(const struct ep_thread *thread, uint64_t stamp)
{
    return (stamp & EP_STAMP_GENERATION) >= ep_load(&thread->control->reset_generation);
}

/* The thread's pair of a slot; NULL: it has none. */
EP_INLINE struct ep_pair_cell *ep_thread_pair(struct ep_thread *thread, uint32_t slot)
{
    return slot < thread->pair_capacity ? thread->pairs[slot] : NULL;
}

/* This thread's record, made or taken over if there is none. NULL: none can be
 * had, or a cold path of this very thread was interrupted; counted. */
struct ep_thread *ep_thread_current(void);

/* A cold path begins. Signal handlers see where it has the stack when they see it. */
EP_INLINE void ep_thread_mark_busy(struct ep_thread *thread)
{
    thread->cold_top = thread->top;
    ep_signal_fence();
    thread->busy = 1;
    ep_signal_fence();
}

/* Sets `busy` of this thread, which has a record, for a cold path. NULL: it is
 * set, this is a signal handler in the midst of another; counted as lost. */
struct ep_thread *ep_thread_begin_cold(void);
void ep_thread_end_cold(void);

/* `count` zeroed cells of the thread's own in a row, of one of its pools. 0: none;
 * counted. The thread is busy. */
ep_ref ep_thread_take(struct ep_thread *thread, struct ep_pool *pool, uint32_t count);

/* The record with room for a slot: this one, or a larger one that is ep_self
 * now. NULL and ENOMEM. The thread is busy. */
struct ep_thread *ep_thread_room(struct ep_thread *thread, uint32_t slot);
/* Links a new member behind the last one of a list, or makes it the first. It has been written. */
EP_INLINE void ep_thread_link(ep_ref *first, ep_ref *last, ep_ref *next_of_last, ep_ref added)
{
    /* pairs with the readers' acquire: what they find there has been written */
    ep_store_release(*last ? next_of_last : first, added);
    *last = added;
}

/* Puts a new pair into the table and publishes it. The thread is busy. */
void ep_thread_add_pair(struct ep_thread *thread, uint32_t slot, ep_ref ref);
/* Publishes one that stands for others in holds. The thread is busy. */
void ep_thread_add_scratch(struct ep_thread *thread, ep_ref ref);

/* Opens the table to the hot paths of the source in use, or to none while the
 * thread is off. After a change of source, each thread does so at its next visit. */
void ep_thread_open_tables(struct ep_thread *thread);

/* eprof_thread_enable(). */
void ep_thread_switch(struct ep_thread *thread, bool on);

/* Counts trouble of this thread. */
void ep_thread_trouble(struct ep_thread *thread, enum ep_trouble kind);

/* An empty record whose table has room for a slot. It is never given back: its
 * own thread's handlers, or a next thread, go on with it. NULL and ENOMEM. Lock. */
struct ep_thread *ep_thread_make_record(uint32_t slot);

/* In a forked child of a kernel that does not wipe: what it would have done. */
void ep_thread_wipe_all(void);

/* Before and behind a scope's probe: by a source that is read in order it is in order too. By the
 * counter, which has no called sites, it costs one test off the straight path. */
EP_INLINE void ep_thread_wait(const struct ep_thread *thread)
{
    if (EP_UNLIKELY(thread->called_sites))
        ep_process_wait();
}

#endif /* EP_THREAD_H */
