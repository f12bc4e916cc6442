/*
 * snapshot_instances.h - the rows of the instances
 */
#ifndef EP_SNAPSHOT_INSTANCES_H
#define EP_SNAPSHOT_INSTANCES_H

#include "snapshot.h"

/* Adds a row for each instance (and thread), by slot. 0, or -1 and ENOMEM. */
int ep_snapshot_instances_add(struct eprof_snapshot *snapshot, const struct ep_image *image);

/* Whether what a pair has is of this life of its instance, and of the time since the last reset. */
bool ep_snapshot_instances_is_valid(const struct ep_image *image, const struct ep_pair_cell *pair,
                                    const struct ep_instance_cell *instance);

#endif /* EP_SNAPSHOT_INSTANCES_H */
