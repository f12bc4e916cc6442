/*
 * merge_sums.h - the figures of a region in several images as one
 *
 * Added up by the side, and written into cells when all are in.
 */
#ifndef EP_MERGE_SUMS_H
#define EP_MERGE_SUMS_H

#include "merge_net.h"
#include "merge_unit.h"

/* What the calls of one region on one thread come to. */
struct ep_merge_sum {
    bool is_begun;
    struct ep_figures figures;
    uint64_t so_far_ticks;       /* of calls that are open; not in the total of `figures` */
    uint32_t octave[EP_OCTAVES]; /* its counts' index + 1; 0: none yet */
};

/* The counts of all sums. All zero: empty. */
struct ep_merge_octaves {
    struct ep_octave_cell *at;
    size_t count, room;
};

/* What one image says of a region. */
struct ep_merge_region {
    const struct ep_image *image;
    const struct ep_merge_unit *unit;
    struct ep_merge_net net;
    const struct ep_statistics *stats; /* with its histogram; NULL: it has no calls */
    struct ep_figures figures;         /* as measured, in the image's ticks */
    uint64_t total_ticks, self_ticks;  /* of a scope: without the probe, with the time so far */
};

/* 0, or -1 and ENOMEM. */
int ep_merge_sums_add(struct ep_merge_octaves *octaves, struct ep_merge_sum *sum,
                      const struct ep_merge_region *region);

/* Into the empty cells of a region. 0, or -1 and ENOMEM. */
int ep_merge_sums_write(const struct ep_merge_octaves *octaves, const struct ep_merge_sum *sum,
                        struct ep_image *image, struct ep_statistics *stats);

#endif /* EP_MERGE_SUMS_H */
