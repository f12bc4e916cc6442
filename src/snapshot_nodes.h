/*
 * snapshot_nodes.h - the call tree of one thread at one moment
 *
 * With the time so far of what is open; each node with what its time comes to and how often
 * the probe added to it, so that threads can be added up.
 */
#ifndef EP_SNAPSHOT_NODES_H
#define EP_SNAPSHOT_NODES_H

#include "map.h"
#include "snapshot_figures.h"
#include "snapshot_kinds.h"
#include "snapshot_open.h"

/* How many probes of one kind are in a time. */
struct ep_probes {
    uint64_t inside; /* those whose own reading is in it, */
    uint64_t around; /* and those of which it has what is around that; */
    uint64_t nested; /* those inside another of their site, of which it has both */
};

/* A time, and the probes that are in it. */
struct ep_probed_time {
    uint64_t ticks;
    struct ep_probes probes[EP_PROBE_KINDS];
    uint64_t untimed; /* calls of throttled functions that were only counted */
    uint64_t missing; /* readings that were taken from it and were not in it: of calls that a
                         sample of a throttled function stands for */
    bool is_rest;     /* estimates were taken from it: it may be below zero, in two's complement */
};

EP_INLINE void ep_probed_add(struct ep_probed_time *time, const struct ep_probed_time *more)
{
    time->ticks += more->ticks;
    for (int kind = 0; kind < EP_PROBE_KINDS; kind++) {
        time->probes[kind].inside += more->probes[kind].inside;
        time->probes[kind].around += more->probes[kind].around;
        time->probes[kind].nested += more->probes[kind].nested;
    }
    time->untimed += more->untimed;
    time->missing += more->missing;
    time->is_rest |= more->is_rest;
}

/* With the readings that are missing; what is below zero even so is nothing. */
EP_INLINE uint64_t ep_probed_read(const struct ep_probed_time *time, uint64_t inside_milliticks)
{
    if (!time->is_rest)
        return time->ticks;
    struct ep_wide missing = ep_wide_multiply(inside_milliticks, time->missing);
    uint64_t ticks = time->ticks + ep_wide_divide(missing, 1000);
    return ticks >> 63 ? 0 : ticks;
}

/* The calls below a node that have probes of one kind. */
struct ep_calls_below {
    uint64_t all;    /* of all descendants, but the nested */
    uint64_t nested; /* of all descendants */
    uint64_t outer;  /* of the children, but those inside another of their site */
};

struct ep_node {
    ep_ref ref, parent_ref;
    uint32_t site;
    struct ep_site_kind kind;
    uint32_t parent;  /* its index; EP_MAP_NONE: none */
    bool is_shown;    /* it has calls, is open, or has a descendant that is shown */
    bool is_hidden;   /* with all below: in a hold */
    bool is_timed;    /* its open scopes have their time so far; all of an image added up have */
    bool is_sampled;  /* of a throttled function: */
    uint32_t samples; /* so many of its calls stand for others too, */
    uint64_t probes;  /* and so many were timed; */
    uint64_t surplus_ticks; /* what its parent gave away for it beyond what it has */
    struct ep_figures figures;
    struct ep_probed_time total, self; /* with the time so far */
    /* of its children that are shown */
    struct ep_probed_time below_total;
    struct ep_calls_below below[EP_PROBE_KINDS];
    uint64_t below_untimed, child_untimed; /* of all descendants, of the children */
    bool has_samples_below;
};

/* Oldest first: parents before their children. */
struct ep_nodes {
    struct ep_node *at;
    size_t count, room;
    struct ep_map index; /* by reference */
    struct ep_open_scopes open;
    struct ep_site_kinds kinds;
};

/* Reads a thread's; what `nodes` had of another of the same image is forgotten. 0, or -1 and
 * ENOMEM. */
int ep_nodes_read(struct ep_nodes *nodes, const struct ep_image *image,
                  const struct ep_thread_cell *thread, const struct ep_present *present);
void ep_nodes_free(struct ep_nodes *nodes);

/* Whether what a node has is of the time since the last reset. */
bool ep_nodes_are_valid(const struct ep_image *image, const struct ep_node_cell *node);

#endif /* EP_SNAPSHOT_NODES_H */
