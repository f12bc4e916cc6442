/*
 * report_path.h - the paths of a snapshot's rows, one after the other
 *
 * All paths of a deep tree together would fill the memory: of a chain of n scopes they are
 * n * n / 2 names long. Here is the present one alone, and each differs from the one before
 * only at its end.
 */
#ifndef EP_REPORT_PATH_H
#define EP_REPORT_PATH_H

#include "snapshot.h"

/* Begins as {.text = NULL}. */
struct ep_report_path {
    char *text;
    size_t bytes, room;
    size_t *ends; /* where the name at each depth ends */
    size_t depths;
};

void ep_report_path_free(struct ep_report_path *path);

/*
 * The path of `row`, good until the next call. Rows are asked for in their order, none of a
 * tree left out. NULL with ENOMEM.
 */
const char *ep_report_path_of(struct ep_report_path *path, const struct eprof_snapshot *snapshot,
                              size_t row);

/* Whether the row has to be walked over for the paths of those in it, but was not asked for: to
 * who reads a path, the scopes around say nothing new. */
bool ep_report_path_is_around(const struct eprof_snapshot *snapshot, size_t row);

#endif /* EP_REPORT_PATH_H */
