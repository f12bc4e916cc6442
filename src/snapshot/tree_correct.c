#include "snapshot/tree.h"

#include <stdlib.h>

/* ---- times without probes ---- */

/* Adds the missing inner parts of probes; a time that is still negative counts as 0. */
static uint64_t with_missing(const struct ep_probed_time *time)
{
    return time->is_rest ? ep_probed_positive(time->ticks + time->missing_milliticks / 1000)
                         : time->ticks;
}

static uint64_t without_probes(const struct ep_probed_time *time)
{
    return ep_figures_take_off(with_missing(time), time->probes_milliticks, 1);
}

uint64_t ep_snapshot_tree_inside(const struct ep_branch *branch,
                                 const struct ep_conversion *conversion)
{
    uint64_t calls = ep_figures_timed(&branch->figures);
    if (!calls)
        return conversion->costs[branch->probe].inside_milliticks;
    return branch->inside_milliticks / calls +
           ep_wide_divide(ep_wide_multiply(branch->cut_ticks, 1000), calls);
}

/* Probes wait for nothing: what they took of the total, they took of the processor time. Readings
 * of processor time are also outside of the calls that made them. */
uint64_t ep_snapshot_tree_cpu_ns(const struct ep_branch *branch,
                                 const struct ep_conversion *conversion)
{
    const struct ep_figures *figures = &branch->figures;
    struct ep_scale scale = conversion->cpu_scale;
    uint64_t timed = ep_figures_timed(figures), measured_ticks = with_missing(&branch->total);
    uint64_t kept_ticks = ep_snapshot_tree_calls_ticks(branch);
    uint64_t taken_off_ticks = measured_ticks > kept_ticks ? measured_ticks - kept_ticks : 0;
    uint64_t outside_ns =
        ep_wide_saturated(ep_wide_multiply(conversion->cpu_outside_ns[branch->probe], timed));
    return ep_figures_cpu_ns(
        figures, ep_saturating_add(ep_wide_scale_ns(scale, taken_off_ticks), outside_ns));
}

/* ---- nested calls ---- */

/* A nested call is a call inside another call of the same site. It is folded into the branch of the
 * outer call, and so are its probes. If f calls g and g calls f, the total of g contains the time
 * and the probes of the nested call, too. The number of probes in g is not recorded. It is
 * estimated from the time that nested calls spend inside children: this time is measured twice, as
 * self time and in the children. */
struct sharing {
    uint64_t children_ticks;           /* the sum of the children's totals, as measured */
    uint64_t passed_on_ticks;          /* the same without the children's self times */
    uint64_t folded[EP_PROBE_KINDS];   /* probes in its total, of calls folded into an ancestor */
    uint64_t children[EP_PROBE_KINDS]; /* nested probes, its own and `folded`, in its children */
};

/* all * part / whole, rounded to the nearest. */
static uint64_t share_of(uint64_t all, uint64_t part, uint64_t whole)
{
    struct ep_wide product = ep_wide_multiply(all, part);
    return whole ? ep_wide_divide(ep_wide_add(product, (struct ep_wide){whole / 2, 0}), whole) : 0;
}

/* The time that is not self time; a branch without any contains no folded call. */
static uint64_t passed_on(const struct ep_branch *branch)
{
    return ep_probed_positive(branch->total.ticks - branch->self.ticks);
}

/* How many of its nested calls came through its children, estimated by the share of its self time
 * that is in the children, too. */
static uint64_t own_in_children(const struct ep_branch *branch, uint64_t children_ticks)
{
    const struct ep_figures *figures = &branch->figures;
    uint64_t in_both =
        ep_probed_positive(branch->self.ticks + children_ticks - branch->total.ticks);
    uint64_t calls = share_of(figures->calls, in_both, with_missing(&branch->self));
    calls = calls < figures->nested ? calls : figures->nested;
    return share_of(calls, figures->nested - figures->untimed_nested, figures->nested);
}

/* How many calls folded into an ancestor came through its children. The others are its own calls:
 * both are estimated by their time. */
static uint64_t folded_in_children(const struct ep_branch *branch, const struct sharing *sharing,
                                   uint64_t folded)
{
    uint64_t called_ticks = ep_probed_positive(passed_on(branch) - sharing->children_ticks);
    return share_of(folded, sharing->passed_on_ticks,
                    ep_saturating_add(sharing->passed_on_ticks, called_ticks));
}

static void share_out(const struct ep_branch *branch, struct sharing *sharing)
{
    for (int kind = 0; kind < EP_PROBE_KINDS; kind++)
        sharing->children[kind] = folded_in_children(branch, sharing, sharing->folded[kind]);
    if (branch->figures.nested)
        sharing->children[branch->probe] += own_in_children(branch, sharing->children_ticks);
}

/* Takes a share of the parent's nested probes in proportion to the time that is not self time. */
static void take_share(struct ep_branch *branch, struct sharing *own, const struct sharing *parent,
                       const struct ep_conversion *conversion)
{
    for (int kind = 0; kind < EP_PROBE_KINDS; kind++) {
        own->folded[kind] =
            share_of(parent->children[kind], passed_on(branch), parent->passed_on_ticks);
        ep_probed_cost(&branch->total.probes_milliticks, conversion->costs[kind].nested_milliticks,
                       own->folded[kind]);
    }
}

/* Adds the probes of nested calls to the totals that contain them. Parents come first. */
static int add_nested_probes(struct ep_snapshot_tree *tree)
{
    struct sharing *sharing = calloc(tree->count + 1, sizeof *sharing);
    if (!sharing)
        return -1;
    for (size_t i = 0; i < tree->count; i++) {
        const struct ep_branch *branch = &tree->branches[i];
        if (branch->parent == EP_MAP_NONE)
            continue;
        struct sharing *parent = &sharing[branch->parent];
        parent->children_ticks = ep_saturating_add(parent->children_ticks, branch->total.ticks);
        parent->passed_on_ticks = ep_saturating_add(parent->passed_on_ticks, passed_on(branch));
    }
    for (size_t i = 0; i < tree->count; i++) {
        struct ep_branch *branch = &tree->branches[i];
        if (branch->parent == EP_MAP_NONE)
            continue; /* a root has no calls */
        take_share(branch, &sharing[i], &sharing[branch->parent], tree->conversion);
        share_out(branch, &sharing[i]);
    }
    free(sharing);
    return 0;
}

/* ---- a branch and its children ---- */

/* Not in the branch: it is needed before there are rows, and the branches are kept beside all rows.
 */
struct parts {
    uint64_t below_measured, below_ticks; /* its children's totals, with and without probes */
    /* for the fit of estimates, without probes: the measured part of its total, and of the rest
     * what may well be too long; its own, and the sums of its children */
    uint64_t known_ticks, doubt_ticks, known_below, doubt_below, rest_below;
    uint64_t bias_ticks;   /* what all its calls together may be too long by, */
    uint64_t error_ticks;  /* and what its total, since the timed calls were drawn */
    double variance_below; /* of the totals of its children; negative: unknown */
    uint64_t raised_below; /* added to the totals of its children */
    uint64_t excess_ticks; /* by which its children are longer than itself */
};

/* ---- estimates within what is around them ---- */

static bool is_variance_known(const struct ep_figures *figures)
{
    return (figures->variance.low & figures->variance.high) != UINT64_MAX;
}

/*
 * A branch takes at least as long as its children. If it was measured, and estimates inside add up
 * to more, they are too long (fit_estimate()). If it is an estimate itself, it may be too short
 * instead. Then it is raised by a part of the difference, and the estimates inside are cut by the
 * rest, in proportion to their variances: the most likely correction if errors are normally
 * distributed. An estimate from too few calls is raised by all of the difference. What was measured
 * inside is never cut. The time that a branch is raised by is subtracted from the self time of the
 * branch around it.
 *
 * A timed call among untimed ones is slower than they are. It waits for the readings of the clock,
 * so it overlaps with nothing around it, and the probe before it has disturbed the prediction of
 * its branches. So estimates of short calls are too long (62 ns for an fscanf() of 41 ns, budget=2,
 * AMD EPYC, 2026-11-28). If the children of a branch took longer than the branch, its self time is
 * negative. This excess is subtracted from those children that are estimates. (Deville, Saerndal:
 * Calibration Estimators in Survey Sampling, JASA 87, 1992, fit estimates to known totals in other
 * ways.)
 *
 * The excess is divided in proportion to what each estimate may well be too long by: the inner part
 * of a probe for each untimed call, which is more than the bias that was seen, and twice its
 * standard error. If these parts are not enough, the rest is divided in proportion to the rest of
 * the estimates. What was measured inside an estimate remains.
 *
 * The bias is a part of each call. The error is one of the sum: if a call that took long represents
 * others, this says nothing about the usual call. So the error is subtracted from the total and the
 * mean alone, and only the bias from each call, which percentiles show.
 */
static uint64_t bias_of(const struct ep_snapshot_tree *tree, const struct ep_branch *branch,
                        uint64_t most_ticks)
{
    const struct ep_probe_cost *cost = &tree->conversion->costs[branch->probe];
    uint64_t bias_milliticks = 0;
    ep_probed_cost(&bias_milliticks, cost->sampled_inside_milliticks, branch->figures.untimed);
    uint64_t bias_ticks = bias_milliticks / 1000;
    return bias_ticks < most_ticks ? bias_ticks : most_ticks;
}

static uint64_t error_of(const struct ep_branch *branch, uint64_t most_ticks)
{
    if (!is_variance_known(&branch->figures))
        return most_ticks;
    double error_ticks = 2 * ep_wide_root_of(branch->figures.variance, 1);
    return error_ticks < (double)most_ticks ? (uint64_t)error_ticks : most_ticks;
}

static void sum_up_doubt(const struct ep_snapshot_tree *tree, const struct ep_branch *branch,
                         struct parts *parts, struct parts *parent)
{
    bool is_estimate = branch->figures.is_estimate;
    bool is_partly_known = is_estimate && parts->known_below < branch->total_ticks;
    parts->known_ticks = is_partly_known ? parts->known_below : branch->total_ticks;
    uint64_t most_ticks = branch->total_ticks - parts->known_ticks;
    parts->bias_ticks = is_estimate ? bias_of(tree, branch, most_ticks) : 0;
    parts->error_ticks = is_estimate ? error_of(branch, most_ticks) : 0;
    parts->doubt_ticks = ep_saturating_add(parts->bias_ticks, parts->error_ticks);
    if (parts->doubt_ticks > most_ticks)
        parts->doubt_ticks = most_ticks;
    uint64_t rest_ticks = branch->total_ticks - parts->known_ticks - parts->doubt_ticks;
    parent->known_below = ep_saturating_add(parent->known_below, parts->known_ticks);
    parent->doubt_below = ep_saturating_add(parent->doubt_below, parts->doubt_ticks);
    parent->rest_below = ep_saturating_add(parent->rest_below, rest_ticks);
    parent->raised_below = ep_saturating_add(parent->raised_below, branch->raise_ticks);
    if (!is_variance_known(&branch->figures))
        parent->variance_below = -1;
    else if (is_estimate && parent->variance_below >= 0)
        parent->variance_below += ep_wide_to_double(branch->figures.variance);
}

/* The self time without probes, in two's complement. It may be below zero if estimates were
 * subtracted from it. */
static uint64_t rest_of(const struct ep_branch *branch, const struct parts *parts)
{
    const struct ep_probed_time *self = &branch->self;
    return self->ticks + self->missing_milliticks / 1000 - self->probes_milliticks / 1000 -
           parts->raised_below;
}

/* How much more its children took than the branch itself, which is what its self time is below zero
 * by. The self time of an estimate may be below zero for its own probes too. */
static uint64_t excess_of(const struct ep_branch *branch, const struct parts *parts,
                          uint64_t rest_ticks)
{
    uint64_t lack_ticks = rest_ticks >> 63 ? 0 - rest_ticks : 0;
    uint64_t more_ticks = ep_probed_positive(parts->below_ticks - branch->total_ticks);
    return branch->figures.is_estimate && more_ticks < lack_ticks ? more_ticks : lack_ticks;
}

/* Children come before their parents. */
static void raise_estimate(struct ep_branch *branch, const struct parts *parts)
{
    uint64_t excess_ticks = excess_of(branch, parts, rest_of(branch, parts));
    uint64_t raise_ticks = excess_ticks;
    if (!branch->self.is_rest || !branch->figures.is_estimate || !excess_ticks)
        return;
    if (is_variance_known(&branch->figures)) {
        double own = ep_wide_to_double(branch->figures.variance), below = parts->variance_below;
        uint64_t most_cut_ticks = ep_saturating_add(parts->doubt_below, parts->rest_below);
        double part = below < 0 || own + below <= 0 ? 0 : own / (own + below);
        raise_ticks = (uint64_t)((double)excess_ticks * part);
        if (excess_ticks - raise_ticks > most_cut_ticks)
            raise_ticks = excess_ticks - most_cut_ticks;
    }
    branch->raise_ticks = raise_ticks;
    branch->total_ticks = ep_saturating_add(branch->total_ticks, raise_ticks);
}

/* What is subtracted from a branch. */
static uint64_t cut_of(const struct ep_branch *branch, const struct parts *parts,
                       const struct parts *parent)
{
    uint64_t most_ticks = branch->total_ticks - parts->known_ticks;
    if (parent->excess_ticks <= parent->doubt_below)
        return share_of(parent->excess_ticks, parts->doubt_ticks, parent->doubt_below);
    uint64_t cut_ticks =
        parts->doubt_ticks + share_of(parent->excess_ticks - parent->doubt_below,
                                      most_ticks - parts->doubt_ticks, parent->rest_below);
    return cut_ticks < most_ticks ? cut_ticks : most_ticks;
}

/* The part of a cut that is due to the calls which were drawn. */
static uint64_t lower_of(const struct parts *parts, uint64_t cut_ticks)
{
    uint64_t beyond_ticks = cut_ticks > parts->bias_ticks ? cut_ticks - parts->bias_ticks : 0;
    return beyond_ticks < parts->error_ticks ? beyond_ticks : parts->error_ticks;
}

/* Parents come before their children. */
static void fit_estimate(struct ep_branch *branch, struct parts *parts, const struct parts *parent)
{
    uint64_t cut_ticks = branch->figures.is_estimate ? cut_of(branch, parts, parent) : 0;
    if (!branch->self.is_rest)
        return;
    uint64_t rest_ticks = rest_of(branch, parts) + branch->raise_ticks - cut_ticks;
    uint64_t both_ticks = cut_ticks < branch->raise_ticks ? cut_ticks : branch->raise_ticks;
    branch->lower_ticks = lower_of(parts, cut_ticks - both_ticks);
    branch->cut_ticks = cut_ticks - both_ticks - branch->lower_ticks;
    branch->raise_ticks -= both_ticks;
    branch->total_ticks -= cut_ticks;
    parts->excess_ticks = excess_of(branch, parts, rest_ticks);
    if (cut_ticks || parts->raised_below)
        branch->self_ticks = ep_probed_positive(rest_ticks);
    if (branch->self_ticks > branch->total_ticks)
        branch->self_ticks = branch->total_ticks;
}

/* ---- correction ---- */

/* If self time or a child's total was shorter than the overhead estimated for it, less was
 * subtracted there. The total is then raised to their sum, so that the parts do not exceed the
 * whole; not if they exceeded it as measured, in an indirect recursion. */
static void cover_parts(struct ep_branch *branch, const struct parts *parts)
{
    uint64_t sum_ticks = ep_saturating_add(branch->self_ticks, parts->below_ticks);
    if (ep_saturating_add(branch->self.ticks, parts->below_measured) <= branch->total.ticks &&
        branch->total_ticks < sum_ticks)
        branch->total_ticks = sum_ticks;
    if (branch->total_ticks < branch->self_ticks)
        branch->total_ticks = branch->self_ticks;
}

/* In an indirect recursion the overhead is only estimated. A branch that was not longer than its
 * parent as measured is not longer than it without probes. */
static void cap(struct ep_branch *branch, const struct ep_branch *around)
{
    bool is_inside = !branch->figures.is_estimate && branch->total.ticks <= around->total.ticks;
    if (is_inside && branch->total_ticks > around->total_ticks)
        branch->total_ticks = around->total_ticks;
    if (branch->self_ticks > branch->total_ticks)
        branch->self_ticks = branch->total_ticks;
}

/* The self time of a branch is its total less those of its children. */
static double self_variance_of(const struct ep_branch *branch, const struct parts *parts)
{
    if (parts->variance_below < 0 || !is_variance_known(&branch->figures))
        return -1;
    return parts->variance_below +
           (branch->figures.is_estimate ? ep_wide_to_double(branch->figures.variance) : 0);
}

/* Children come after their parents. A root has no time: roots stay in their order. */
static void correct_all(struct ep_snapshot_tree *tree, struct parts *parts)
{
    for (size_t i = tree->count; i-- > 0;) {
        struct ep_branch *branch = &tree->branches[i];
        if (branch->parent == EP_MAP_NONE)
            continue;
        struct parts *parent = &parts[branch->parent];
        branch->self_ticks = without_probes(&branch->self);
        branch->total_ticks = without_probes(&branch->total);
        if (!branch->self.is_rest)
            cover_parts(branch, &parts[i]);
        else if (branch->self_ticks > branch->total_ticks) /* estimates; the total was measured */
            branch->self_ticks = branch->total_ticks;
        if (tree->conversion->has_fitting)
            raise_estimate(branch, &parts[i]);
        parent->below_ticks = ep_saturating_add(parent->below_ticks, branch->total_ticks);
        parent->below_measured = ep_saturating_add(parent->below_measured, branch->total.ticks);
        sum_up_doubt(tree, branch, &parts[i], parent);
    }
}

int ep_snapshot_tree_correct(struct ep_snapshot_tree *tree)
{
    if (add_nested_probes(tree) != 0)
        return -1;
    struct parts *parts = calloc(tree->count + 1, sizeof *parts);
    if (!parts)
        return -1;
    correct_all(tree, parts);
    for (size_t i = 0; i < tree->count; i++) {
        struct ep_branch *branch = &tree->branches[i];
        uint32_t parent = branch->parent;
        if (parent != EP_MAP_NONE && tree->conversion->has_fitting)
            fit_estimate(branch, &parts[i], &parts[parent]);
        if (parent != EP_MAP_NONE && tree->branches[parent].parent != EP_MAP_NONE)
            cap(branch, &tree->branches[parent]);
        branch->total_ns = ep_wide_scale_ns(tree->conversion->scale, branch->total_ticks);
        branch->self_variance = self_variance_of(branch, &parts[i]);
    }
    free(parts);
    return 0;
}
