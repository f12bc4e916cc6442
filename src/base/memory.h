/*
 * base/memory.h - an arena of strings, and arrays that grow
 */
#ifndef EP_BASE_MEMORY_H
#define EP_BASE_MEMORY_H

#include <stddef.h>

/* Strings that are freed together. */
struct ep_arena {
    struct ep_arena_chunk *chunks; /* newest first; NULL: empty */
};

/* NULL and ENOMEM. */
char *ep_memory_take(struct ep_arena *arena, size_t bytes);
/* A copy with a NUL after it. NULL and ENOMEM. */
char *ep_memory_text(struct ep_arena *arena, const char *text, size_t bytes);
void ep_memory_free(struct ep_arena *arena);

/* The most elements of an array: an index is a uint32_t, and its two highest values are special. */
#define EP_ARRAY_MOST (UINT32_MAX - 2)

/* Makes room for one more element of `bytes` bytes in the array `at`, which has `count` elements
 * and room for *room. Returns the array, which may have moved; NULL and ENOMEM. */
void *ep_memory_room(void *at, size_t count, size_t *room, size_t bytes);

#endif /* EP_BASE_MEMORY_H */
