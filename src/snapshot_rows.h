/*
 * snapshot_rows.h - the rows of a snapshot while it is made, and their strings
 */
#ifndef EP_SNAPSHOT_ROWS_H
#define EP_SNAPSHOT_ROWS_H

#include "snapshot.h"

/* An empty row: merged over all threads, of no place in the source. */
extern const struct eprof_row ep_rows_empty;

/* Adds `count` empty rows and gives the first. NULL and ENOMEM. */
struct eprof_row *ep_rows_add(struct eprof_snapshot *snapshot, size_t count);

/* A copy that lives as the snapshot does. NULL and ENOMEM. */
const char *ep_rows_text(struct eprof_snapshot *snapshot, const char *text, size_t bytes);
/* What is to be said of how a row's times are spread; *outline is NULL where it was not asked
 * for. False, and ENOMEM. */
bool ep_rows_outline(struct eprof_snapshot *snapshot, const struct ep_histogram *histogram,
                     const struct ep_outline **outline);
/* What a thread is called. NULL and ENOMEM. */
const char *ep_rows_thread_name(struct eprof_snapshot *snapshot, const struct ep_image *image,
                                const struct ep_thread_cell *thread);

#endif /* EP_SNAPSHOT_ROWS_H */
