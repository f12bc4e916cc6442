#include "instrument/instance_set.h"

#include <errno.h>
#include <string.h>

#include "instrument/site.h"
#include "record/horizon.h"

/* ---- the index by label and slot ---- */

/* Links are slot + 1; 0 is no link. */

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

/* The link of a node on the way to a key. */
static uint32_t *next_link(const struct ep_image *image, uint32_t node, const struct key *key)
{
    struct key here = key_of(image, node - 1);
    int order = compare_labels(&here, key);
    bool is_before = order ? order < 0 : here.slot < key->slot;
    return is_before ? &at(image, node)->larger : &at(image, node)->smaller;
}

/* Splits a tree into what comes before the key and the rest. */
static void split(const struct ep_image *image, uint32_t tree, const struct key *key,
                  uint32_t *before, uint32_t *after)
{
    while (tree) {
        uint32_t *next = next_link(image, tree, key);
        uint32_t **side = next == &at(image, tree)->larger ? &before : &after;
        **side = tree;
        *side = next;
        tree = *next;
    }
    *before = *after = 0;
}

void ep_instance_index_add(struct ep_image *image, uint32_t slot)
{
    struct key key = key_of(image, slot);
    struct ep_instance_cell *added = ep_image_instance(image, slot);
    uint32_t *link = &ep_image_root(image)->index_root;
    while (*link && priority(*link) >= priority(slot + 1))
        link = next_link(image, *link, &key);
    split(image, *link, &key, &added->smaller, &added->larger);
    *link = slot + 1;
}

void ep_instance_index_remove(struct ep_image *image, uint32_t slot)
{
    struct key key = key_of(image, slot);
    uint32_t *link = &ep_image_root(image)->index_root;
    while (*link && *link != slot + 1)
        link = next_link(image, *link, &key);
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
    struct key key = {ep_image_label_hash(label, bytes), bytes, 0, label};
    uint32_t found = UINT32_MAX;
    for (uint32_t node = ep_image_root(image)->index_root; node;) {
        struct key here = key_of(image, node - 1);
        if (compare_labels(&here, &key) == 0)
            found = node - 1;
        node = *next_link(image, node, &key);
    }
    return found;
}

static struct ep_image *image(void)
{
    return &ep_process.image;
}

/* ---- slots: the one freed longest ago first, then one never used ---- */

static struct ep_instance_cell *take_slot(uint32_t *slot)
{
    struct ep_root_cell *root = ep_image_root(image());
    if (root->free_first) {
        *slot = root->free_first - 1;
        return ep_image_instance(image(), *slot);
    }
    if (root->slots_used == EP_SLOTS) {
        errno = ENOSPC;
        return NULL;
    }
    *slot = root->slots_used;
    if (ep_image_instance_add(image(), *slot) != 0)
        return NULL;
    struct ep_instance_cell *instance = ep_image_instance(image(), *slot);
    instance->handle = *slot;
    return instance;
}

static void leave_free_list(const struct ep_instance_cell *instance)
{
    struct ep_root_cell *root = ep_image_root(image());
    if (!root->free_first) {
        ep_store(&root->slots_used, root->slots_used + 1);
        return;
    }
    root->free_first = instance->next_free;
    if (!root->free_first)
        root->free_last = 0;
}

static void enter_free_list(struct ep_instance_cell *instance, uint32_t slot)
{
    struct ep_root_cell *root = ep_image_root(image());
    instance->next_free = 0;
    if (root->free_last)
        ep_image_instance(image(), root->free_last - 1)->next_free = slot + 1;
    else
        root->free_first = slot + 1;
    root->free_last = slot + 1;
}

/* ---- alloc ---- */

int ep_instance_alloc(const char *label)
{
    uint32_t slot;
    struct ep_instance_cell *instance = take_slot(&slot);
    if (!instance)
        return -1;
    uint32_t bytes = ep_site_kept_bytes(label);
    uint32_t cells;
    ep_ref text = ep_image_text(image(), label, bytes, &cells);
    if (!text)
        return -1;
    leave_free_list(instance);
    instance->label = text;
    instance->label_bytes = bytes;
    instance->label_cells = cells;
    instance->label_hash = ep_image_label_hash(label, bytes);
    ep_instance_index_add(image(), slot);
    ep_store(&ep_process.births, ep_process.births + 1);
    ep_store(&instance->birth, ep_process.births);
    ep_image_root(image())->slots_alive++;
    /* no raise, since no cell of this handle exists yet. Release: pairs with the acquire in
     * life_of() in record/instance_cells.c, so that a thread that sees it alive sees its handle and
     * label */
    ep_store_release(&instance->born, ep_image_control(image())->generation);
    return (int)instance->handle;
}

int ep_instance_find_or_alloc(const char *label)
{
    uint32_t slot = ep_instance_index_lowest(image(), label, ep_site_kept_bytes(label));
    return slot == UINT32_MAX ? ep_instance_alloc(label)
                              : (int)ep_image_instance(image(), slot)->handle;
}

/* ---- release ---- */

static void end_life(struct ep_instance_cell *instance, uint32_t slot)
{
    ep_store_release(&instance->born, 0);
    ep_instance_index_remove(image(), slot);
    ep_image_text_free(image(), instance->label, instance->label_cells);
    instance->label = 0;
    ep_image_root(image())->slots_alive--;
    ep_store(&instance->handle, instance->handle + EP_SLOTS);
    /* the last use of a slot is never given out: EP_HANDLE_PROBE has it */
    if (instance->handle >> EP_SLOT_BITS < EP_SLOT_USES - 1)
        enter_free_list(instance, slot);
}

/* 0; -1 with EINVAL: `instance` is NULL. */
static int release(struct ep_instance_cell *instance, uint32_t slot)
{
    if (!instance) {
        errno = EINVAL;
        return -1;
    }
    end_life(instance, slot);
    ep_horizon_raise(); /* threads must visit their cells of the old handle */
    return 0;
}

int ep_instance_release(int id)
{
    uint32_t slot = (uint32_t)id & (EP_SLOTS - 1);
    struct ep_instance_cell *instance = id < 0 ? NULL : ep_image_instance(image(), slot);
    bool is_alive = instance && instance->born && instance->handle == (uint32_t)id;
    return release(is_alive ? instance : NULL, slot);
}

int ep_instance_free(const char *label)
{
    uint32_t slot = UINT32_MAX;
    if (label)
        slot = ep_instance_index_lowest(image(), label, ep_site_kept_bytes(label));
    return release(slot == UINT32_MAX ? NULL : ep_image_instance(image(), slot), slot);
}

void ep_instance_release_all(void)
{
    uint32_t used = ep_image_root(image())->slots_used;
    for (uint32_t slot = 0; slot < used; slot++) {
        struct ep_instance_cell *instance = ep_image_instance(image(), slot);
        if (instance->born)
            end_life(instance, slot);
    }
}
