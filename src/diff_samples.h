/*
 * diff_samples.h - what each file of either side says of each region
 */
#ifndef EP_DIFF_SAMPLES_H
#define EP_DIFF_SAMPLES_H

#include "diff.h"
#include "fingerprint_table.h"
#include "snapshot_series.h"

enum ep_diff_figure {
    EP_DIFF_CALLS,
    EP_DIFF_TOTAL,
    EP_DIFF_SELF,
    EP_DIFF_MEAN,
    EP_DIFF_P99,
    EP_DIFF_FIGURES
};

/* Of a region, in one file. */
struct ep_diff_sample {
    uint64_t figure[EP_DIFF_FIGURES];
    bool is_timed; /* there is a mean and a p99 */
};

struct ep_diff_side_samples {
    struct ep_diff_sample *at;
    size_t count, room;
};

struct ep_diff_region {
    struct ep_wide print; /* of its series */
    struct ep_diff_side_samples of[EP_DIFF_SIDES];
};

/* All zero: none. */
struct ep_diff_samples {
    struct ep_fingerprint_table regions;
};

/* Whether the row is compared at all: as the filter wants it. */
bool ep_diff_samples_asks_for(const struct ep_diff_options *options, const struct eprof_row *row);

/* Adds what one file says, in a snapshot by paths alone. 0, or -1 and ENOMEM. */
int ep_diff_samples_add(struct ep_diff_samples *samples, enum ep_diff_side side,
                        const struct eprof_snapshot *snapshot,
                        const struct ep_diff_options *options);

/* The number of a series' region. EP_MAP_NONE and ENOMEM. */
uint32_t ep_diff_samples_find(struct ep_diff_samples *samples, const struct ep_series *series);

/*
 * What the files of a side said, `files` in number, into `values`, where there is room for so many;
 * returns how many values there are. A file without the region says 0 of calls and of times that
 * add up over a run; of a mean and a percentile it says nothing.
 */
size_t ep_diff_samples_values(const struct ep_diff_samples *samples, uint32_t number,
                              enum ep_diff_side side, enum ep_diff_figure figure, size_t files,
                              double *values);
void ep_diff_samples_free(struct ep_diff_samples *samples);

#endif /* EP_DIFF_SAMPLES_H */
