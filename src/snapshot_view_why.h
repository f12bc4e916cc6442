/*
 * snapshot_view_why.h - what was asked of a view in vain, in words
 *
 * Each is the end of a line, with names as they are; it lives as the snapshot. All return -1
 * and set errno: to ENOMEM where there is no memory for the words.
 */
#ifndef EP_SNAPSHOT_VIEW_WHY_H
#define EP_SNAPSHOT_VIEW_WHY_H

#include "snapshot.h"

/* EINVAL; says which columns there are. */
int ep_view_why_no_column(struct eprof_snapshot *snapshot, const char *key, const char **why);
/* ENOENT; says which threads there are, or some of many. */
int ep_view_why_no_thread(struct eprof_snapshot *snapshot, const char *name, const char **why);
/* ENOENT; "no scope", say, and what it was to be. */
int ep_view_why_nothing(struct eprof_snapshot *snapshot, const char *what, const char *asked,
                        const char **why);

#endif /* EP_SNAPSHOT_VIEW_WHY_H */
