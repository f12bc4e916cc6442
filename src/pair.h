/*
 * pair.h - the cells of one instance on one thread: found, made, cleared, filled
 */
#ifndef EP_PAIR_H
#define EP_PAIR_H

#include "statistics.h"
#include "thread.h"

enum {
    /* A handle that no instance ever has (instance.c: the last use of a slot is not given out). */
    EP_HANDLE_PROBE = (EP_SLOT_USES - 1) << EP_SLOT_BITS
};

EP_INLINE uint32_t ep_pair_slot(int id)
{
    return (uint32_t)id & (EP_SLOTS - 1);
}

EP_INLINE const struct ep_pair_cell *ep_pair_at(const union ep_cell *cells, ep_ref ref)
{
    return (const struct ep_pair_cell *)&cells[ref];
}

EP_INLINE bool ep_pair_is_current(const struct ep_pair_cell *pair, uint64_t stamp, int id)
{
    return pair->stamp == stamp && pair->handle == (uint32_t)id;
}

/* What handle and depth are together: one word to compare and to store. Put together
 * in a register: through memory, the 64-bit read would wait for the two stores. */
EP_INLINE uint64_t ep_pair_state(int id, uint32_t depth)
{
    uint64_t handle = (uint32_t)id;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return handle | (uint64_t)depth << 32;
#else
    return handle << 32 | depth;
#endif
}

/*
 * This thread's pair for a handle, brought up to date: made if there is none,
 * cleared if what it holds is of another time. NULL: the handle is bad, or
 * there is no memory; counted. The thread is busy.
 */
struct ep_pair_cell *ep_pair_visit(int id);

/* A pair that stands for others in holds. NULL: no memory; counted. The thread is busy. */
struct ep_pair_cell *ep_pair_make_scratch(struct ep_thread *thread);

/* Whether a handle is that of an instance that has not been freed. */
bool ep_pair_is_alive(int id);

/* Adds all of `from` to `to`, both of them this thread's to write now. The thread is busy. */
void ep_pair_absorb(struct ep_pair_cell *to, const struct ep_pair_cell *from);

#endif /* EP_PAIR_H */
