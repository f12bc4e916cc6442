/*
 * instance.h - the set of instances: alloc, release, free
 *
 * A handle is a slot and, above it, how often the slot was used before; so a
 * stale handle never reaches the next user of its slot, and the handles of a
 * program that frees nothing are 0, 1, 2 ... All of these are called with the
 * process lock held.
 */
#ifndef EP_INSTANCE_H
#define EP_INSTANCE_H

#include "process.h"

/* The handle; -1 with ENOSPC or ENOMEM. */
int ep_instance_alloc(const char *label);
/* 0; -1 with EINVAL: not alive. */
int ep_instance_release(int id);
/* The lowest handle's slot of this label. 0; -1 with EINVAL: there is none. */
int ep_instance_free(const char *label);
void ep_instance_release_all(void);

#endif /* EP_INSTANCE_H */
