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
    bool is_held;    /* in an undecided hold */
    bool is_untimed; /* under a budget: only counted */
    bool counts; /* it is a call of its node: not held, and it did not begin before the last reset
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
/* The time that a scope spent in no other scope that is shown; may be negative. Scopes above it
 * that do not count charge it with the time of calls that ended inside them. The time in an
 * undecided hold, and of an untimed call, is its own. */
uint64_t ep_thread_tree_open_self_ticks(const struct ep_open_scopes *open, size_t index,
                                        uint64_t now_ticks);
void ep_thread_tree_open_free(struct ep_open_scopes *open);

/* ---- times with the probes in them ---- */

struct ep_probed_time {
    uint64_t ticks;
    uint64_t probes_milliticks; /* what the probes in it cost */
    /* inner parts of probes that were subtracted and were not in it: of calls that a timed one
     * represents */
    uint64_t missing_milliticks;
    bool is_rest;     /* estimates were subtracted: it may be negative, in two's complement */
    bool is_of_parts; /* a total that is the sum of its parts, with estimates in it */
};

/* Adds what a probe costs, so many times. */
EP_INLINE void ep_probed_cost(uint64_t *sum_milliticks, uint64_t milliticks, uint64_t times)
{
    uint64_t cost = ep_wide_saturated(ep_wide_multiply(milliticks, times));
    *sum_milliticks = ep_saturating_add(*sum_milliticks, cost);
}

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
    time->is_of_parts |= more->is_of_parts;
    time->probes_milliticks = ep_saturating_add(time->probes_milliticks, more->probes_milliticks);
    time->missing_milliticks =
        ep_saturating_add(time->missing_milliticks, more->missing_milliticks);
}

EP_INLINE bool ep_probed_is_saturated(const struct ep_probed_time *time)
{
    return time->ticks == (time->is_rest ? UINT64_MAX >> 1 : UINT64_MAX);
}

/* ---- the call tree of one thread ---- */

struct ep_node {
    ep_ref ref, parent_ref;
    uint32_t site;
    uint8_t probe;     /* enum ep_probe_kind */
    bool is_throttled; /* in older images: one call in EP_SAMPLE_WEIGHT was timed */
    uint32_t parent;   /* its index; EP_MAP_NONE: none */
    bool is_shown;     /* it has calls, is open, or has a descendant that is shown */
    bool is_value;     /* it has numbers in place of calls, and no time */
    bool is_hidden;    /* with all descendants: in a hold */
    bool counts_begun; /* under a budget: its open calls count */
    bool is_timed;     /* its open scopes have their time so far; always in a merged image */
    /* under a budget; without one its timed calls represent themselves */
    uint64_t timed, weight;           /* its timed calls, and the calls that they represent */
    uint64_t sampled, sampled_weight; /* those that represent more than themselves */
    struct ep_cpu_sums cpu;
    struct ep_figures figures;
    uint64_t beyond; /* calls that no timed one represents and that `figures` lack, if sampled times
                        stay sums; may be negative, in two's complement */
    struct ep_probed_time total, self; /* with the time so far */
    uint64_t inside_milliticks;        /* of its own calls' probes, the inner parts */
    /* of its children that are shown */
    struct ep_probed_time below_total;
    uint64_t below_milliticks;    /* of all probes of its descendants */
    uint64_t overhead_milliticks; /* what its own probes cost, subtracted or not */
    uint64_t values_milliticks;   /* what its values cost, which are recorded in it */
    bool has_estimates_below;
};

/* Oldest first: parents before their children. */
struct ep_nodes {
    const struct ep_conversion *conversion;
    const struct ep_image *image;
    const struct ep_sites *sites;
    struct ep_node *at;
    size_t count, room;
    struct ep_map index; /* by reference */
    struct ep_open_scopes open;
};

/* Whether the figures of a node were written after the last reset. */
bool ep_thread_tree_node_is_valid(const struct ep_image *image, const struct ep_node_cell *node);
/* Reads the figures of a node, none if they are not valid. Compares the generation before and
 * after; pairs with ep_tree_clear(). */
void ep_thread_tree_node_read(struct ep_node *node, const struct ep_image *image);

/* Reads a thread of the image in place of the one read before. Open scopes have the time so far. 0,
 * or -1: no memory. */
int ep_thread_tree_read(struct ep_nodes *nodes, const struct ep_thread_cell *thread,
                        const struct ep_present *present);
void ep_thread_tree_free(struct ep_nodes *nodes);

/* ---- the call trees of all threads ---- */

/* A path of sites. */
struct ep_branch {
    uint32_t parent;       /* its index, which is lower */
    uint32_t site;         /* EP_SITE_NONE: this is a root, which has no row */
    uint8_t probe;         /* enum ep_probe_kind */
    bool has_estimates;    /* among its children */
    uint32_t first_member; /* of the nodes that were merged into it */
    uint32_t depth;        /* 0: below a root */
    uint32_t rows;         /* its own and those of its descendants */
    uint64_t beyond;       /* as of a node */
    size_t parent_row;     /* as `row`; undefined below a root */
    size_t row;            /* counted from the first scope; of a root, the one before its first */
    struct ep_figures figures;
    struct ep_probed_time total, self; /* as measured, with the time so far */
    uint64_t inside_milliticks;        /* of its own calls' probes, the inner parts */
    uint64_t overhead_milliticks;      /* what its own probes cost, subtracted or not */
    uint64_t values_milliticks;        /* what its values cost */
    uint64_t total_ticks, self_ticks;  /* without probes */
    uint64_t cut_ticks;                /* subtracted from its total to fit it, as from each call */
    /* added to its total to fit it, or subtracted; its calls stay as they are */
    uint64_t raise_ticks, lower_ticks;
    double self_variance;       /* of its self time, in ticks^2, from the estimates in it; negative:
                                   unknown */
    uint64_t total_ns, self_ns; /* the sort key of a row, or of a top */
};

/* A thread's node that was merged into a branch. */
struct ep_branch_member {
    ep_ref node;
    uint32_t next; /* EP_MAP_NONE: none */
};

/* The nodes of one site of values in one branch. */
struct ep_value_branch {
    uint32_t parent; /* a branch */
    uint32_t site;
    uint32_t first_member;
    size_t row; /* that of the branch, + 1; 0: it is a root */
};

struct ep_branch_root {
    uint32_t branch;
    uint32_t end;       /* the branch after its last */
    uint32_t value_end; /* the same of its values, which follow those of the root before */
    const struct ep_thread_cell *thread;
};

struct ep_snapshot_tree {
    const struct ep_conversion *conversion; /* set by the caller */
    struct ep_sites sites;                  /* of the image */
    struct ep_branch *branches;
    struct ep_branch_member *members;
    struct ep_branch_root *roots;
    struct ep_value_branch *values;
    size_t count, room, member_count, member_room, root_count, root_room, value_count, value_room;
    uint32_t thread_count; /* threads with a branch; those of one row count as one */
    const struct ep_thread_cell *last_thread;
    struct ep_map index;       /* by parent and site */
    struct ep_map value_index; /* the same, of values */
};

/* Reads the threads in the order of their numbers: one tree for each that has a scope to show, or
 * one for all. 0, or -1. */
int ep_snapshot_tree_read(struct ep_snapshot_tree *tree, const struct ep_image *image,
                          const struct ep_present *present, bool by_threads);
void ep_snapshot_tree_free(struct ep_snapshot_tree *tree);

/* Sets row, rows and depth of each branch, and puts the branches in the order of their rows;
 * siblings of equal total_ns are in the order of sites. */
int ep_snapshot_tree_rows(struct ep_snapshot_tree *tree);

/* ---- values: values.c ---- */

/* The figures of a node of values, as of times: of their magnitudes. */
struct ep_figures ep_snapshot_values_read(const struct ep_image *image, ep_ref node);

/* Adds the row of each value of a tree, whose scopes have their rows. 0, or -1: no memory. */
int ep_snapshot_values_add(struct eprof_snapshot *snapshot, const struct ep_snapshot_tree *tree,
                           const struct ep_branch_root *root, const char *thread);

/* ---- times without probes: tree_correct.c ---- */

/* Subtracts the probes, and fits estimates into what is around them: sets total_ticks, self_ticks
 * and total_ns of each branch. 0, or -1. */
int ep_snapshot_tree_correct(struct ep_snapshot_tree *tree);

/* The inner part of the probe of a call of a branch, on the average, and what the fit subtracted.
 */
uint64_t ep_snapshot_tree_inside(const struct ep_branch *branch,
                                 const struct ep_conversion *conversion);

/* What the calls of a branch add up to without probes: its total before it was raised or lowered.
 */
EP_INLINE uint64_t ep_snapshot_tree_calls_ticks(const struct ep_branch *branch)
{
    return branch->total_ticks - branch->raise_ticks + branch->lower_ticks;
}

/* The processor time of a branch whose probes were subtracted, in ns. */
uint64_t ep_snapshot_tree_cpu_ns(const struct ep_branch *branch,
                                 const struct ep_conversion *conversion);

#endif /* EP_SNAPSHOT_TREE_H */
