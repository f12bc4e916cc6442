/*
 * arena.h - strings that live together and are freed together
 */
#ifndef EP_ARENA_H
#define EP_ARENA_H

#include <stddef.h>

struct ep_arena {
    struct ep_arena_chunk *chunks; /* newest first; NULL: empty */
};

/* NULL and ENOMEM. */
char *ep_arena_take(struct ep_arena *arena, size_t bytes);
/* A copy with a NUL behind it. NULL and ENOMEM. */
char *ep_arena_text(struct ep_arena *arena, const char *text, size_t bytes);
void ep_arena_free(struct ep_arena *arena);

#endif /* EP_ARENA_H */
