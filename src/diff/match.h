/*
 * match.h - what the files of this folder share: the regions of both sides, and their figures in
 * each file
 *
 * Functions that return an int return 0, or -1 and ENOMEM.
 */
#ifndef EP_DIFF_MATCH_H
#define EP_DIFF_MATCH_H

#include "base/hash.h"
#include "diff/diff.h"

/* A region in one file. */
struct ep_diff_sample {
    uint64_t figure[EP_DIFF_FIGURES];
    bool is_there; /* the file has the region */
    bool is_timed; /* there is a mean and a p99 */
};

/* A value in one file. */
struct ep_diff_value_sample {
    double mean;
    bool is_there; /* the file has the value */
};

/* The samples of one file: one for each region and value that was known when the file was read, by
 * number. */
struct ep_diff_file {
    enum ep_diff_side side;
    uint32_t count, value_count;
    struct ep_diff_sample *at;
    struct ep_diff_value_sample *values;
};

/* All zero: none. A region is the fingerprint of a series, a value that of its path and unit. */
struct ep_diff_samples {
    struct ep_fingerprint_table regions, values;
    struct ep_diff_file *files;
    size_t file_count, file_room;
};

/* Adds the samples of one file, from a snapshot with the paths of all threads merged. */
int ep_diff_match_samples_add(struct ep_diff_samples *samples, enum ep_diff_side side,
                              const struct eprof_snapshot *snapshot,
                              const struct ep_diff_options *options);
/* Collects a figure of all `files` files of a side into `values`, which has room for as many, and
 * returns their number. A file without the region has a value of 0 for calls and for times that are
 * summed over a run, and none for a mean and a percentile. */
size_t ep_diff_match_samples_values(const struct ep_diff_samples *samples, uint32_t number,
                                    enum ep_diff_side side, enum ep_diff_figure figure,
                                    size_t files, double *values);
void ep_diff_match_samples_free(struct ep_diff_samples *samples);

/* Sets rows (without figures), row_count and row_of of a diff whose sides are known. Row numbers
 * are those of the regions of the samples. */
int ep_diff_match(struct ep_diff *diff, struct ep_diff_samples *samples);

/* Sets the rest: figures, ratios and verdicts, and sorts the rows. */
int ep_diff_judge(struct ep_diff *diff, const struct ep_diff_samples *samples);

#endif /* EP_DIFF_MATCH_H */
