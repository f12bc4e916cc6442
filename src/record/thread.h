/*
 * record/thread.h - the data of a thread: a hot record, and cells of its own in the image
 *
 * The one thread-local pointer points to the hot record: a head, with the stack of open
 * scopes, followed by the table of the thread's instance cells by slot, so that two dependent loads
 * find the cells of an instance. It is private memory that is zero in a forked child, so a table of
 * length 0, which sends each call to its cold path, covers "no thread yet", "forked" and "off".
 *
 * A record never moves. Slots beyond its table are in a second one, which is replaced when it is
 * too small; the old one stays, since a signal handler may replace it while it interrupts a hot
 * path.
 *
 * The record is not the struct ep_thread_cell of the image, which others read. How a record begins,
 * ends and is handed over is in thread_life.h. "Busy": the thread is busy.
 */
#ifndef EP_RECORD_THREAD_H
#define EP_RECORD_THREAD_H

#include "eprof.h"
#include "record/process.h"
#include "record/rate.h"

/* The rest of the last block that was taken for one purpose. */
struct ep_pool {
    ep_ref block_next, block_end;
    ep_ref spare;    /* list of single cells left over from blocks */
    bool is_limited; /* for the call tree, which EPROF=limit= bounds */
};

/* A thread's data on a call site. */
struct ep_site_slot {
    struct ep_open_scope_cell *open; /* innermost open scope whose time counts; NULL: none. It may
                                        have been left just now */
    ep_ref parent;                   /* the site was entered last below this node, */
    ep_ref node;                     /* as this node */
};

enum { EP_THREAD_STRAIGHT = 1 };

/* Signal handlers of a busy thread take no cold path. A path that is only brief leaves cancellation
 * on, since it calls nothing that waits. A thread that is cancelled at any instruction may end in
 * it, so it leaves nothing that ep_thread_life_end() cannot end. */
enum ep_thread_busy { EP_THREAD_IS_COLD = 1, EP_THREAD_IS_BRIEF = 2 };

struct ep_thread {
    /* hot */
    uint32_t counter_pairs; /* length of `pairs` while the source is the processor's counter, */
    uint32_t called_pairs;  /* and while it is a function; otherwise 0, and the cold path decides */
    const struct ep_control_cell *control;
    union ep_cell *cells;            /* of the image */
    uint64_t generation;             /* of those of its cells that may be recorded into: that of
                                        `control`, with the owner_tag in the upper 16 bits
                                        (image/cells_region.h). Atomic */
    uint32_t counter_sites;          /* length of `site_slots`, as counter_pairs for `pairs`, */
    uint32_t called_sites;           /* and as called_pairs, or under a budget */
    uint32_t straight;               /* EP_THREAD_STRAIGHT while counter_sites is not 0: a leave
                                        compares it in one instruction, which gcc does not for 0 */
    struct ep_open_scope_cell *top;  /* the innermost open scope */
    struct ep_site_slot *site_slots; /* by number of the site; number 0, of a site without one, was
                                        never entered below any node */
    ep_ref free; /* lowest cell of the stack that is not in use; 0: not made yet. Right above `top`,
                    but during an enter or a leave: signal handlers begin there */
    struct ep_tree_table *table; /* of the call tree */
    /* cold */
    ep_ref root;            /* of the call tree; 0: none yet */
    uint32_t site_capacity; /* length of `site_slots` */
    uint32_t lost_enters; /* of eprof_enter(), before there was a stack or in a signal handler that
                             interrupted a cold path; their leaves come */
    struct ep_light *light;                /* NULL: none yet; release, read by other threads */
    struct ep_hold *holds;                 /* by level; NULL: no hold yet */
    struct ep_held *held;                  /* calls counted in holds; NULL: none yet */
    struct ep_scale scale;                 /* when an EPROF_SLOW last asked for it, */
    const struct ep_source *scale_source;  /* of this source; NULL: not yet */
    uint32_t level;                        /* of the innermost hold; 0: no hold */
    uint32_t further_holds;                /* begun inside it, without a level of their own */
    uint32_t former_holds;                 /* holds begun before a fork: their keeps are ignored */
    uint32_t dropped_count;                /* length of `dropped` */
    struct ep_dropped_pairs *dropped;      /* a page; NULL: none yet */
    uint32_t random;                       /* state of the random generator; 0: not begun */
    uint32_t charge_ticks;                 /* what a timed call costs under a budget, */
    const struct ep_source *charge_source; /* with this source; NULL: no credit yet */
    bool charge_has_cpu;                   /* with two readings of the processor time */
    bool leaves_entry;                     /* a function with a patched entry is being left */
    uint32_t thunks; /* the lower half of the address of the thunks; 0: not known yet */
    struct ep_entry_cost entry_cost[2];  /* not yet added to ep_process.entry_cost */
    int64_t credit, credit_most;         /* for probes, in millionths of a tick */
    uint64_t credited_ticks;             /* the moment up to which time has given credit */
    uint64_t run_ticks, run_step_ticks;  /* when ep_rate_run_refresh() was called, and how often */
    uint32_t busy;                       /* enum ep_thread_busy; a cold path is under way, */
    int cancel_state, cancel_type;       /* and these were the thread's before it */
    struct ep_open_scope_cell *cold_top; /* its top of the stack: those above are of handlers */
    struct ep_open_scope_cell *cold_top_before; /* that of an interrupted path */
    uint32_t near_capacity;                     /* length of `pairs` */
    uint32_t far_capacity;                      /* length of `far_pairs`; 0: none */
    uint64_t *far_pairs;                        /* as `pairs`, for the slots beyond it */
    struct ep_thread_cell *cell;                /* NULL: not alive, or forked */
    bool is_off;                                /* by eprof_thread_enable(false) */
    bool was_interrupted;  /* a handler recorded during an enter: time inside may count twice */
    uint32_t lent;         /* nested vfork() children that use this record: they record nothing */
    uint64_t switch_birth; /* instances allocated later are not affected by the last switch */
    struct ep_switches switches;    /* of eprof_thread_enable() */
    const struct ep_source *source; /* of the open tables and of the ticks of `switches` */
    struct ep_pool instance_cells, tree_cells;
    ep_ref last_pair, last_scratch, last_node; /* the last members of its lists; 0: none yet */
    struct ep_thread *next_ended;              /* in the pool, or of those that joined a thread */
    struct ep_thread *joined;      /* ended, of its name: their figures are still to be moved */
    struct ep_thread *made_before; /* of all records */
    /* by slot: bytes from `cells` to the thread's instance cells; 0: none. Pages that were never
     * used take no memory */
    uint64_t pairs[];
};

/* The hot records of all threads; lock. */
enum { EP_THREAD_LISTS = 1024 };

struct ep_thread_pool {
    /* for the next thread of the same name, by the hash of the name; list 0: without a name */
    struct ep_thread *ended[EP_THREAD_LISTS];
    struct ep_thread *blank; /* without figures, for the next thread of any name */
    struct ep_thread *made;  /* all records */
    ep_ref last;             /* the last thread of the image; 0: none yet */
    ep_ref block;            /* taken for a record that could then not be made; 0: none */
    uint32_t joined;         /* records that have joined another and still have their figures */
    uint32_t orphans;        /* threads of the image without a hot record: the parent's */
    uint64_t raised;         /* the generation that all threads have reached; release */
};

extern struct ep_thread_pool ep_thread_pool;

struct ep_tree_table;
struct ep_hold;
struct ep_held;
struct ep_light;

/* What inline scopes use (eprof/scopes.h): record/light.h. An entry and edges that match nothing.
 */
enum {
    EP_THREAD_PLACES = 131072, /* the offsets of states, in edges */
    EP_THREAD_SITES = 16384,   /* the offsets of sites and of keys; scopes of sites with higher
                                  numbers are never entered inline */
    EP_THREAD_EDGES = EP_THREAD_PLACES + EP_THREAD_SITES
};
extern EP_THREAD_LOCAL struct eprof_hot eprof_hot;
/* A signal handler may set `top` to no scope between the comparison and the subtraction of a leave.
 * So below it are as many entries as handlers can interrupt each other, one for each signal. */
enum { EP_THREAD_NO_SCOPES = 65 };
extern struct eprof_open ep_thread_no_scopes[EP_THREAD_NO_SCOPES], ep_thread_at_work;

EP_INLINE struct eprof_open *ep_thread_no_scope(void)
{
    return &ep_thread_no_scopes[EP_THREAD_NO_SCOPES - 1];
}

EP_INLINE bool ep_thread_is_no_scope(const struct eprof_open *top)
{
    return (uintptr_t)top - (uintptr_t)ep_thread_no_scopes < sizeof ep_thread_no_scopes;
}

/* In place of the cell of an entry. */
#define EP_LIGHT_TIMED EPROF_TIMED_CELL   /* none yet; the call is timed (record/light.h) */
#define EP_LIGHT_MANUAL EPROF_MANUAL_CELL /* none yet; the scope was entered by hand */
#define EP_LIGHT_ENTRY EPROF_ENTRY_CELL   /* none yet; the function's entry is patched, no leave */
/* Nothing writes them. They are not constant, since constants take room in the library's file. */
extern struct eprof_edge ep_thread_no_edges[EP_THREAD_EDGES];
/* After the generation was raised: no scope of any thread is entered inline until the thread has
 * called the library. Lock. */
void ep_thread_raise_all(void);
void ep_thread_await_raise_cold(uint64_t number); /* see ep_thread_await_raise() */
/* Whether another thread has entered a scope inline and not left it yet. Lock. */
bool ep_thread_any_is_inside(void);

/* The record of this thread; never NULL. */
extern EP_THREAD_LOCAL struct ep_thread *ep_thread_self;

/* Before a thread's first call; while a thread without a record holds the lock. */
extern struct ep_thread ep_thread_nobody, ep_thread_entering;

/* While a child of vfork() runs on a thread without a record; while such a child has a child of its
 * own. */
extern struct ep_thread ep_thread_lent, ep_thread_lent_inner;

/* The generation of those cells of this thread that may be recorded into. It is read before the
 * cell is written, and in order: no figure of a call is visible before `calls` of the call before.
 * The acquire pairs with the release in ep_thread_raise_all(). */
EP_INLINE uint64_t ep_thread_generation(const struct ep_thread *thread)
{
    /* cppcheck-suppress nullPointerRedundantCheck; an outer loop has checked it */
    return ep_load_in_order(&thread->generation);
}

/* The same without the owner_tag. */
EP_INLINE uint64_t ep_thread_generation_number(const struct ep_thread *thread)
{
    return ep_thread_generation(thread) & EP_GENERATION_NUMBER;
}

/* Adds to the owner_tag. Atomic: another thread may raise the generation at the same time. */
EP_INLINE void ep_thread_add_tag(struct ep_thread *thread, uint64_t tag)
{
    __atomic_fetch_add(EP_ALIGNED(&thread->generation), tag, __ATOMIC_RELAXED);
}

/* Before a cell gets a generation: waits until all threads have reached it. Otherwise a pair that
 * counts after a reset could be followed by one of a slower thread that does not. */
EP_INLINE void ep_thread_await_raise(uint64_t generation)
{
    /* pairs with the release in ep_thread_raise_all() */
    if (EP_UNLIKELY(ep_load_acquire(&ep_thread_pool.raised) < (generation & EP_GENERATION_NUMBER)))
        ep_thread_await_raise_cold(generation & EP_GENERATION_NUMBER);
}

/* Whether a site has a slot, and recording is not switched off for this thread. */
EP_INLINE bool ep_thread_has_slot(const struct ep_thread *thread, uint32_t number)
{
    return number && number < thread->counter_sites + thread->called_sites;
}

/* Whether a generation is not older than the last reset. */
EP_INLINE bool ep_thread_is_of_now(const struct ep_thread *thread, uint64_t generation)
{
    return (generation & EP_GENERATION_NUMBER) >= ep_load(&thread->control->reset_generation);
}

EP_INLINE struct ep_instance_cells *ep_thread_instance_cells_at(const struct ep_thread *thread,
                                                                ep_ref ref)
{
    return (struct ep_instance_cells *)&thread->cells[ref];
}

/* For the hot paths: the thread's instance cells of a near slot. Without any it is the
 * image's first cell, whose `state` is that of no pair, so one comparison finds both (100
 * instructions a pair in place of 102, gcc 12 -O2, 2026-11-24). */
EP_INLINE struct ep_instance_cells *ep_thread_instance_cells_hot(const struct ep_thread *thread,
                                                                 uint32_t slot)
{
    return (struct ep_instance_cells *)((char *)thread->cells + thread->pairs[slot]);
}

_Static_assert(offsetof(struct ep_identity_cell, byte_order) ==
                       offsetof(struct ep_instance_cells, depth) &&
                   EP_BYTE_ORDER > 1,
               "the first cell's depth is that of no hot pair");

/* The thread's instance cells of a slot; NULL: none. */
EP_INLINE struct ep_instance_cells *ep_thread_instance_cells(const struct ep_thread *thread,
                                                             uint32_t slot)
{
    uint64_t offset = slot < thread->near_capacity  ? thread->pairs[slot]
                      : slot < thread->far_capacity ? thread->far_pairs[slot]
                                                    : 0;
    return offset ? (struct ep_instance_cells *)((char *)thread->cells + offset) : NULL;
}

/* The table has room for the slot. */
EP_INLINE void ep_thread_set_instance_cells(struct ep_thread *thread, uint32_t slot,
                                            const struct ep_instance_cells *pair)
{
    uint64_t *offset =
        slot < thread->near_capacity ? &thread->pairs[slot] : &thread->far_pairs[slot];
    *offset = pair ? (uint64_t)((const char *)pair - (const char *)thread->cells) : 0;
}

/* Marks the beginning of a cold path. A signal handler that sees `busy` also sees which entry was
 * the top of the stack when the cold path began. One that comes between the two stores may have a
 * cold path of its own, and restores cold_top at its end. */
EP_INLINE void ep_thread_mark_busy(struct ep_thread *thread, enum ep_thread_busy busy)
{
    struct ep_open_scope_cell *before = thread->cold_top;
    ep_signal_fence();
    thread->cold_top = thread->top;
    ep_signal_fence();
    thread->busy = busy;
    ep_signal_fence();
    thread->cold_top_before = before;
}

EP_INLINE void ep_thread_unmark_busy(struct ep_thread *thread)
{
    struct ep_open_scope_cell *before = thread->cold_top_before;
    ep_signal_fence();
    thread->busy = 0;
    ep_signal_fence();
    thread->cold_top = before;
}

/* Sets `busy` of this thread, which has a record, for a cold path. NULL: this is a signal handler
 * that interrupted a cold path; counted as lost. */
struct ep_thread *ep_thread_begin_cold(void);
void ep_thread_end_cold(void);

/* Takes `count` consecutive zeroed cells of the thread from one of its pools. 0: none; counted.
 * Busy.
 */
ep_ref ep_thread_take(struct ep_thread *thread, struct ep_pool *pool, uint32_t count);

/* Makes room for a slot in the record's tables. false and ENOMEM. Busy. */
bool ep_thread_make_room(struct ep_thread *thread, uint32_t slot);

/* Appends a new member, which has been written, to a list. */
EP_INLINE void ep_thread_link(ep_ref *first, ep_ref *last, ep_ref *next_of_last, ep_ref added)
{
    /* pairs with the readers' acquire: the member has been written */
    ep_store_release(*last ? next_of_last : first, added);
    *last = added;
}

/* Puts new instance cells into the table and publishes them. Busy. */
void ep_thread_add_pair(struct ep_thread *thread, uint32_t slot, ep_ref ref);
/* Publishes scratch instance cells of a hold. Busy. */
void ep_thread_add_scratch(struct ep_thread *thread, ep_ref ref);

/* Opens the tables to the hot paths of the source in use, or to none while the thread is off; also
 * at the first visit after a change of source. */
void ep_thread_open_tables(struct ep_thread *thread);

/* For eprof_thread_enable(). */
void ep_thread_switch(struct ep_thread *thread, bool on);

/* Adds 1 to a diagnostic of this thread. */
void ep_thread_diagnose(struct ep_thread *thread, enum ep_diagnostic kind);
/* The thread's note cell, cleared if it is older than the last reset. NULL: the record belongs to
 * no thread. */
struct ep_note_cell *ep_thread_note(struct ep_thread *thread);
/* Counts an unwound scope, and notes its site if it is one of the first. */
void ep_thread_unended(struct ep_thread *thread, uint32_t site);

/* An empty record. It is never freed: signal handlers of its thread, or a next thread, may use it.
 * NULL and ENOMEM. Lock. */
struct ep_thread *ep_thread_make_record(void);

/* Zeroes all records in a forked child, where the kernel does not. */
void ep_thread_wipe_all(void);

/* The probe of a scope calls it before and after each read of a source that needs ordered reads.
 * With the processor's counter called_sites is 0, and it costs one test off the straight path. */
EP_INLINE void ep_thread_wait(const struct ep_thread *thread)
{
    if (EP_UNLIKELY(thread->called_sites))
        ep_process_wait();
}

#endif /* EP_RECORD_THREAD_H */
