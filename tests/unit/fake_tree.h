/*
 * fake_tree.h - call trees in an image made by hand: sites, nodes, and stacks of open scopes
 */
#ifndef FAKE_TREE_H
#define FAKE_TREE_H

#include "fake_image.h"

static inline ep_ref fake_text(const char *text, uint32_t *bytes)
{
    uint32_t cells;
    *bytes = (uint32_t)strlen(text);
    ep_ref run = ep_image_text(&fake, text, *bytes, &cells);
    assert_int_not_equal(run, 0);
    return run;
}

/* The number of a new site; file: NULL where it has none. */
static inline uint32_t fake_site(const char *file, uint32_t line, const char *label)
{
    struct ep_tree_cell *tree = ep_image_tree(&fake);
    ep_ref ref = ep_image_take(&fake, 2);
    assert_int_not_equal(ref, 0);
    struct ep_site_cell *site = &fake.cells[ref].site;
    site->number = ++tree->site_count;
    site->line = line;
    site->label = fake_text(label, &site->label_bytes);
    if (file)
        site->file = fake_text(file, &site->file_bytes);
    *(tree->last_site ? &fake.cells[tree->last_site].site.next : &tree->sites) = ref;
    tree->last_site = ref;
    return site->number;
}

static inline ep_ref fake_ref(const void *cell)
{
    return cell ? (ep_ref)((const union ep_cell *)cell - fake.cells) : 0;
}

/* Where the next node of a thread is linked to. From the last one on that this found: a tree
 * of a million would else be walked a million times. */
static inline ep_ref *fake_end_of_nodes(struct ep_thread_cell *thread)
{
    static const struct ep_thread_cell *owner;
    static ep_ref *end;
    if (owner != thread || !thread->nodes)
        end = &thread->nodes;
    owner = thread;
    while (*end)
        end = &((struct ep_node_cell *)&fake.cells[*end])->next;
    return end;
}

/* A node of the generation that is, with no calls. parent: NULL for the root. */
static inline struct ep_node_cell *fake_node(struct ep_thread_cell *thread,
                                             const struct ep_node_cell *parent, uint32_t site)
{
    ep_ref ref = ep_image_take(&fake, 4);
    assert_int_not_equal(ref, 0);
    struct ep_node_cell *node = (struct ep_node_cell *)&fake.cells[ref];
    node->stamp = ep_image_control(&fake)->generation;
    node->site = site;
    node->parent = fake_ref(parent);
    node->stats.min_ticks = UINT64_MAX;
    *fake_end_of_nodes(thread) = ref;
    return node;
}

static inline struct ep_node_cell *fake_root(struct ep_thread_cell *thread)
{
    return fake_node(thread, NULL, EP_SITE_NONE);
}

/* A call of a node: how long it took, and how much of that was not in its children. */
static inline void fake_visit(struct ep_node_cell *node, uint64_t ticks, uint64_t self_ticks)
{
    fake_leave_pending_in(&node->stats, ticks);
    fake_spread_pending(&node->stats);
    node->self_ticks += self_ticks;
}

static inline void fake_visit_nested(struct ep_node_cell *node, uint64_t self_ticks)
{
    node->stats.calls++;
    node->stats.nested++;
    node->self_ticks += self_ticks;
}

/* On top of the thread's stack, which gets its lowest entry first if it has none. */
static inline struct ep_frame_cell *fake_frame(struct ep_thread_cell *thread,
                                               const struct ep_node_cell *node, uint32_t state,
                                               uint64_t start_ticks)
{
    ep_ref *place = &thread->frames;
    while (*place)
        place = &fake.cells[*place].frame.next;
    *place = ep_image_take(&fake, 1);
    assert_int_not_equal(*place, 0);
    struct ep_frame_cell *frame = &fake.cells[*place].frame;
    frame->stamp = ep_image_control(&fake)->generation;
    frame->node = fake_ref(node);
    frame->state = EP_FRAME_OPEN | state;
    frame->start_ticks = start_ticks;
    return frame;
}

/* The row of the path, which is unique; fails without it. */
static inline const struct eprof_row *fake_find(struct eprof_snapshot *snapshot, const char *thread,
                                                const char *path)
{
    for (size_t i = snapshot->scope_first; i < snapshot->trouble_first; i++)
        if (strcmp(snapshot->rows[i].thread, thread) == 0 &&
            strcmp(ep_snapshot_path(snapshot, i), path) == 0)
            return &snapshot->rows[i];
    fail_msg("no row %s of %s", path, thread);
    return NULL;
}

/* The same, of the merged tree. */
static inline const struct eprof_row *fake_row(struct eprof_snapshot *snapshot, const char *path)
{
    return fake_find(snapshot, "*", path);
}

#endif /* FAKE_TREE_H */
