/*
 * record/hold.h - holds: the calls that a thread records between eprof_hold() and eprof_keep()
 * count only if the hold is kept
 *
 * Entering a hold raises the level in the thread's owner tag, so every cell of the thread fails the
 * comparison that also detects a reset and takes the slow path once. There it is replaced by a
 * scratch cell and listed; later calls use the scratch cell at full speed. A keep adds the listed
 * cells to the cells that they replace, one level down; a drop discards them. A call belongs to the
 * hold in which it began. The scratch cells of instances are in instance_cells.h.
 */
#ifndef EP_RECORD_HOLD_H
#define EP_RECORD_HOLD_H

#include "record/thread.h"

struct ep_held_cells;

/* Holds inside the last level are only counted: the last level decides for them. */
enum { EP_HOLD_LEVELS = EP_LEVELS - 1 };

/* The ticks of an EPROF_SLOW that lasts so many ns: below `short_ticks` it is surely dropped, from
 * `long_ticks` on surely kept. */
struct ep_hold_limits {
    uint64_t least_ns;
    const struct ep_source *source; /* NULL: not known yet */
    uint64_t short_ticks, long_ticks;
};

struct ep_hold {
    struct ep_held_cells *pairs;
    uint32_t pair_count, pair_room;
    ep_ref touched;                   /* the last node used; 0: none */
    struct ep_open_scope_cell *entry; /* innermost open scope when the hold began or, if it was
                                         left, the one below; NULL: no stack */
    uint64_t child_before;            /* child_ticks of `entry` when the hold began */
    uint64_t begin_ticks;
    const struct ep_source *source;     /* of these ticks */
    uint64_t least_ns;                  /* of EPROF_SLOW */
    struct ep_hold_limits limits;       /* of the last EPROF_SLOW at this level */
    uint64_t generation;                /* when it began, or when the next three were zeroed */
    uint64_t kept_inside, ended_inside; /* holds inside it: kept so far, and ended */
    bool is_beginning; /* `source` and `begin_ticks` are not set yet: a span that a signal handler
                          records began before it */
    bool counts; /* recording was on when it began, and no reset came since: it is counted itself */
};

/* eprof_hold() and eprof_keep() of this thread. NULL: it has no record. errno is kept. */
void ep_hold_begin(struct ep_thread *thread);
void ep_hold_end(struct ep_thread *thread, bool keep);

/* At the thread's end: drops all holds. Lock. */
void ep_hold_forget(struct ep_thread *thread);

/* ---- the parts of a begin and an end, also for EPROF_SLOW (record/slow.h). Busy. ---- */

/* Whether a hold that begins gets a level of its own. */
EP_INLINE bool ep_hold_has_level(const struct ep_thread *thread)
{
    return thread->level < EP_HOLD_LEVELS && !thread->further_holds;
}
/* Begins a hold with a level of its own. Its `source` and `begin_ticks` are left to the caller. */
void ep_hold_begin_level(struct ep_thread *thread);
/* Begins a hold. false: it has no level; it is only counted. */
bool ep_hold_begin_or_count(struct ep_thread *thread);
/* Ends the innermost hold that has a level. */
void ep_hold_end_level(struct ep_thread *thread, bool keep);
void ep_hold_leave_level(struct ep_thread *thread);
/* Counts a hold whose level was left, and the holds that ended inside it. */
void ep_hold_count_end(struct ep_thread *thread, struct ep_hold *hold, bool keep);

EP_INLINE struct ep_hold *ep_hold_at(const struct ep_thread *thread, uint32_t level)
{
    return &thread->holds[level - 1];
}

/* The level of holds in a generation. */
EP_INLINE uint32_t ep_hold_level(uint64_t generation)
{
    return (uint32_t)(generation / EP_OWNER_TAG_LEVEL);
}

/* The node that replaces `node` in the innermost hold: a scratch node, or itself outside of holds.
 * 0: no memory; counted. The thread is busy. */
ep_ref ep_hold_node(struct ep_thread *thread, ep_ref node);
/* Whether this is a scratch node without figures of the present hold: its calls in it were only
 * counted. */
EP_INLINE bool ep_hold_is_unlisted(const struct ep_node_cell *node)
{
    return node->level && !node->next_touched;
}
/* Brings a node up to date, and lists it if it is a scratch node. The thread is busy. */
void ep_hold_visit(struct ep_thread *thread, ep_ref ref, uint64_t generation);
/* A scope in which holds began is being left: the holds go on in the scope below. */
void ep_hold_rebase(struct ep_thread *thread, const struct ep_open_scope_cell *entry, bool counts);
/* In a forked child: a scope that is open in a hold of the parent is void, as after a drop. */
void ep_hold_tree_leave(struct ep_thread *thread, struct ep_open_scope_cell *entry);

#endif /* EP_RECORD_HOLD_H */
