/*
 * tree.h - the call tree of one thread at one moment, and those of all threads as one tree, or as
 * one for each
 *
 * Nodes of the same path of sites are merged; then each branch gets its row in a walk through the
 * tree, siblings by total time.
 */
#ifndef EP_SNAPSHOT_TREE_H
#define EP_SNAPSHOT_TREE_H

#include <stddef.h>

#include "base/hash.h"
#include "image/image.h"
#include "snapshot/figures.h"
#include "snapshot/making.h"
#include "snapshot/snapshot.h"

/* ---- the open scopes of a thread ---- */

struct ep_open_scope {
    uint64_t start_ticks;
    uint64_t child_ticks; /* spent in scopes inside it that ended */
    ep_ref node;
    uint32_t state;
    bool is_held; /* in an undecided hold */
    bool counts;  /* it is a call of its node: not held, and it did not begin before the last reset
                     or while recording was off */
};

/* Outermost first. */
struct ep_open_scopes {
    struct ep_open_scope *at;
    size_t count, room;
};

/* Reads the stack of a thread, which goes on using it. 0, or -1 and ENOMEM. */
int ep_thread_tree_open_read(struct ep_open_scopes *open, const struct ep_image *image,
                             const struct ep_thread_cell *thread);
/* To be called after the nodes are read: keeps the scopes that are still open. No node has any of
 * their time yet. */
void ep_thread_tree_open_read_again(struct ep_open_scopes *open, const struct ep_image *image,
                                    const struct ep_thread_cell *thread);
void ep_thread_tree_open_free(struct ep_open_scopes *open);

/* ---- times with the probes in them ---- */

/* How many probes of one kind a time contains. */
struct ep_probes {
    uint64_t inside; /* their part inside the call */
    uint64_t around; /* their part around the call */
    uint64_t nested; /* both parts, for calls inside another of their site */
};

struct ep_probed_time {
    uint64_t ticks;
    struct ep_probes probes[EP_PROBE_KINDS];
    uint64_t untimed; /* untimed calls of throttled functions */
    uint64_t missing; /* probe readings that were subtracted too often: a sample of a throttled
                         function represents many calls, of which one has a probe */
    bool is_rest;     /* estimates were subtracted: it may be negative, in two's complement */
};

/* A negative time counts as 0. */
EP_INLINE uint64_t ep_probed_positive(uint64_t ticks)
{
    return ticks >> 63 ? 0 : ticks;
}

/* a + b, saturated; `is_rest`: either may be negative. */
EP_INLINE uint64_t ep_probed_sum(uint64_t a, uint64_t b, bool is_rest)
{
    uint64_t sum = a + b;
    if (!is_rest)
        return ep_saturating_add(a, b);
    return !(a >> 63) && !(b >> 63) && sum >> 63 ? UINT64_MAX >> 1 : sum;
}

EP_INLINE void ep_probed_add(struct ep_probed_time *time, const struct ep_probed_time *more)
{
    const uint64_t highest = UINT64_MAX >> 1; /* of a signed number */
    bool is_rest = time->is_rest || more->is_rest;
    uint64_t a = time->ticks, b = more->ticks;
    if (is_rest && !time->is_rest && a > highest)
        a = highest;
    if (is_rest && !more->is_rest && b > highest)
        b = highest;
    time->ticks = ep_probed_sum(a, b, is_rest);
    time->is_rest = is_rest;
    for (int kind = 0; kind < EP_PROBE_KINDS; kind++) {
        time->probes[kind].inside += more->probes[kind].inside;
        time->probes[kind].around += more->probes[kind].around;
        time->probes[kind].nested += more->probes[kind].nested;
    }
    time->untimed += more->untimed;
    time->missing += more->missing;
}

EP_INLINE bool ep_probed_is_saturated(const struct ep_probed_time *time)
{
    return time->ticks == (time->is_rest ? UINT64_MAX >> 1 : UINT64_MAX);
}

/* ---- the call tree of one thread ---- */

/* The calls below a node that have probes of one kind. */
struct ep_calls_below {
    uint64_t all;    /* of all descendants, except nested calls */
    uint64_t nested; /* nested calls of all descendants */
};

struct ep_node {
    ep_ref ref, parent_ref;
    uint32_t site;
    uint8_t probe; /* enum ep_probe_kind */
    bool is_throttled;
    uint32_t parent;        /* its index; EP_MAP_NONE: none */
    bool is_shown;          /* it has calls, is open, or has a descendant that is shown */
    bool is_hidden;         /* with all descendants: in a hold */
    bool is_timed;          /* its open scopes have their time so far; always in a merged image */
    bool is_sampled;        /* a throttled function */
    uint32_t samples;       /* its calls that also represent others */
    uint64_t probes;        /* its timed calls */
    uint64_t surplus_ticks; /* charged to its parent, but more than its own time */
    struct ep_figures figures;
    struct ep_probed_time total, self; /* with the time so far */
    /* of its children that are shown */
    struct ep_probed_time below_total;
    struct ep_calls_below below[EP_PROBE_KINDS];
    uint64_t below_untimed; /* of all descendants */
    bool has_samples_below;
};

/* Oldest first: parents before their children. */
struct ep_nodes {
    const struct ep_image *image;
    const struct ep_sites *sites;
    struct ep_node *at;
    size_t count, room;
    struct ep_map index; /* by reference */
    struct ep_open_scopes open;
};

/* Reads a thread of the image in place of the one read before. Open scopes have the time so far. 0,
 * or -1: no memory. */
int ep_thread_tree_read(struct ep_nodes *nodes, const struct ep_thread_cell *thread,
                        const struct ep_present *present);
void ep_thread_tree_free(struct ep_nodes *nodes);

/* Whether the figures of a node were written after the last reset. */
bool ep_thread_tree_are_valid(const struct ep_image *image, const struct ep_node_cell *node);

/* ---- the call trees of all threads ---- */

/* A path of sites. */
struct ep_branch {
    uint32_t parent;       /* its index, which is lower */
    uint32_t site;         /* EP_SITE_NONE: this is a root, which has no row */
    uint8_t probe;         /* enum ep_probe_kind */
    bool is_estimate;      /* a throttled function */
    uint32_t first_member; /* of the nodes that were merged into it */
    uint32_t depth;        /* 0: below a root */
    uint32_t rows;         /* its own and those of its descendants */
    size_t parent_row;     /* as `row`; undefined below a root */
    size_t row;            /* counted from the first scope; of a root, the one before its first */
    struct ep_figures figures;
    struct ep_probed_time total, self;    /* as measured, with the time so far */
    uint64_t total_ticks, self_ticks;     /* without probes */
    uint64_t below_measured, below_ticks; /* its children's totals, with and without probes */
    uint64_t total_ns, self_ns;           /* the sort key of a row, or of a top */
};

/* A thread's node that was merged into a branch. */
struct ep_branch_member {
    ep_ref node;
    uint32_t next; /* EP_MAP_NONE: none */
};

struct ep_branch_root {
    uint32_t branch;
    uint32_t end; /* the branch after its last */
    const struct ep_thread_cell *thread;
};

struct ep_snapshot_tree {
    struct ep_sites sites; /* of the image */
    struct ep_branch *branches;
    struct ep_branch_member *members;
    struct ep_branch_root *roots;
    size_t count, room, member_count, member_room, root_count, root_room;
    struct ep_map index; /* by parent and site */
};

/* Reads the threads in the order of their numbers: one tree for each that has a scope to show, or
 * one for all. 0, or -1. */
int ep_snapshot_tree_read(struct ep_snapshot_tree *tree, const struct ep_image *image,
                          const struct ep_present *present, bool by_threads);
void ep_snapshot_tree_free(struct ep_snapshot_tree *tree);

/* Subtracts the probes: sets total_ticks, self_ticks and total_ns of each branch. 0, or -1. */
int ep_tree_order_correct(struct ep_snapshot_tree *tree, const struct ep_conversion *conversion);

/* Sets row, rows and depth of each branch; siblings of equal total_ns are in the order of sites. */
int ep_tree_order_rows(struct ep_snapshot_tree *tree);

#endif /* EP_SNAPSHOT_TREE_H */
