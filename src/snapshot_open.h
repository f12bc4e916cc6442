/*
 * snapshot_open.h - the open scopes of a thread, from its stack, which it goes on using
 *
 * The stack is looked at before and after the nodes: what is on it both times was
 * open all the while, and none of its time is in a node yet.
 */
#ifndef EP_SNAPSHOT_OPEN_H
#define EP_SNAPSHOT_OPEN_H

#include <stddef.h>

#include "image.h"
#include "snapshot.h"

struct ep_open_scope {
    uint64_t start_ticks;
    uint64_t child_ticks; /* spent in scopes that were left inside */
    uint64_t stamp;
    ep_ref node;
    uint32_t state;
};

/* Lowest first. */
struct ep_open_scopes {
    struct ep_open_scope *at;
    size_t count, room;
};

/* What is on the thread's stack. 0, or -1 and ENOMEM. */
int ep_open_read(struct ep_open_scopes *open, const struct ep_image *image,
                 const struct ep_thread_cell *thread);
/* Looks again, and leaves what is still open. */
void ep_open_read_again(struct ep_open_scopes *open, const struct ep_image *image,
                        const struct ep_thread_cell *thread);

/* Whether the time so far of the thread's scopes can be told. */
bool ep_open_is_timed(const struct ep_image *image, const struct ep_thread_cell *thread,
                      const struct ep_present *present);

/* What the entry at `index` has run for since it was entered, and what of it was spent in no
 * scope that is shown: below zero, in two's complement, where that is more. */
uint64_t ep_open_total_ticks(const struct ep_open_scopes *open, size_t index, uint64_t now_ticks);
uint64_t ep_open_self_ticks(const struct ep_open_scopes *open, size_t index,
                            const struct ep_image *image, uint64_t now_ticks);

/* Whether it is a call of its node: not begun before the last reset, while recording was off
 * or in a hold that is still to be decided. */
bool ep_open_counts(const struct ep_open_scope *scope, const struct ep_image *image);

void ep_open_free(struct ep_open_scopes *open);

#endif /* EP_SNAPSHOT_OPEN_H */
