/*
 * snapshot_figures.h - from the cells of an instance to the figures of a row
 *
 * Added up over threads in ticks, then corrected for the probe's cost and
 * converted, once.
 */
#ifndef EP_SNAPSHOT_FIGURES_H
#define EP_SNAPSHOT_FIGURES_H

#include "snapshot.h"
#include "wide.h"

struct ep_figures {
    uint64_t calls, nested, errors, open;
    uint64_t total_ticks, min_ticks, max_ticks;
    struct ep_wide squares;
    uint64_t counts[EP_BUCKETS];
};

void ep_figures_clear(struct ep_figures *figures);

/*
 * Adds a pair's, if they are of this life of `instance` and since the last reset.
 * false: the owner cleared it meanwhile, and `figures` are to be begun again.
 */
bool ep_figures_add(struct ep_figures *figures, const struct ep_image *image,
                    const struct ep_pair_cell *pair, const struct ep_instance_cell *instance);

/* The durations and counts of `row`. */
void ep_figures_finish(const struct ep_figures *figures, const struct ep_conversion *conversion,
                       struct eprof_row *row);

#endif /* EP_SNAPSHOT_FIGURES_H */
