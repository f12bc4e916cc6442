/*
 * snapshot_flame.h - the boxes of a flame graph of one tree: where each begins, how wide it is
 *
 * (B. Gregg, "The Flame Graph", CACM 59(6), 2016.) A box is as wide as the self time of its row
 * and of all rows below it, so that boxes always fit into the one they stand in, whatever was
 * capped or estimated in their totals, and the graph is as wide as all self time. Children stand
 * at the left of their parent, in the order of the rows; what is free at its right is its own.
 */
#ifndef EP_SNAPSHOT_FLAME_H
#define EP_SNAPSHOT_FLAME_H

#include "snapshot_part.h"

struct ep_flame_box {
    size_t row;
    uint32_t level;             /* 0: below the whole */
    uint64_t start_ns, wide_ns; /* of ep_flame's whole_ns */
};

/* What is not worth a box, or has no room. */
struct ep_flame_limits {
    double narrowest;     /* part of the whole that a box has at least: above 0, below 1 */
    size_t boxes, levels; /* so many at most; no fewer boxes than levels */
};

struct ep_flame {
    struct ep_flame_box *boxes; /* in the order of the rows */
    size_t count;
    uint32_t levels;          /* that have boxes */
    uint64_t whole_ns;        /* the self time of all rows */
    double narrowest;         /* as asked for, or more, where there would be too many boxes */
    size_t narrower, further; /* rows left out: narrower than that, or on a further level */
};

/* What a view did not ask for, but is around that, has no time of its own in it. 0, or -1 and
 * ENOMEM; ep_flame_free() in any case. */
int ep_flame_make(struct ep_flame *flame, const struct eprof_snapshot *snapshot,
                  const struct ep_part *part, struct ep_flame_limits limits);
void ep_flame_free(struct ep_flame *flame);

#endif /* EP_SNAPSHOT_FLAME_H */
