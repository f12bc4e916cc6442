/*
 * instance_index.h - live instances in the order of label and slot
 *
 * A treap (Seidel, Aragon: Randomized Search Trees, Algorithmica 16, 1996) in
 * the instance cells themselves: finding the lowest ID of a label, adding and
 * removing take logarithmic time however many labels are equal, and no memory
 * of their own. Its priorities are the slots, scrambled. Lock.
 */
#ifndef EP_INSTANCE_INDEX_H
#define EP_INSTANCE_INDEX_H

#include "image.h"

uint32_t ep_instance_index_hash(const char *label, uint32_t bytes);

/* The instance cell of `slot` has its label and label_hash. */
void ep_instance_index_add(struct ep_image *image, uint32_t slot);
void ep_instance_index_remove(struct ep_image *image, uint32_t slot);
/* The lowest slot with this label; UINT32_MAX: none. */
uint32_t ep_instance_index_lowest(const struct ep_image *image, const char *label, uint32_t bytes);

#endif /* EP_INSTANCE_INDEX_H */
