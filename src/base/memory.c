#include "base/memory.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- arena ---- */

enum { CHUNK_BYTES = 1 << 16 };

struct ep_arena_chunk {
    struct ep_arena_chunk *older;
    size_t used, bytes;
    char data[];
};

char *ep_memory_take(struct ep_arena *arena, size_t bytes)
{
    struct ep_arena_chunk *chunk = arena->chunks;
    if (!chunk || chunk->bytes - chunk->used < bytes) {
        size_t room = bytes > CHUNK_BYTES ? bytes : CHUNK_BYTES;
        chunk = room > SIZE_MAX - sizeof *chunk ? NULL : malloc(sizeof *chunk + room);
        if (!chunk) {
            errno = ENOMEM;
            return NULL;
        }
        chunk->older = arena->chunks;
        chunk->used = 0;
        chunk->bytes = room;
        arena->chunks = chunk;
    }
    char *start = chunk->data + chunk->used;
    chunk->used += bytes;
    return start;
}

char *ep_memory_text(struct ep_arena *arena, const char *text, size_t bytes)
{
    char *copy = ep_memory_take(arena, bytes + 1);
    if (copy) {
        memcpy(copy, text, bytes);
        copy[bytes] = '\0';
    }
    return copy;
}

void ep_memory_free(struct ep_arena *arena)
{
    while (arena->chunks) {
        struct ep_arena_chunk *chunk = arena->chunks;
        arena->chunks = chunk->older;
        free(chunk);
    }
}

/* ---- arrays ---- */

void *ep_memory_room(void *at, size_t count, size_t *room, size_t bytes)
{
    if (count < *room)
        return at;
    size_t wish = *room ? *room * 2 : 64;
    void *grown =
        wish <= EP_ARRAY_MOST && wish <= SIZE_MAX / bytes ? realloc(at, wish * bytes) : NULL;
    if (!grown) {
        errno = ENOMEM;
        return NULL;
    }
    *room = wish;
    return grown;
}
