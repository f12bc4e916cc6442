/*
 * merge_modules.h - the modules of several images, by path and build-id
 *
 * One without a build-id is another when its file was changed.
 */
#ifndef EP_MERGE_MODULES_H
#define EP_MERGE_MODULES_H

#include "merge_tables.h"

/* The index of a module of an image. EP_MAP_NONE and ENOMEM. */
uint32_t ep_merge_modules_find(struct ep_merge *merge, const struct ep_image *image, ep_ref ref);
/* By path, then by build-id or time: below 0, 0 or above, as of memcmp(). */
int ep_merge_modules_compare(const struct ep_merge *merge, uint32_t a, uint32_t b);

/* What is known of it, into an empty cell; but not its path. */
void ep_merge_modules_write(const struct ep_merge *merge, const struct ep_merge_module *from,
                            struct ep_module_cell *to);

#endif /* EP_MERGE_MODULES_H */
