/*
 * snapshot/thread_tree_open.c - the scopes of a thread that are open, read from its image
 */
#include <stdlib.h>

#include "base/memory.h"
#include "snapshot/tree.h"

/* The state is read first, since it is written last. */
static bool read_entry(struct ep_open_scope *scope, const struct ep_image *image, ep_ref ref)
{
    const struct ep_open_scope_cell *entry = &ep_image_cell(image, ref)->frame;
    scope->state = ep_load_acquire(&entry->state);
    scope->start_ticks = ep_load_acquire(&entry->start_ticks);
    scope->child_ticks = ep_load_acquire(&entry->child_ticks);
    uint64_t generation = ep_load_acquire(&entry->generation) & EP_GENERATION_NUMBER;
    scope->node = ep_load_acquire(&entry->node);
    scope->is_held = scope->node && ep_image_node(image, scope->node)->level != 0;
    scope->is_untimed = scope->state & EP_SCOPE_UNTIMED;
    scope->counts = !(scope->state & EP_SCOPE_VOID) && !scope->is_held &&
                    generation >= ep_load(&ep_image_control(image)->reset_generation);
    return scope->state & EP_SCOPE_OPEN;
}

int ep_thread_tree_open_read(struct ep_open_scopes *open, const struct ep_image *image,
                             const struct ep_thread_cell *thread)
{
    ep_ref next;
    open->count = 0;
    for (ep_ref ref = ep_load_acquire(&thread->frames); ref; ref = next) {
        struct ep_open_scope *at = ep_memory_room(open->at, open->count, &open->room, sizeof *at);
        if (!at)
            return -1;
        open->at = at;
        if (!read_entry(&at[open->count], image, ref))
            break;
        open->count++;
        next = ep_load_acquire(&ep_image_cell(image, ref)->frame.next);
    }
    return 0;
}

/* Updates child_ticks after the nodes were read. The time of a child that ended meanwhile is then
 * missing at worst; with the earlier child_ticks it could be both in the child's node and in the
 * parent's self time. */
void ep_thread_tree_open_read_again(struct ep_open_scopes *open, const struct ep_image *image,
                                    const struct ep_thread_cell *thread)
{
    ep_ref ref = ep_load_acquire(&thread->frames);
    for (size_t i = 0; i < open->count; i++) {
        struct ep_open_scope now, *before = &open->at[i];
        if (!ref || !read_entry(&now, image, ref) || now.start_ticks != before->start_ticks ||
            now.node != before->node || now.state != before->state) {
            open->count = i;
            return;
        }
        before->child_ticks = now.child_ticks;
        ref = ep_load_acquire(&ep_image_cell(image, ref)->frame.next);
    }
}

void ep_thread_tree_open_free(struct ep_open_scopes *open)
{
    free(open->at);
    *open = (struct ep_open_scopes){.at = NULL};
}

uint64_t ep_thread_tree_open_self_ticks(const struct ep_open_scopes *open, size_t index,
                                        uint64_t now_ticks)
{
    const struct ep_open_scope *scope = &open->at[index], *end = &open->at[open->count];
    uint64_t child_ticks = scope->child_ticks;
    const struct ep_open_scope *above = scope + 1;
    for (; above < end && (!above->counts || above->is_untimed); above++)
        child_ticks += above->is_held || above->is_untimed ? 0 : above->child_ticks;
    uint64_t end_ticks = above < end ? above->start_ticks : now_ticks;
    return ep_probed_positive(end_ticks - scope->start_ticks) - child_ticks;
}
