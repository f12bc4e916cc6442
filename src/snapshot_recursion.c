#include "snapshot_recursion.h"

#include <errno.h>
#include <stdlib.h>

/* Of a branch. */
struct sharing {
    uint64_t children_ticks;           /* what they take, as measured, */
    uint64_t passed_on_ticks;          /* and what of that is not their own */
    uint64_t folded[EP_PROBE_KINDS];   /* probes of calls in it that folded further up; */
    uint64_t children[EP_PROBE_KINDS]; /* those and its own that are in its children */
};

/* all * part / whole, rounded to the nearest. */
static uint64_t share_of(uint64_t all, uint64_t part, uint64_t whole)
{
    struct ep_wide product = ep_wide_multiply(all, part);
    return whole ? ep_wide_divide(ep_wide_add(product, (struct ep_wide){whole / 2, 0}), whole) : 0;
}

/* What is below zero is nothing. */
static uint64_t positive(uint64_t ticks)
{
    return ticks >> 63 ? 0 : ticks;
}

/* Of calls that are not its own: none is in a branch without any. */
static uint64_t passed_on(const struct ep_branch *branch)
{
    return positive(branch->total.ticks - branch->self.ticks);
}

/* Of its nested calls those that came by way of its children: as many as have the self time that
 * is in both. */
static uint64_t own_in_children(const struct ep_branch *branch, uint64_t children_ticks,
                                const struct ep_conversion *conversion)
{
    const struct ep_figures *figures = &branch->figures;
    uint64_t inside_milliticks = conversion->costs[EP_PROBE_FUNCTION].inside_milliticks;
    uint64_t in_both = positive(branch->self.ticks + children_ticks - branch->total.ticks);
    uint64_t calls =
        share_of(figures->calls, in_both, ep_probed_read(&branch->self, inside_milliticks));
    return calls < figures->nested ? calls : figures->nested;
}

/* What folded further up is in its children, or was called by itself: that took what is left. */
static uint64_t folded_in_children(const struct ep_branch *branch, const struct sharing *sharing,
                                   uint64_t folded)
{
    uint64_t called_ticks = positive(passed_on(branch) - sharing->children_ticks);
    return share_of(folded, sharing->passed_on_ticks, sharing->passed_on_ticks + called_ticks);
}

static void share_out(const struct ep_branch *branch, struct sharing *sharing,
                      const struct ep_conversion *conversion)
{
    for (int kind = 0; kind < EP_PROBE_KINDS; kind++)
        sharing->children[kind] = folded_in_children(branch, sharing, sharing->folded[kind]);
    if (branch->figures.nested)
        sharing->children[branch->probe] +=
            own_in_children(branch, sharing->children_ticks, conversion);
}

/* By the time of calls that are not its own. */
static void take_share(struct ep_branch *branch, struct sharing *own, const struct sharing *parent)
{
    for (int kind = 0; kind < EP_PROBE_KINDS; kind++) {
        own->folded[kind] =
            share_of(parent->children[kind], passed_on(branch), parent->passed_on_ticks);
        branch->total.probes[kind].nested += own->folded[kind];
    }
}

/* Parents stand before their children. */
int ep_recursion_share(struct ep_snapshot_tree *tree, const struct ep_conversion *conversion)
{
    struct sharing *sharing = calloc(tree->count + 1, sizeof *sharing);
    if (!sharing) {
        errno = ENOMEM;
        return -1;
    }
    for (size_t i = 0; i < tree->count; i++) {
        const struct ep_branch *branch = &tree->branches[i];
        if (branch->parent == EP_MAP_NONE)
            continue;
        sharing[branch->parent].children_ticks += branch->total.ticks;
        sharing[branch->parent].passed_on_ticks += passed_on(branch);
    }
    for (size_t i = 0; i < tree->count; i++) {
        struct ep_branch *branch = &tree->branches[i];
        if (branch->parent == EP_MAP_NONE)
            continue; /* no call folds into a root */
        take_share(branch, &sharing[i], &sharing[branch->parent]);
        share_out(branch, &sharing[i], conversion);
    }
    free(sharing);
    return 0;
}
