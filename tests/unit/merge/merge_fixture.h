/*
 * merge_fixture.h - two images made by hand, and their sum
 */
#ifndef MERGE_FIXTURE_H
#define MERGE_FIXTURE_H

#include "merging.h"

/* Generations of cells in the two images. */
enum { STALE = 4, OF_NOW = 5 };

extern struct ep_image images[2];
extern struct ep_merge *merge;

/* One tick is one ns. */
void begin_image(void);
void end_image(int which);

/* For the sum of both. */
struct eprof_snapshot *add_up(struct ep_snapshot_options options);

/* It must run after each test. */
int merge_end(void **state);

/* The names of the rows, each followed by a blank. */
void check_names(const struct eprof_snapshot *snapshot, size_t first, size_t end,
                 const char *(*name_of)(const struct eprof_row *), const char *expected);
const char *name_of_row(const struct eprof_row *row);
const char *thread_of_row(const struct eprof_row *row);

#endif /* MERGE_FIXTURE_H */
