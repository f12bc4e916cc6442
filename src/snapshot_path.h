/*
 * snapshot_path.h - the names from the root to a row, as one string
 *
 * A path's parts are joined by ';', so a part's own ';' and '\' are escaped by '\'.
 */
#ifndef EP_SNAPSHOT_PATH_H
#define EP_SNAPSHOT_PATH_H

#include "snapshot.h"

/* The path that is one name alone: the name itself, where nothing is to be escaped. NULL with
 * ENOMEM. */
const char *ep_snapshot_path_of_name(struct eprof_snapshot *snapshot, const char *name);

/* The path of a row, to be freed. NULL with ENOMEM. */
char *ep_snapshot_path_copy(const struct eprof_snapshot *snapshot, size_t row);

#endif /* EP_SNAPSHOT_PATH_H */
