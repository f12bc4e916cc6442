#include "snapshot_open.h"

#include <stdlib.h>

#include "array.h"

static int push(struct ep_open_scopes *open, const struct ep_open_scope *scope)
{
    struct ep_open_scope *grown = ep_array_room(open->at, open->count, &open->room, sizeof *grown);
    if (!grown)
        return -1;
    open->at = grown;
    open->at[open->count++] = *scope;
    return 0;
}

/* The state is read first, as it is written last. */
static bool read_entry(struct ep_open_scope *scope, const struct ep_frame_cell *entry)
{
    scope->state = ep_load_acquire(&entry->state);
    scope->start_ticks = ep_load_acquire(&entry->start_ticks);
    scope->child_ticks = ep_load_acquire(&entry->child_ticks);
    scope->stamp = ep_load_acquire(&entry->stamp);
    scope->node = ep_load_acquire(&entry->node);
    return scope->state & EP_FRAME_OPEN;
}

int ep_open_read(struct ep_open_scopes *open, const struct ep_image *image,
                 const struct ep_thread_cell *thread)
{
    open->count = 0;
    struct ep_open_scope scope;
    const struct ep_frame_cell *entry;
    for (ep_ref ref = ep_load_acquire(&thread->frames); ref; ref = ep_load_acquire(&entry->next)) {
        entry = &ep_image_cell(image, ref)->frame;
        if (!read_entry(&scope, entry))
            break;
        if (push(open, &scope) != 0)
            return -1;
    }
    return 0;
}

/* Its children's time is taken as it is now: of a child that has ended since the nodes were
 * read, neither it nor this one has the time, and not both. */
void ep_open_read_again(struct ep_open_scopes *open, const struct ep_image *image,
                        const struct ep_thread_cell *thread)
{
    ep_ref ref = ep_load_acquire(&thread->frames);
    for (size_t i = 0; i < open->count; i++) {
        struct ep_open_scope now, *before = &open->at[i];
        const struct ep_frame_cell *entry = &ep_image_cell(image, ref)->frame;
        if (!ref || !read_entry(&now, entry) || now.start_ticks != before->start_ticks ||
            now.node != before->node || now.state != before->state) {
            open->count = i;
            return;
        }
        before->child_ticks = now.child_ticks;
        ref = ep_load_acquire(&entry->next);
    }
}

bool ep_open_is_timed(const struct ep_image *image, const struct ep_thread_cell *thread,
                      const struct ep_present *present)
{
    const struct ep_source_cell *source = &ep_image_cell(image, EP_CELL_SOURCE)->source;
    return present->is_live && (!ep_load(&source->is_per_thread) || thread->self == present->self);
}

static bool is_held(const struct ep_open_scope *scope, const struct ep_image *image)
{
    const union ep_cell *cell = ep_image_cell(image, scope->node);
    return scope->node && ((const struct ep_node_cell *)cell)->level != 0;
}

bool ep_open_counts(const struct ep_open_scope *scope, const struct ep_image *image)
{
    uint64_t reset = ep_load(&ep_image_control(image)->reset_generation);
    return !(scope->state & (EP_FRAME_VOID | EP_FRAME_UNTIMED)) &&
           (scope->stamp & EP_STAMP_GENERATION) >= reset && !is_held(scope, image);
}

/* What comes out beyond half of all numbers is a step back: it began after `now`. */
static uint64_t difference(uint64_t from, uint64_t to)
{
    uint64_t ticks = to - from;
    return ticks >> 63 ? 0 : ticks;
}

uint64_t ep_open_total_ticks(const struct ep_open_scopes *open, size_t index, uint64_t now_ticks)
{
    return difference(open->at[index].start_ticks, now_ticks);
}

/* Entries above that are nothing themselves hand on what ended inside them; what is held
 * is this one's own until it is decided. */
uint64_t ep_open_self_ticks(const struct ep_open_scopes *open, size_t index,
                            const struct ep_image *image, uint64_t now_ticks)
{
    const struct ep_open_scope *scope = &open->at[index];
    uint64_t child_ticks = scope->child_ticks;
    for (size_t above = index + 1; above < open->count; above++) {
        if (ep_open_counts(&open->at[above], image)) {
            now_ticks = open->at[above].start_ticks;
            break;
        }
        if (!is_held(&open->at[above], image))
            child_ticks += open->at[above].child_ticks;
    }
    return difference(scope->start_ticks, now_ticks) - child_ticks;
}

void ep_open_free(struct ep_open_scopes *open)
{
    free(open->at);
    *open = (struct ep_open_scopes){.at = NULL};
}
