/*
 * array.h - an array that grows as it is filled
 */
#ifndef EP_ARRAY_H
#define EP_ARRAY_H

#include <stddef.h>

/* At most so many elements: their indices are uint32_t, and the highest two mean something else. */
#define EP_ARRAY_MOST (UINT32_MAX - 2)

/* Room for one more element of `bytes` bytes in `at`, of `count`, that has room for *room. The
 * array, moved if need be; NULL and ENOMEM. */
void *ep_array_room(void *at, size_t count, size_t *room, size_t bytes);

#endif /* EP_ARRAY_H */
