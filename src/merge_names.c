#include "merge_names.h"

#include <stdlib.h>
#include <string.h>

#include "array.h"

/* FNV-1a (Fowler, Noll, Vo); never 0, which is no key. */
static uint64_t key_of(const char *text, uint32_t bytes)
{
    uint32_t hash = UINT32_C(2166136261);
    for (uint32_t i = 0; i < bytes; i++)
        hash = (hash ^ (unsigned char)text[i]) * UINT32_C(16777619);
    return (uint64_t)hash + 1;
}

/* The text itself, or the last one of its hash, from `first` on. */
static uint32_t last_like(const struct ep_merge_names *names, uint32_t first, const char *text,
                          uint32_t bytes, bool *is_found)
{
    for (uint32_t at = first;; at = names->at[at].next) {
        const struct ep_merge_name *name = &names->at[at];
        *is_found = name->bytes == bytes && memcmp(name->text, text, bytes) == 0;
        if (*is_found || name->next == EP_MAP_NONE)
            return at;
    }
}

static uint32_t add(struct ep_merge_names *names, const char *text, uint32_t bytes)
{
    void *grown = ep_array_room(names->at, names->count, &names->room, sizeof *names->at);
    if (!grown)
        return EP_MAP_NONE;
    names->at = grown;
    const char *copy = ep_arena_text(&names->texts, text, bytes);
    if (!copy)
        return EP_MAP_NONE;
    names->at[names->count] =
        (struct ep_merge_name){.text = copy, .bytes = bytes, .next = EP_MAP_NONE};
    return (uint32_t)names->count++;
}

uint32_t ep_merge_names_find(struct ep_merge_names *names, const char *text, uint32_t bytes)
{
    uint64_t key = key_of(text, bytes);
    uint32_t like = ep_map_find(&names->by_hash, key);
    bool is_found = false;
    if (like != EP_MAP_NONE)
        like = last_like(names, like, text, bytes, &is_found);
    if (is_found)
        return like;
    if (ep_map_reserve(&names->by_hash, names->by_hash.count + 1) != 0)
        return EP_MAP_NONE;
    uint32_t added = add(names, text, bytes);
    if (added != EP_MAP_NONE && like != EP_MAP_NONE)
        names->at[like].next = added;
    else if (added != EP_MAP_NONE)
        ep_map_add(&names->by_hash, key, added);
    return added;
}

int ep_merge_names_compare(const struct ep_merge_name *a, const struct ep_merge_name *b)
{
    int order = memcmp(a->text, b->text, a->bytes < b->bytes ? a->bytes : b->bytes);
    return order ? order : (a->bytes > b->bytes) - (a->bytes < b->bytes);
}

void ep_merge_names_free(struct ep_merge_names *names)
{
    free(names->at);
    ep_map_free(&names->by_hash);
    ep_arena_free(&names->texts);
}
