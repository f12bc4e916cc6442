/*
 * record/blocks.h - the blocks of calls of which one is timed, and the credit that decides how long
 * they are (record/sampling.h)
 */
#ifndef EP_RECORD_BLOCKS_H
#define EP_RECORD_BLOCKS_H

#include "record/thread.h"

enum { EP_BLOCKS_FIRST_CALLS = 8 }; /* of each node, timed in any case */

/* A thread's first credit, or its credit with another source. */
void ep_blocks_begin_credit(struct ep_thread *thread);

/* The shift of a node's first block: that of a fixed period, or 0. */
unsigned ep_blocks_first_shift(void);

/* Draws a call of the next block. `rest` is the number of calls before the block; it becomes the
 * number after the drawn call. Returns the calls until the drawn one. */
uint32_t ep_blocks_next(struct ep_thread *thread, unsigned shift, uint32_t *rest);

/* How the blocks of a node went so far. */
struct ep_blocks_course {
    uint16_t *since;       /* timed calls since the shift changed; saturates */
    uint8_t *former_shift; /* to return to after long calls; 0: none */
    bool is_first;         /* the timed call is one of EP_BLOCKS_FIRST_CALLS */
};

/* After a timed call: pays for its probe. Returns the shift of the next block. */
unsigned ep_blocks_adapt(struct ep_thread *thread, unsigned before, struct ep_blocks_course course,
                         uint64_t difference_ticks, uint64_t now_ticks);

/* After a call that is timed in any case, by its hold: pays for its probe from what the budget has,
 * and leaves no debt. */
void ep_blocks_pay_hold(struct ep_thread *thread, uint64_t now_ticks);

#endif /* EP_RECORD_BLOCKS_H */
