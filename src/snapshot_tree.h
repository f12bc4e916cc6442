/*
 * snapshot_tree.h - the call trees of all threads as one, or as one for each
 *
 * Nodes of the same path of sites are merged; then each has its place in a walk through the
 * tree, children by their time.
 */
#ifndef EP_SNAPSHOT_TREE_H
#define EP_SNAPSHOT_TREE_H

#include "snapshot_nodes.h"

/* A path of sites. */
struct ep_branch {
    uint32_t parent;       /* its index: a parent stands before its children */
    uint32_t site;         /* EP_SITE_NONE: this is a root, which is no row */
    uint8_t probe;         /* enum ep_probe_kind */
    bool is_estimate;      /* of a throttled function */
    uint32_t first_member; /* what was merged into it */
    uint32_t depth;        /* 0: below a root */
    uint32_t rows;         /* of it and all below */
    size_t row;            /* counted from the first scope; of a root, the one before its first */
    struct ep_figures figures;
    struct ep_probed_time total, self;    /* as measured, with the time so far */
    uint64_t total_ticks, self_ticks;     /* without what the probe added */
    uint64_t below_measured, below_ticks; /* its children's totals, with and without that */
    uint64_t total_ns, self_ns;           /* as the row, or a top, is sorted by */
};

/* A thread's node that was merged into a branch. */
struct ep_branch_member {
    ep_ref node;
    uint32_t next; /* EP_MAP_NONE: none */
};

struct ep_branch_root {
    uint32_t branch;
    uint32_t end; /* the branch behind its last */
    const struct ep_thread_cell *thread;
};

struct ep_snapshot_tree {
    struct ep_branch *branches;
    struct ep_branch_member *members;
    struct ep_branch_root *roots;
    size_t count, room, member_count, member_room, root_count, root_room;
    struct ep_map index; /* by parent and site */
};

/* All threads of the image in the order of their numbers; a tree for each that has a scope
 * to show, or one. 0, or -1 and ENOMEM. */
int ep_snapshot_tree_read(struct ep_snapshot_tree *tree, const struct ep_image *image,
                          const struct ep_present *present, bool by_threads);

void ep_snapshot_tree_free(struct ep_snapshot_tree *tree);

#endif /* EP_SNAPSHOT_TREE_H */
