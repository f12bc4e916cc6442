#include "instance.h"

#include <errno.h>
#include <string.h>

#include "control.h"
#include "instance_index.h"
#include "utf8.h"

static struct ep_image *image(void)
{
    return &ep_process.image;
}

static uint32_t slot_of(uint32_t handle)
{
    return handle & (EP_SLOTS - 1);
}

/* A label as it is kept: at most EP_LABEL_BYTES, cut at a character. */
static uint32_t kept_bytes(const char *label)
{
    size_t bytes = strnlen(label, EP_LABEL_BYTES + 4); /* enough to see a character cut in two */
    return (uint32_t)ep_utf8_cut(label, bytes, EP_LABEL_BYTES);
}

/* ---- slots: the oldest freed one first, then one never used ---- */

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
    uint32_t bytes = kept_bytes(label);
    uint32_t cells;
    ep_ref text = ep_image_text(image(), label, bytes, &cells);
    if (!text)
        return -1;
    leave_free_list(instance);
    instance->label = text;
    instance->label_bytes = bytes;
    instance->label_cells = cells;
    instance->label_hash = ep_instance_index_hash(label, bytes);
    ep_instance_index_add(image(), slot);
    ep_store(&ep_process.births, ep_process.births + 1);
    ep_store(&instance->birth, ep_process.births);
    ep_image_root(image())->slots_alive++;
    /* no raise: no cell of this handle can exist yet. Pairs with the acquire in
     * ep_pair_visit: who sees it alive sees its handle and label */
    ep_store_release(&instance->born, ep_image_control(image())->generation);
    return (int)instance->handle;
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
    /* the last use of a slot is never given out, so that EP_HANDLE_PROBE is nobody's */
    if (instance->handle >> EP_SLOT_BITS < EP_SLOT_USES - 1)
        enter_free_list(instance, slot);
}

int ep_instance_release(int id)
{
    struct ep_instance_cell *instance =
        id < 0 ? NULL : ep_image_instance(image(), slot_of((uint32_t)id));
    if (!instance || !instance->born || instance->handle != (uint32_t)id) {
        errno = EINVAL;
        return -1;
    }
    end_life(instance, slot_of((uint32_t)id));
    ep_control_raise(); /* the cells of the old handle are to be looked at */
    return 0;
}

int ep_instance_free(const char *label)
{
    uint32_t slot = UINT32_MAX;
    if (label)
        slot = ep_instance_index_lowest(image(), label, kept_bytes(label));
    if (slot == UINT32_MAX) {
        errno = EINVAL;
        return -1;
    }
    end_life(ep_image_instance(image(), slot), slot);
    ep_control_raise();
    return 0;
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
