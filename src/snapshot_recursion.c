#include "snapshot_recursion.h"

#include <errno.h>
#include <stdlib.h>

/* Of a branch. */
struct sharing {
    uint64_t children_ticks;           /* what they take, as measured */
    uint64_t folded[EP_PROBE_KINDS];   /* probes of calls in it that folded further up; */
    uint64_t children[EP_PROBE_KINDS]; /* those and its own that are in its children */
};

/* all * part / whole, rounded to the nearest. */
static uint64_t share_of(uint64_t all, uint64_t part, uint64_t whole)
{
    struct ep_wide product = ep_wide_multiply(all, part);
    return whole ? ep_wide_divide(ep_wide_add(product, (struct ep_wide){whole / 2, 0}), whole) : 0;
}

static uint64_t excess(uint64_t ticks, uint64_t over)
{
    return ticks > over ? ticks - over : 0;
}

/* Of its nested calls those that came by way of its children: as many as have the self time that
 * is in both. */
static uint64_t own_in_children(const struct ep_branch *branch, uint64_t children_ticks)
{
    const struct ep_figures *figures = &branch->figures;
    uint64_t in_both = excess(branch->self.ticks + children_ticks, branch->total.ticks);
    uint64_t calls = share_of(figures->calls, in_both, branch->self.ticks);
    return calls < figures->nested ? calls : figures->nested;
}

/* What folded further up is in its children, or was called by itself: that took what is left. */
static uint64_t folded_in_children(const struct ep_branch *branch, uint64_t children_ticks,
                                   uint64_t folded)
{
    uint64_t others_ticks = excess(branch->total.ticks, branch->self.ticks);
    return children_ticks < others_ticks ? share_of(folded, children_ticks, others_ticks) : folded;
}

static void share_out(const struct ep_branch *branch, struct sharing *sharing)
{
    if (sharing->children_ticks == 0 || branch->self.is_rest)
        return;
    for (int kind = 0; kind < EP_PROBE_KINDS; kind++)
        sharing->children[kind] =
            folded_in_children(branch, sharing->children_ticks, sharing->folded[kind]);
    if (branch->figures.nested)
        sharing->children[branch->probe] += own_in_children(branch, sharing->children_ticks);
}

/* By time: where it is recursion that takes it, there are the calls. */
static void take_share(struct ep_branch *branch, struct sharing *own, const struct sharing *parent)
{
    for (int kind = 0; kind < EP_PROBE_KINDS; kind++) {
        own->folded[kind] =
            share_of(parent->children[kind], branch->total.ticks, parent->children_ticks);
        branch->total.probes[kind].nested += own->folded[kind];
    }
}

/* Parents stand before their children. */
int ep_recursion_share(struct ep_snapshot_tree *tree)
{
    struct sharing *sharing = calloc(tree->count + 1, sizeof *sharing);
    if (!sharing) {
        errno = ENOMEM;
        return -1;
    }
    for (size_t i = 0; i < tree->count; i++) {
        const struct ep_branch *branch = &tree->branches[i];
        if (branch->parent != EP_MAP_NONE)
            sharing[branch->parent].children_ticks += branch->total.ticks;
    }
    for (size_t i = 0; i < tree->count; i++) {
        struct ep_branch *branch = &tree->branches[i];
        if (branch->parent == EP_MAP_NONE)
            continue; /* no call folds into a root */
        take_share(branch, &sharing[i], &sharing[branch->parent]);
        share_out(branch, &sharing[i]);
    }
    free(sharing);
    return 0;
}
