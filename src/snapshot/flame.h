/*
 * flame.h - the boxes of a flame graph of one tree: the start and the width of each
 *
 * (B. Gregg, "The Flame Graph", CACM 59(6), 2016.) The width of a box is the self time of its row
 * and of all rows below it. So boxes always fit into their parent, even if totals were capped or
 * estimated, and the graph is as wide as the sum of self time. Children begin at the left edge of
 * their parent, in the order of the rows; the rest at its right is the parent's self time.
 */
#ifndef EP_SNAPSHOT_FLAME_H
#define EP_SNAPSHOT_FLAME_H

#include "snapshot/part.h"

struct ep_flame_box {
    size_t row;
    uint32_t level;             /* 0: below the whole */
    uint64_t start_ns, wide_ns; /* of ep_flame's whole_ns */
};

struct ep_flame_limits {
    double narrowest;     /* the least part of the whole that gets a box: above 0, below 1 */
    size_t boxes, levels; /* the most of each; no fewer boxes than levels */
};

struct ep_flame {
    struct ep_flame_box *boxes; /* in the order of the rows */
    size_t count;
    uint32_t levels;          /* that have boxes */
    uint64_t whole_ns;        /* the self time of all rows */
    double narrowest;         /* as requested, or more if there would be too many boxes */
    size_t narrower, further; /* rows without a box: too narrow, or on a level too far */
};

/* Ancestors of a view count without self time. 0, or -1 and ENOMEM; to be freed in any case. */
int ep_flame_make(struct ep_flame *flame, const struct eprof_snapshot *snapshot,
                  const struct ep_part *part, struct ep_flame_limits limits);
void ep_flame_free(struct ep_flame *flame);

#endif /* EP_SNAPSHOT_FLAME_H */
