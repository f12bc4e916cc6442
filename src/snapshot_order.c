#include "snapshot_order.h"

#include <errno.h>
#include <stdlib.h>

#include "snapshot_recursion.h"

/* ---- time ---- */

static uint64_t without_probes(const struct ep_probed_time *time,
                               const struct ep_conversion *conversion)
{
    uint64_t rest = ep_probed_read(time, conversion->costs[EP_PROBE_FUNCTION].inside_milliticks);
    for (int kind = 0; kind < EP_PROBE_KINDS; kind++) {
        const struct ep_probes *probes = &time->probes[kind];
        const struct ep_probe_cost *cost = &conversion->costs[kind];
        rest = ep_figures_take_off(rest, cost->inside_milliticks, probes->inside);
        rest = ep_figures_take_off(rest, cost->around_milliticks, probes->around);
        rest = ep_figures_take_off(rest, cost->nested_milliticks, probes->nested);
    }
    return ep_figures_take_off(rest, conversion->untimed_milliticks, time->untimed);
}

/* What samples stand for is an estimate, and may come out larger than what it is in: that was
 * measured, and stays. */
static void cover_estimates(struct ep_branch *branch)
{
    if (branch->self_ticks > branch->total_ticks)
        branch->self_ticks = branch->total_ticks;
}

/* Where self time or a child's was less than the probes are said to have added, nothing was
 * left to take it from: so that the parts do not exceed the whole, it is not taken from that
 * either. Not where they exceeded it as measured, in a recursion through others. */
static void cover_parts(struct ep_branch *branch)
{
    if (branch->self.ticks + branch->below_measured <= branch->total.ticks &&
        branch->total_ticks < branch->self_ticks + branch->below_ticks)
        branch->total_ticks = branch->self_ticks + branch->below_ticks;
    if (branch->total_ticks < branch->self_ticks)
        branch->total_ticks = branch->self_ticks;
}

/* Where calls came back by way of others, what their probes added is known by a rule alone. What
 * was not longer than what is around it is not longer without them. */
static void cap(struct ep_branch *branch, const struct ep_branch *around)
{
    bool is_inside = !branch->is_estimate && branch->total.ticks <= around->total.ticks;
    if (is_inside && branch->total_ticks > around->total_ticks)
        branch->total_ticks = around->total_ticks;
    if (branch->self_ticks > branch->total_ticks)
        branch->self_ticks = branch->total_ticks;
}

/* Children stand behind their parents. */
static void correct_all(struct ep_snapshot_tree *tree, const struct ep_conversion *conversion)
{
    for (size_t i = tree->count; i-- > 0;) {
        struct ep_branch *branch = &tree->branches[i];
        branch->self_ticks = without_probes(&branch->self, conversion);
        branch->total_ticks = without_probes(&branch->total, conversion);
        if (branch->self.is_rest)
            cover_estimates(branch);
        else
            cover_parts(branch);
        if (branch->parent != EP_MAP_NONE) {
            tree->branches[branch->parent].below_ticks += branch->total_ticks;
            tree->branches[branch->parent].below_measured += branch->total.ticks;
        }
    }
}

int ep_order_correct(struct ep_snapshot_tree *tree, const struct ep_conversion *conversion)
{
    if (ep_recursion_share(tree, conversion) != 0)
        return -1;
    correct_all(tree, conversion);
    for (size_t i = 0; i < tree->count; i++) {
        struct ep_branch *branch = &tree->branches[i];
        uint32_t parent = branch->parent;
        if (parent != EP_MAP_NONE && tree->branches[parent].parent != EP_MAP_NONE)
            cap(branch, &tree->branches[parent]);
        branch->total_ns = ep_scale_ns(conversion->scale, branch->total_ticks);
    }
    return 0;
}

/* ---- order ---- */

/* A child among its siblings. */
struct sibling {
    uint64_t total_ns;
    uint32_t site;
    uint32_t branch;
};

static int by_time(const void *a, const void *b)
{
    const struct sibling *x = a, *y = b;
    if (x->total_ns != y->total_ns)
        return x->total_ns > y->total_ns ? -1 : 1;
    return (x->site > y->site) - (x->site < y->site);
}

/* All children, by parent: those of branch i from first[i] to first[i + 1]. */
static void group(const struct ep_snapshot_tree *tree, struct sibling *siblings, size_t *first)
{
    for (size_t i = 0; i < tree->count; i++)
        if (tree->branches[i].parent != EP_MAP_NONE)
            first[tree->branches[i].parent + 2]++;
    for (size_t i = 2; i < tree->count + 2; i++)
        first[i] += first[i - 1];
    for (size_t i = 0; i < tree->count; i++) {
        const struct ep_branch *branch = &tree->branches[i];
        if (branch->parent != EP_MAP_NONE)
            siblings[first[branch->parent + 1]++] =
                (struct sibling){branch->total_ns, branch->site, (uint32_t)i};
    }
}

static void count_rows(struct ep_snapshot_tree *tree)
{
    for (size_t i = tree->count; i-- > 0;) {
        struct ep_branch *branch = &tree->branches[i];
        branch->rows += branch->parent != EP_MAP_NONE;
        if (branch->parent != EP_MAP_NONE)
            tree->branches[branch->parent].rows += branch->rows;
    }
}

/* A parent stands before its children, so that one pass does without a stack. */
static void place(struct ep_snapshot_tree *tree, const struct sibling *siblings,
                  const size_t *first)
{
    size_t next_root = 0;
    for (size_t i = 0; i < tree->count; i++) {
        struct ep_branch *branch = &tree->branches[i];
        bool is_root = branch->parent == EP_MAP_NONE;
        size_t row = is_root ? next_root : branch->row + 1;
        if (is_root) {
            branch->row = next_root - 1;
            next_root += branch->rows;
        }
        for (size_t n = first[i]; n < first[i + 1]; n++) {
            /* group() set it. NOLINTNEXTLINE(clang-analyzer-core.uninitialized.ArraySubscript) */
            struct ep_branch *child = &tree->branches[siblings[n].branch];
            child->depth = is_root ? 0 : branch->depth + 1;
            child->row = row;
            row += child->rows;
        }
    }
}

int ep_order_rows(struct ep_snapshot_tree *tree)
{
    struct sibling *siblings = malloc((tree->count + 1) * sizeof *siblings);
    size_t *first = calloc(tree->count + 2, sizeof *first);
    int result = siblings && first ? 0 : -1;
    if (result == 0) {
        group(tree, siblings, first);
        for (size_t i = 0; i < tree->count; i++)
            if (first[i + 1] - first[i] > 1)
                qsort(&siblings[first[i]], first[i + 1] - first[i], sizeof *siblings, by_time);
        count_rows(tree);
        place(tree, siblings, first);
    } else {
        errno = ENOMEM;
    }
    free(siblings);
    free(first);
    return result;
}
