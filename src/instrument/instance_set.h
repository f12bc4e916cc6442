/*
 * instrument/instance_set.h - the set of instances: alloc, release, free
 *
 * A handle is a slot and, in the bits above it, how often the slot was used before. So a stale
 * handle never reaches the next user of its slot, and the handles of a program that frees nothing
 * are 0, 1, 2 ... The cells in which threads record an instance are in record/instance_cells.h. All
 * functions are called with the process lock.
 */
#ifndef EP_INSTRUMENT_INSTANCE_SET_H
#define EP_INSTRUMENT_INSTANCE_SET_H

#include "record/process.h"

/*
 * An index of the live instances by label, then slot: a treap (Seidel, Aragon: Randomized Search
 * Trees, Algorithmica 16, 1996) in the instance cells themselves. Adding, removing and finding the
 * lowest ID of a label take logarithmic time, however many labels are equal, and no memory of their
 * own. The priorities are scrambled slots. The instance cell has its label and label_hash.
 */
void ep_instance_index_add(struct ep_image *image, uint32_t slot);
void ep_instance_index_remove(struct ep_image *image, uint32_t slot);
/* The lowest slot with this label; UINT32_MAX: none. */
uint32_t ep_instance_index_lowest(const struct ep_image *image, const char *label, uint32_t bytes);

/* The handle; -1 with ENOSPC or ENOMEM. */
int ep_instance_alloc(const char *label);
/* The lowest one with this label, or a new one. */
int ep_instance_find_or_alloc(const char *label);
/* 0; -1 with EINVAL: the handle is not alive. */
int ep_instance_release(int id);
/* Frees the lowest slot with this label. 0; -1 with EINVAL: there is none. */
int ep_instance_free(const char *label);
void ep_instance_release_all(void);

#endif /* EP_INSTRUMENT_INSTANCE_SET_H */
