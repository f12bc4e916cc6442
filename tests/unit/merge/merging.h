/*
 * merging.h - the sum of images, and reports on it
 */
#ifndef MERGING_H
#define MERGING_H

#include "support/fake_image.h"

#include <stdio.h>
#include <stdlib.h>

#include "merge/merge.h"
#include "report/report.h"

struct ep_merge *merge_as(bool is_raw, const struct ep_image *const *images, size_t count);

/* Adds the images in the given order. */
struct ep_merge *merge_all(const struct ep_image *const *images, size_t count);
struct ep_merge *merge_two(const struct ep_image *a, const struct ep_image *b);
struct eprof_snapshot *merged_snapshot(struct ep_merge *merge, struct ep_snapshot_options options);
void check_reports_are_equal(const struct ep_image *a, const struct ep_image *b);

#endif /* MERGING_H */
