/*
 * distribution.h - the times of the calls of one region, through all its call paths
 *
 * The histograms of two call paths cannot be added up once the probes are subtracted: their buckets
 * begin at different times. So the buckets of all paths are kept, as pieces.
 */
#ifndef EP_SNAPSHOT_DISTRIBUTION_H
#define EP_SNAPSHOT_DISTRIBUTION_H

#include "snapshot/snapshot.h"

/* Values are signed: in a piece and a sum they are counted from the lowest one, so that they have
 * the same order without a sign. Such a number is 0 for -2^63. */
#define EP_DISTRIBUTION_ZERO (UINT64_C(1) << 63)

/* The calls of a bucket. They took `lower_ns` or more and less than `upper_ns`, any time in between
 * with the same probability. Under a budget they are those that the timed calls represent. */
struct ep_distribution_piece {
    uint64_t lower_ns, upper_ns, middle_ns, calls;
};

struct ep_correction;

struct ep_distribution {
    struct ep_distribution *next; /* of the snapshot */
    size_t count;
    struct ep_distribution_piece pieces[];
};

/* Sets the distribution of a row, whose figures are set, in the form that was requested: none, a
 * sparkline, or all pieces. False: no memory. */
bool ep_distribution_set(struct eprof_snapshot *snapshot, const struct eprof_row *row,
                         const struct ep_histogram *histogram,
                         const struct ep_correction *correction,
                         union ep_row_distribution *distribution);
/* The same of a value, which is the newest of the snapshot: the histograms of the magnitudes of
 * those that are not negative, and of the others. */
bool ep_distribution_set_of_value(struct eprof_snapshot *snapshot, const struct eprof_row *row,
                                  const struct ep_histogram *positive,
                                  const struct ep_histogram *negative,
                                  const struct ep_correction *correction);
void ep_distribution_free(struct ep_distribution *newest);

/* The pieces of all rows of a region (snapshot/regions.h). */
struct ep_distribution_sum {
    struct ep_distribution_piece *pieces; /* by their middles */
    size_t count, row_count;
    uint64_t calls;       /* of all pieces */
    uint64_t zero;        /* where 0 is: EP_DISTRIBUTION_ZERO if these are values */
    struct eprof_row row; /* the sum of the rows, as of snapshot/row_sum.h */
};

/* 0, or -1 and ENOMEM; to be freed in any case. `region`: a row of it. */
int ep_distribution_sum_make(struct ep_distribution_sum *sum, const struct eprof_snapshot *snapshot,
                             const struct eprof_row *region);
void ep_distribution_sum_free(struct ep_distribution_sum *sum);

/* The calls that took less than `ns`, rounded to a whole call. */
uint64_t ep_distribution_sum_below(const struct ep_distribution_sum *sum, uint64_t ns);
/* A percentile by nearest rank: the middle of a bucket, as that of a row is. */
uint64_t ep_distribution_sum_percentile(const struct ep_distribution_sum *sum, unsigned per_mille);

#endif /* EP_SNAPSHOT_DISTRIBUTION_H */
