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
#include "snapshot_open.h"

/* A time, and how many probes are in it. */
struct ep_probed_time {
    uint64_t ticks;   /* where readings are missing it may be below zero, in two's complement */
    uint64_t inside;  /* probes whose own reading is in it, */
    uint64_t around;  /* and those of which it has what is around that */
    uint64_t nested;  /* those inside another of their site, of which it has both */
    uint64_t missing; /* readings that were taken from it and were not in it: a sample of a
                         throttled function below has its own as often as it counts */
};

EP_INLINE void ep_probed_add(struct ep_probed_time *time, const struct ep_probed_time *more)
{
    time->ticks += more->ticks;
    time->inside += more->inside;
    time->around += more->around;
    time->nested += more->nested;
    time->missing += more->missing;
}

struct ep_node {
    ep_ref ref, parent_ref;
    uint32_t site;
    uint32_t parent;  /* its index; EP_MAP_NONE: none */
    bool is_shown;    /* it has calls, is open, or has a descendant that is shown */
    bool is_hidden;   /* with all below: in a hold */
    bool is_timed;    /* its open scopes have their time so far; all of an image added up have */
    uint32_t samples; /* of a throttled function */
    struct ep_figures figures;
    struct ep_probed_time total, self; /* with the time so far */
    /* of its children that are shown */
    struct ep_probed_time below_total;
    uint64_t below_calls;  /* of all descendants, but the nested */
    uint64_t below_nested; /* of all descendants */
    uint64_t below_outer;  /* of the children, but those inside another of their site */
    bool has_samples_below;
};

/* Oldest first: parents before their children. */
struct ep_nodes {
    struct ep_node *at;
    size_t count, room;
    struct ep_map index; /* by reference */
    struct ep_open_scopes open;
};

/* Reads a thread's; what `nodes` had is forgotten. 0, or -1 and ENOMEM. */
int ep_nodes_read(struct ep_nodes *nodes, const struct ep_image *image,
                  const struct ep_thread_cell *thread, const struct ep_present *present);
void ep_nodes_free(struct ep_nodes *nodes);

/* Whether what a node has is of the time since the last reset. */
bool ep_nodes_are_valid(const struct ep_image *image, const struct ep_node_cell *node);

#endif /* EP_SNAPSHOT_NODES_H */
