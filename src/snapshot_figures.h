/*
 * snapshot_figures.h - from the cells of a region to the figures of a row
 *
 * The same for the pairs of an instance and for the nodes of the call tree. Added up over
 * threads in ticks, then corrected for the probe's cost and converted, once.
 */
#ifndef EP_SNAPSHOT_FIGURES_H
#define EP_SNAPSHOT_FIGURES_H

#include "snapshot.h"
#include "wide.h"

/* Of finished calls, but for `open`. */
struct ep_figures {
    uint64_t calls, nested, errors, open;
    uint64_t total_ticks, self_ticks, min_ticks, max_ticks;
    struct ep_wide squares;
};

/* Nothing yet. */
extern const struct ep_figures ep_figures_none;

/*
 * What a region's cells say at one moment, or but for one call that ends meanwhile. The caller
 * looks at the stamp before and after: the owner may clear them meanwhile. `open` is
 * what was abandoned. self_ticks: NULL where nothing is inside, so that all time is self; it may
 * be below zero, in two's complement.
 */
struct ep_figures ep_figures_read(const struct ep_statistics *stats, const uint64_t *self_ticks);
void ep_figures_add(struct ep_figures *figures, const struct ep_figures *more);

/* Adds the differences of a region's calls, the pending one too. Only what lies between the
 * shortest and the longest of `figures` is looked at. */
void ep_figures_add_counts(struct ep_histogram *histogram, const struct ep_image *image,
                           const struct ep_statistics *stats, const struct ep_figures *figures);

/* Calls whose time counts. */
EP_INLINE uint64_t ep_figures_timed(const struct ep_figures *figures)
{
    uint64_t untimed = figures->nested + figures->errors;
    return figures->calls > untimed ? figures->calls - untimed : 0;
}

/* The sum of the squares of the differences from their mean, of the n calls whose time counts. */
struct ep_wide ep_figures_around_mean(const struct ep_figures *figures, uint64_t n);

/* How figures are corrected; the times of open calls are in total and self. */
struct ep_correction {
    uint64_t total_ticks, self_ticks; /* what they come to */
    uint64_t inside_milliticks;       /* goes off each timed call */
    double kept;                      /* and of the rest, so much is kept: 1 is all */
};

/* What remains of `ticks` when so many thousandths of a tick are taken off `times` times. */
uint64_t ep_figures_take_off(uint64_t ticks, uint64_t milliticks, uint64_t times);

/* The durations and counts of `row`. */
void ep_figures_finish(const struct ep_figures *figures, const struct ep_histogram *histogram,
                       const struct ep_correction *correction, struct ep_scale scale,
                       struct eprof_row *row);

#endif /* EP_SNAPSHOT_FIGURES_H */
