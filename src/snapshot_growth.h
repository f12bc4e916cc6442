/*
 * snapshot_growth.h - by how much the figures of a snapshot have grown since an earlier one of the
 * same process
 */
#ifndef EP_SNAPSHOT_GROWTH_H
#define EP_SNAPSHOT_GROWTH_H

#include "snapshot.h"

struct ep_growth {
    uint64_t calls;
    uint64_t timed;
    uint64_t total_ns;
    uint64_t self_ns;
};

/* All zero: empty. */
struct ep_growths {
    struct ep_growth *rows; /* of each row that is no trouble */
    struct ep_growth *tops; /* of each of the tops */
};

/*
 * What is new has grown by all that it has. Nothing shrinks: where it is less, since the length of
 * a tick is known better by now, it is 0. `before` NULL: everything is new, as after a reset. 0; -1
 * and ENOMEM, and there is nothing to be freed.
 */
int ep_growth_find(struct ep_growths *growths, const struct eprof_snapshot *before,
                   const struct eprof_snapshot *after);
void ep_growth_free(struct ep_growths *growths);

#endif /* EP_SNAPSHOT_GROWTH_H */
