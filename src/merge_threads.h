/*
 * merge_threads.h - the threads of several images, by the names that they are shown under
 */
#ifndef EP_MERGE_THREADS_H
#define EP_MERGE_THREADS_H

#include "merge_tables.h"

/* The index of a thread of `image`. EP_MAP_NONE and ENOMEM. */
uint32_t ep_merge_threads_find(struct ep_merge *merge, const struct ep_image *image,
                               const struct ep_thread_cell *thread);

#endif /* EP_MERGE_THREADS_H */
