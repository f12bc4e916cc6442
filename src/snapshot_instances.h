/*
 * snapshot_instances.h - the rows of the instances
 */
#ifndef EP_SNAPSHOT_INSTANCES_H
#define EP_SNAPSHOT_INSTANCES_H

#include "snapshot.h"

/* Adds a row for each instance (and thread), by slot. 0, or -1 and ENOMEM. */
int ep_snapshot_instances_add(struct eprof_snapshot *snapshot, const struct ep_image *image);

#endif /* EP_SNAPSHOT_INSTANCES_H */
