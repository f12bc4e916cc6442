/*
 * hold.h - what a thread records in between counts only if it is kept
 *
 * In a hold a thread records into cells of its own, at full speed: the salt of its stamps
 * tells the hold's level, so that every other cell is stale and the first visit, off the hot
 * path, puts a scratch one in its place and lists it. Keep adds what is listed to what it
 * stands for, one level down; drop forgets it; both take the number of cells that were
 * touched. A call belongs to the hold in which it began: hold_pair.c and hold_tree.c see to
 * those that are open when a hold begins or ends.
 */
#ifndef EP_HOLD_H
#define EP_HOLD_H

#include "thread.h"

/* A pair that was touched in a hold. What stands behind the last one in use was used by an
 * earlier hold of this level, and its `scratch` is there to be used again. */
struct ep_held_pair {
    struct ep_pair_cell *scratch;
    struct ep_pair_cell *base; /* what it stands for */
    uint32_t slot;
    uint32_t base_depth; /* pairs that were open when it was touched, and are still */
};

/* Pairs that were dropped while they were open inside others: their stops, which come before
 * those of the others, are nothing. */
struct ep_dropped_pairs {
    struct ep_pair_cell *pair;
    uint32_t below; /* its depth without them */
    uint32_t count;
};

struct ep_hold {
    struct ep_held_pair *pairs;
    uint32_t pair_count, pair_room;
    ep_ref touched;              /* the node touched last; 0: none */
    struct ep_frame_cell *entry; /* the innermost when it began, or when that was left, the one
                                    below it; NULL: there was no stack */
    uint64_t child_before;       /* of that entry, when it began */
    uint64_t begin_ticks;
    const struct ep_source *source; /* that those are of */
    uint64_t least_ns;              /* of EPROF_SLOW */
};

/* ---- hold.c ---- */

/* eprof_hold() and eprof_keep(). Keep errno. */
void ep_hold_begin(void);
void ep_hold_end(bool keep);

/* For EPROF_SLOW: a hold for the scope that comes next. false: none could be had. */
bool ep_hold_begin_slow(uint64_t least_ns);
/* That scope has ended: keeps or drops, all holds inside it too. The thread is busy. */
void ep_hold_end_slow(struct ep_thread *thread, uint32_t level, uint64_t difference_ticks);

/* At the thread's end: drops all. Lock. */
void ep_hold_forget(struct ep_thread *thread);

EP_INLINE struct ep_hold *ep_hold_at(const struct ep_thread *thread, uint32_t level)
{
    return &thread->holds[level - 1];
}

/* The level in a stamp. */
EP_INLINE uint32_t ep_hold_level(uint64_t stamp)
{
    return (uint32_t)(stamp / EP_STAMP_LEVEL);
}

/* ---- hold_tree.c: nodes of the call tree ---- */

/* What stands for a node in the innermost hold: itself, where there is none. 0: no memory;
 * counted. The thread is busy. */
ep_ref ep_hold_node(struct ep_thread *thread, ep_ref node);
/* Brings a node up to date and lists it, where it is of a hold. The thread is busy. */
void ep_hold_visit(struct ep_thread *thread, ep_ref ref, uint64_t stamp);
/* An entry is being left that a hold began in: the hold goes on in the one below. */
void ep_hold_rebase(struct ep_thread *thread, const struct ep_frame_cell *entry, bool counts);
/* What keep and drop do about the nodes of a hold. Prepared before anything is added, so
 * that nothing is left to fail, or to wait for, in between. */
void ep_hold_tree_prepare(struct ep_thread *thread, struct ep_hold *hold);
void ep_hold_tree_keep(struct ep_thread *thread, struct ep_hold *hold);
void ep_hold_tree_drop(struct ep_thread *thread, struct ep_hold *hold);
/* The entries that began in the hold and are open still. */
void ep_hold_tree_settle(struct ep_thread *thread, struct ep_hold *hold, bool keep);
/* In a forked child: what is open in a hold of the parent's is nothing, and stands for itself, as
 * after a drop. */
void ep_hold_tree_leave(struct ep_thread *thread, struct ep_frame_cell *entry);

/* ---- hold_pair.c: pairs of instances ---- */

/* What stands for a pair in the innermost hold, put into the table in its place. NULL: no
 * memory; counted. The thread is busy. */
struct ep_pair_cell *ep_hold_pair(struct ep_thread *thread, struct ep_pair_cell *pair);
/* A stop of a pair that is open more than once, or from before: whether it ends one that
 * began before the hold. That one is returned, and has one pair less to end here; else NULL. */
struct ep_pair_cell *ep_hold_pair_of_before(struct ep_thread *thread, struct ep_pair_cell *pair);
/* A stop of a pair that is open more than once: whether it ends one that was dropped. It has
 * one less to end then. */
bool ep_hold_pair_was_dropped(struct ep_thread *thread, struct ep_pair_cell *pair);
/* Before a pair is cleared by a reset: what began before the hold is of its own time, and what
 * was dropped is nothing in either. */
void ep_hold_pair_forget(struct ep_thread *thread, struct ep_pair_cell *pair);
/* The pair that a span belongs to which began at start_ticks: `pair`, or one below it. */
struct ep_pair_cell *ep_hold_pair_at(struct ep_thread *thread, struct ep_pair_cell *pair,
                                     uint64_t start_ticks);
void ep_hold_pairs_prepare(struct ep_thread *thread, struct ep_hold *hold);
void ep_hold_pairs_end(struct ep_thread *thread, struct ep_hold *hold, bool keep);

#endif /* EP_HOLD_H */
