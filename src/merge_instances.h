/*
 * merge_instances.h - the instances of several images, by their labels
 */
#ifndef EP_MERGE_INSTANCES_H
#define EP_MERGE_INSTANCES_H

#include "merge_tables.h"

/* Adds what an image shows of its instances, without what its probe added. 0, or -1 and ENOMEM. */
int ep_merge_instances_add(struct ep_merge *merge, const struct ep_image *image,
                           const struct ep_merge_unit *unit, const struct ep_conversion *probe);

#endif /* EP_MERGE_INSTANCES_H */
