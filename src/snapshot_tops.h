/*
 * snapshot_tops.h - the sites of one tree, each added up over its paths
 */
#ifndef EP_SNAPSHOT_TOPS_H
#define EP_SNAPSHOT_TOPS_H

#include "snapshot_tree.h"

/* Eight buckets of a site's histogram. */
struct ep_top_octave {
    uint64_t count[EP_OCTAVE_BUCKETS];
};

/* What the branches of one site come to. */
struct ep_top {
    struct ep_branch sum;
    uint32_t octave[EP_OCTAVES]; /* its number + 1 in `octaves`; 0: no counts */
};

struct ep_tops {
    struct ep_top *at; /* in the order of their first branch */
    struct ep_top_octave *octaves;
    uint32_t *top_of; /* by site; EP_MAP_NONE: none */
    size_t count, room, octave_count, octave_room;
};

/* For sites below `sites`. 0, or -1 and ENOMEM. */
int ep_tops_begin(struct ep_tops *tops, uint32_t sites);
/* Adds a branch to its site's, and its histogram. 0, or -1 and ENOMEM. */
int ep_tops_add(struct ep_tops *tops, const struct ep_branch *branch,
                const struct ep_histogram *histogram);
/* The histogram of a top; `histogram` is empty before. */
void ep_tops_add_counts(const struct ep_tops *tops, const struct ep_top *top,
                        struct ep_histogram *histogram);
/* Forgets all, for the next tree. */
void ep_tops_clear(struct ep_tops *tops);
void ep_tops_free(struct ep_tops *tops);

#endif /* EP_SNAPSHOT_TOPS_H */
