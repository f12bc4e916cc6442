/*
 * record/instance_cells.h - the cells of one instance on one thread, and the scratch cells that
 * replace them in a hold: found, made, cleared, and added up at the end of a hold
 *
 * A *pair* is a start with its stop. The instance itself (label, handle) is in
 * instrument/instance_set.h; start and stop are in instrument/instance.c.
 */
#ifndef EP_RECORD_INSTANCE_CELLS_H
#define EP_RECORD_INSTANCE_CELLS_H

#include "record/cpu.h"
#include "record/statistics.h"
#include "record/thread.h"

struct ep_hold;

enum {
    /* A handle that no instance ever has: instrument/instance_set.c does not give out the last use
     * of a slot. */
    EP_HANDLE_PROBE = (EP_SLOT_USES - 1) << EP_SLOT_BITS
};

EP_INLINE uint32_t ep_instance_cells_slot(int id)
{
    return (uint32_t)id & (EP_SLOTS - 1);
}

EP_INLINE bool ep_instance_cells_is_current(const struct ep_instance_cells *pair,
                                            uint64_t generation, int id)
{
    return pair->generation == generation && pair->handle == (uint32_t)id;
}

/* Handle and depth as one word, to compare and store together. It is put together in a register: in
 * memory the 64-bit load would wait for the two stores. */
EP_INLINE uint64_t ep_instance_cells_state(int id, uint32_t depth)
{
    uint64_t handle = (uint32_t)id;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return handle | (uint64_t)depth << 32;
#else
    return handle << 32 | depth;
#endif
}

/* The processor time of instance cells; NULL: they have none. */
EP_INLINE struct ep_cpu_sums *ep_instance_cells_cpu(const struct ep_thread *thread,
                                                    const struct ep_instance_cells *pair)
{
    ep_ref ref = ep_load(&pair->stats.cpu);
    return ref ? &thread->cells[ref].cpu_sums : NULL;
}

/* This thread's cells for a handle, brought up to date: made if there are none, cleared if their
 * figures are of another use of the slot or older than a reset. In a hold these are scratch cells.
 * NULL: the handle is bad, or there is no memory; counted. The thread is busy. */
struct ep_instance_cells *ep_instance_cells_visit(int id);

/* Whether a handle is that of an instance that has not been freed. */
bool ep_instance_cells_is_alive(int id);

/* ---- in holds ---- */

/* Instance cells that were used in a hold. Entries after the last one in use were used by an
 * earlier hold of this level; their `scratch` is used again. */
struct ep_held_cells {
    struct ep_instance_cells *scratch;
    struct ep_instance_cells *base; /* that `scratch` replaces */
    uint32_t slot;
    uint32_t base_depth; /* pairs that were open when the hold first used it and still are */
};

/* Pairs that were dropped while they were open inside others. Their stops come before those of the
 * others and are ignored. */
struct ep_dropped_pairs {
    struct ep_instance_cells *pair;
    uint32_t below; /* depth without them */
    uint32_t count;
};

/* For a stop when more than one pair is open: whether it ends a pair that began before the hold. If
 * so, returns the cells of that pair, and one pair less is open here; else NULL. */
struct ep_instance_cells *ep_instance_cells_hold_of_before(struct ep_thread *thread,
                                                           struct ep_instance_cells *pair);
/* For a stop when more than one pair is open: whether it ends a dropped pair. If so, one pair less
 * is open. */
bool ep_instance_cells_hold_was_dropped(struct ep_thread *thread, struct ep_instance_cells *pair);
/* The cells for a span that began at start_ticks: `pair`, or the cells that it replaces. */
struct ep_instance_cells *ep_instance_cells_hold_at(struct ep_thread *thread,
                                                    struct ep_instance_cells *pair,
                                                    uint64_t start_ticks);
void ep_instance_cells_holds_prepare(struct ep_thread *thread, struct ep_hold *hold);
void ep_instance_cells_holds_end(struct ep_thread *thread, struct ep_hold *hold, bool keep);

#endif /* EP_RECORD_INSTANCE_CELLS_H */
