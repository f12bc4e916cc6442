#include "instance_index.h"

#include <string.h>

/* Links are slot + 1, so that 0 means none. */

uint32_t ep_instance_index_hash(const char *label, uint32_t bytes)
{
    uint32_t hash = 2166136261u; /* FNV-1a, 32 bits */
    for (uint32_t i = 0; i < bytes; i++)
        hash = (hash ^ (unsigned char)label[i]) * 16777619u;
    return hash;
}

static struct ep_instance_cell *at(const struct ep_image *image, uint32_t link)
{
    return ep_image_instance(image, link - 1);
}

/* The finaliser of MurmurHash3 (Appleby, public domain): a permutation of 32 bits. */
static uint32_t priority(uint32_t link)
{
    link ^= link >> 16;
    link *= 0x85ebca6bu;
    link ^= link >> 13;
    link *= 0xc2b2ae35u;
    return link ^ link >> 16;
}

struct key {
    uint32_t hash, bytes, slot;
    const char *label;
};

static struct key key_of(const struct ep_image *image, uint32_t slot)
{
    const struct ep_instance_cell *instance = ep_image_instance(image, slot);
    return (struct key){instance->label_hash, instance->label_bytes, slot,
                        ep_image_string(image, instance->label)};
}

/* The order: by hash, then length, then bytes; equal labels by slot. */
static int compare_labels(const struct key *a, const struct key *b)
{
    if (a->hash != b->hash)
        return a->hash < b->hash ? -1 : 1;
    if (a->bytes != b->bytes)
        return a->bytes < b->bytes ? -1 : 1;
    return memcmp(a->label, b->label, a->bytes);
}

static bool is_before(const struct key *a, const struct key *b)
{
    int order = compare_labels(a, b);
    return order ? order < 0 : a->slot < b->slot;
}

/* Takes a tree apart: what comes before the key, and what does not. */
static void split(const struct ep_image *image, uint32_t tree, const struct key *key,
                  uint32_t *before, uint32_t *after)
{
    while (tree) {
        struct key here = key_of(image, tree - 1);
        if (is_before(&here, key)) {
            *before = tree;
            before = &at(image, tree)->larger;
            tree = *before;
        } else {
            *after = tree;
            after = &at(image, tree)->smaller;
            tree = *after;
        }
    }
    *before = *after = 0;
}

void ep_instance_index_add(struct ep_image *image, uint32_t slot)
{
    struct key key = key_of(image, slot);
    struct ep_instance_cell *added = ep_image_instance(image, slot);
    uint32_t *link = &ep_image_root(image)->index_root;
    while (*link && priority(*link) >= priority(slot + 1)) {
        struct key here = key_of(image, *link - 1);
        link = is_before(&here, &key) ? &at(image, *link)->larger : &at(image, *link)->smaller;
    }
    split(image, *link, &key, &added->smaller, &added->larger);
    *link = slot + 1;
}

void ep_instance_index_remove(struct ep_image *image, uint32_t slot)
{
    struct key key = key_of(image, slot);
    uint32_t *link = &ep_image_root(image)->index_root;
    while (*link && *link != slot + 1) {
        struct key here = key_of(image, *link - 1);
        link = is_before(&here, &key) ? &at(image, *link)->larger : &at(image, *link)->smaller;
    }
    if (!*link)
        return;
    uint32_t smaller = at(image, *link)->smaller, larger = at(image, *link)->larger;
    while (smaller && larger) {
        if (priority(smaller) >= priority(larger)) {
            *link = smaller;
            link = &at(image, smaller)->larger;
            smaller = *link;
        } else {
            *link = larger;
            link = &at(image, larger)->smaller;
            larger = *link;
        }
    }
    *link = smaller ? smaller : larger;
}

uint32_t ep_instance_index_lowest(const struct ep_image *image, const char *label, uint32_t bytes)
{
    struct key key = {ep_instance_index_hash(label, bytes), bytes, 0, label};
    uint32_t found = UINT32_MAX;
    for (uint32_t tree = ep_image_root(image)->index_root; tree;) {
        struct key here = key_of(image, tree - 1);
        int order = compare_labels(&here, &key);
        if (order == 0)
            found = tree - 1;
        tree = order < 0 ? at(image, tree)->larger : at(image, tree)->smaller;
    }
    return found;
}
