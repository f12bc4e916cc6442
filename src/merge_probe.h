/*
 * merge_probe.h - what the probe cost on average, weighted by the calls of each image
 *
 * So what is taken off all calls is what would be taken off each image's. What the division leaves
 * over goes along with the image, so that a sum of sums is that of all of them.
 */
#ifndef EP_MERGE_PROBE_H
#define EP_MERGE_PROBE_H

#include "merge_unit.h"

struct ep_merge_cost {
    struct ep_wide sum;      /* of cost times calls, in milliticks */
    uint64_t most_uncounted; /* of images without such calls */
};

/* All zero: nothing yet. */
struct ep_merge_probe {
    struct ep_merge_cost cost[EP_PROBE_COSTS];
    uint64_t instance_calls, scope_calls; /* of images whose costs are known */
    uint64_t resolution_ticks;            /* the largest */
    bool is_known;                        /* of one at least */
};

void ep_merge_probe_add(struct ep_merge_probe *probe, const struct ep_image *image,
                        const struct ep_merge_unit *unit, uint64_t instance_calls,
                        uint64_t scope_calls);
void ep_merge_probe_write(const struct ep_merge_probe *probe, struct ep_image *image);

#endif /* EP_MERGE_PROBE_H */
