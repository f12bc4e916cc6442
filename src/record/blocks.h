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

/* After a timed call, one of the first ones or a later one: pays for its probe. Returns the shift
 * of the next block; *since are the timed calls since it changed. */
unsigned ep_blocks_adapt(struct ep_thread *thread, unsigned before, bool is_first, uint16_t *since,
                         uint64_t difference_ticks, uint64_t now_ticks);

#endif /* EP_RECORD_BLOCKS_H */
