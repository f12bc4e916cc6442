#include <sched.h>
#include <stdlib.h>

#include "base/memory.h"
#include "snapshot/tree.h"

static bool is_negative(uint64_t ticks)
{
    return ticks >> 63;
}

/* ---- the open scopes of a thread ---- */

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
    scope->counts = !(scope->state & (EP_SCOPE_VOID | EP_SCOPE_UNTIMED)) && !scope->is_held &&
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

/* The time that a scope spent in no other scope that is shown; may be negative. Scopes above it
 * that do not count charge it with the time of calls that ended inside them. The time in an
 * undecided hold is its own. */
static uint64_t open_self_ticks(const struct ep_open_scopes *open, size_t index, uint64_t now_ticks)
{
    const struct ep_open_scope *scope = &open->at[index], *end = &open->at[open->count];
    uint64_t child_ticks = scope->child_ticks;
    const struct ep_open_scope *above = scope + 1;
    for (; above < end && !above->counts; above++)
        child_ticks += above->is_held ? 0 : above->child_ticks;
    uint64_t end_ticks = above < end ? above->start_ticks : now_ticks;
    return ep_probed_positive(end_ticks - scope->start_ticks) - child_ticks;
}

/* ---- reading ---- */

bool ep_thread_tree_are_valid(const struct ep_image *image, const struct ep_node_cell *node)
{
    uint64_t generation = ep_load_acquire(&node->generation) & EP_GENERATION_NUMBER;
    return generation >= ep_load(&ep_image_control(image)->reset_generation);
}

/* Compares the generation before and after; pairs with ep_tree_clear(). */
static void read_figures(struct ep_node *node, const struct ep_image *image)
{
    const struct ep_node_cell *cell = ep_image_node(image, node->ref);
    node->figures = ep_figures_none;
    if (!ep_thread_tree_are_valid(image, cell))
        return;
    struct ep_figures figures = ep_figures_read(&cell->stats, &cell->self_ticks);
    uint64_t owed_ticks = ep_load_acquire(&cell->owed_ticks);
    uint32_t samples = cell->level ? 0 : ep_load_acquire(&cell->samples);
    ep_figures_unwrap(&figures, image, &cell->stats);
    if (!ep_thread_tree_are_valid(image, cell))
        return;
    node->figures = figures;
    node->samples = samples;
    node->is_timed = owed_ticks != 0;
    node->total.ticks = owed_ticks ? owed_ticks - 1 : 0;
}

static int find_all(struct ep_nodes *nodes, const struct ep_thread_cell *thread)
{
    const struct ep_node_cell *cell;
    nodes->count = 0;
    for (ep_ref ref = ep_load_acquire(&thread->nodes); ref; ref = ep_load_acquire(&cell->next)) {
        struct ep_node *at = ep_memory_room(nodes->at, nodes->count, &nodes->room, sizeof *at);
        if (!at)
            return -1;
        nodes->at = at;
        cell = ep_image_node(nodes->image, ref);
        const struct ep_site_cell *site = ep_sites_at(nodes->sites, cell->site);
        bool is_function = site && site->module;
        at[nodes->count++] =
            (struct ep_node){.ref = ref,
                             .site = cell->site,
                             .probe = is_function ? EP_PROBE_FUNCTION : EP_PROBE_SCOPE,
                             .is_throttled = is_function && ep_load(&site->is_sampled),
                             .parent_ref = cell->parent,
                             .is_hidden = cell->level != 0 || cell->site == EP_SITE_HOLD};
    }
    return 0;
}

/* A keep in progress must not be seen half done. After many tries, a thread that keeps all the time
 * is read as it is. Nodes are read newest first: a parent that is read after its children includes
 * all of their time. */
static int read_between_keeps(struct ep_nodes *nodes, const struct ep_thread_cell *thread)
{
    enum { MOST_TRIES = 100 };
    for (int tries = 1;; tries++) {
        uint32_t keeps = ep_load_acquire(&thread->keeps);
        if (keeps % 2 == 0 || tries == MOST_TRIES) {
            if (ep_thread_tree_open_read(&nodes->open, nodes->image, thread) != 0 ||
                find_all(nodes, thread) != 0)
                return -1;
            for (size_t i = nodes->count; i-- > 0;)
                read_figures(&nodes->at[i], nodes->image);
            ep_thread_tree_open_read_again(&nodes->open, nodes->image, thread);
            if (ep_load_acquire(&thread->keeps) == keeps || tries == MOST_TRIES)
                return 0;
        }
        sched_yield();
    }
}

/* ---- parents ---- */

/* A parent is older than its children. A node whose parent is missing stays hidden. */
static int find_parents(struct ep_nodes *nodes)
{
    ep_hash_map_clear(&nodes->index);
    if (ep_hash_map_reserve(&nodes->index, nodes->count) != 0)
        return -1;
    for (size_t i = 0; i < nodes->count; i++) {
        struct ep_node *node = &nodes->at[i];
        ep_ref parent = node->parent_ref;
        node->parent = parent ? ep_hash_map_find(&nodes->index, parent) : EP_MAP_NONE;
        node->is_hidden |=
            node->parent == EP_MAP_NONE ? parent != 0 : nodes->at[node->parent].is_hidden;
        ep_hash_map_add(&nodes->index, node->ref, (uint32_t)i);
    }
    return 0;
}

/* ---- samples of throttled functions ---- */

/* The number of timed calls. A sample represents EP_SAMPLE_WEIGHT calls, of which one is timed. A
 * corrupt image may have any number of samples. */
static uint64_t count_probes(const struct ep_node *node, uint64_t weight, uint64_t calls)
{
    uint64_t without = (uint64_t)node->samples * (EP_SAMPLE_WEIGHT - 1);
    uint64_t probes = weight > without + node->samples ? weight - without : node->samples;
    return probes < calls ? probes : calls;
}

static uint64_t part_of(uint64_t all, uint64_t part, uint64_t whole)
{
    return whole ? ep_wide_divide(ep_wide_multiply(all, part), whole) : 0;
}

/* Self time may be negative. */
static uint64_t signed_part_of(uint64_t ticks, uint64_t calls, uint64_t weight)
{
    uint64_t size = is_negative(ticks) ? 0 - ticks : ticks;
    uint64_t part = part_of(size, calls, weight);
    return is_negative(ticks) ? 0 - part : part;
}

/*
 * Scales the figures of a throttled function from its samples to all its calls; the figures of its
 * children represent all calls already. A sample counts as often as it represents calls in all
 * figures except the calls, which are counted exactly. So of N calls there are about as many, W, in
 * the histogram, and times are multiplied by N / W (Hajek: Comment on a paper by Basu, 1971): for
 * calls of about equal time the relative error is that of a single call, even if most of it is the
 * reading of the clock.
 */
static void scale_samples(struct ep_node *node, const struct ep_image *image)
{
    struct ep_figures *figures = &node->figures;
    const struct ep_statistics *stats = &ep_image_node(image, node->ref)->stats;
    uint64_t calls = ep_figures_timed(figures), measured_ticks = figures->total.low;
    uint64_t weight = ep_figures_add_counts(NULL, image, stats, figures);
    node->is_sampled = true;
    node->probes = count_probes(node, weight, calls);
    if (weight == 0 || calls / 2 > weight)
        return; /* most buckets are missing, for want of memory: the rest cannot represent all */
    figures->total = ep_wide_scale(figures->total, calls, weight);
    figures->self_ticks = signed_part_of(figures->self_ticks, calls, weight);
    if (!ep_figures_lack_squares(figures))
        figures->squares = ep_wide_scale(figures->squares, calls, weight);
    node->surplus_ticks = measured_ticks - figures->total.low;
}

/* Recording subtracted each sample from the parent's self time as many times as it represents
 * calls. The scaled total may differ, so the difference is returned to the parent. In a merged
 * image nothing was subtracted. */
static void scale_all_samples(struct ep_nodes *nodes)
{
    for (size_t i = 0; i < nodes->count; i++) {
        struct ep_node *node = &nodes->at[i];
        if (node->is_timed || node->is_hidden || node->parent == EP_MAP_NONE || !node->is_throttled)
            continue;
        struct ep_probed_time *around = &nodes->at[node->parent].self;
        scale_samples(node, nodes->image);
        around->missing += ep_figures_timed(&node->figures) - node->probes;
        around->ticks += node->surplus_ticks;
        around->is_rest = true;
    }
}

/* Adds to the self time. A negative time of a node from which no estimate was subtracted is
 * ignored: the clock went back. */
static void add_self(struct ep_node *node, uint64_t ticks)
{
    if (node->self.is_rest || !is_negative(ticks))
        node->self.ticks += ticks;
}

/* ---- open scopes ---- */

/* Innermost first. An open scope has the time since it began, and no less than the time inside it,
 * even if the clock went back meanwhile. The time that samples inside it represent may be more. */
static void add_open(struct ep_nodes *nodes, bool is_timed, uint64_t now_ticks)
{
    uint64_t inside_ticks = 0;
    for (size_t i = nodes->open.count; i-- > 0;) {
        const struct ep_open_scope *scope = &nodes->open.at[i];
        uint32_t index = ep_hash_map_find(&nodes->index, scope->node);
        inside_ticks += scope->child_ticks;
        if (index == EP_MAP_NONE || !scope->counts)
            continue;
        struct ep_node *node = &nodes->at[index];
        node->figures.open++;
        node->is_timed = is_timed;
        if (!is_timed)
            continue;
        add_self(node, open_self_ticks(&nodes->open, i, now_ticks));
        uint64_t ticks = ep_probed_positive(now_ticks - scope->start_ticks);
        if (ticks >= inside_ticks || node->self.is_rest)
            inside_ticks = ticks;
        if (scope->state & EP_SCOPE_TIMED)
            node->total.ticks += inside_ticks;
    }
}

/* ---- the total and self time of each node ---- */

/* Whether the total of the node is incomplete: it has no counted calls, or an open call whose time
 * so far is unknown. */
static bool is_unfinished(const struct ep_node *node)
{
    return !node->is_timed && (node->figures.open || node->figures.calls == 0);
}

/* The total contains both parts of all probes below. A timed call contains the inner part of its
 * own probe, a nested call both parts. */
static void count_probes_inside(struct ep_node *node)
{
    uint64_t nested = node->figures.nested, timed = ep_figures_timed(&node->figures);
    for (int kind = 0; kind < EP_PROBE_KINDS; kind++) {
        uint64_t all = node->below[kind].all;
        node->total.probes[kind] = (struct ep_probes){all, all, node->below[kind].nested};
    }
    node->total.untimed = node->below_untimed;
    node->self.probes[node->probe].inside = timed;
    node->self.probes[node->probe].nested = nested;
    node->total.probes[node->probe].inside += timed;
    node->total.probes[node->probe].nested += nested;
}

static void finish_node(struct ep_node *node)
{
    if (is_unfinished(node) && node->figures.calls == 0) { /* nothing was subtracted from it yet */
        node->self.ticks = node->self.missing = 0;
        node->self.is_rest = false;
    }
    add_self(node, node->figures.self_ticks);
    node->total.ticks = ep_probed_sum(node->total.ticks, ep_wide_saturated(node->figures.total),
                                      node->total.is_rest);
    if (ep_probed_is_saturated(&node->total) && node->below_total.ticks == 0)
        node->self.ticks = node->total.ticks; /* nothing is inside it */
    count_probes_inside(node);
    struct ep_probed_time sum = node->self;
    ep_probed_add(&sum, &node->below_total);
    bool is_sum_known = !sum.is_rest || !is_negative(sum.ticks);
    if (is_unfinished(node) && is_sum_known && sum.ticks > node->total.ticks) {
        node->total.ticks = sum.ticks;
        if (node->has_samples_below)
            node->total = sum; /* including probe readings, which count as often as samples do */
    }
    /* they may have been read one call apart */
    bool is_negative_rest = node->self.is_rest && is_negative(node->self.ticks);
    if (!is_negative_rest && node->self.ticks > node->total.ticks)
        node->self.ticks = node->total.ticks;
}

/* Charges the probes of a node to its parent. Only timed calls of a throttled function have a
 * probe. The outer part of a probe is in the parent's self time. */
static void charge_probes(struct ep_node *parent, const struct ep_node *node)
{
    uint64_t calls = node->figures.calls, all_nested = node->figures.nested;
    uint64_t all_outer = calls > all_nested ? calls - all_nested : 0;
    uint64_t outer = node->is_sampled ? node->probes : all_outer;
    uint64_t nested = node->is_sampled ? part_of(all_nested, outer, all_outer) : all_nested;
    uint64_t untimed = all_outer - outer + all_nested - nested;
    for (int kind = 0; kind < EP_PROBE_KINDS; kind++) {
        parent->below[kind].all += node->below[kind].all;
        parent->below[kind].nested += node->below[kind].nested;
    }
    struct ep_calls_below *below = &parent->below[node->probe];
    below->all += outer;
    below->nested += nested;
    parent->self.probes[node->probe].around += outer;
    parent->self.untimed += untimed;
    parent->below_untimed += untimed + node->below_untimed;
}

/* Children before parents. */
static void finish_all(struct ep_nodes *nodes)
{
    for (size_t i = nodes->count; i-- > 0;) {
        struct ep_node *node = &nodes->at[i];
        if (node->is_hidden || node->parent == EP_MAP_NONE) {
            node->is_shown = false;
            continue;
        }
        node->is_shown |= node->figures.calls || node->figures.open;
        if (!node->is_shown)
            continue;
        finish_node(node);
        struct ep_node *parent = &nodes->at[node->parent];
        parent->is_shown = true;
        parent->has_samples_below |= node->is_sampled || node->has_samples_below;
        ep_probed_add(&parent->below_total, &node->total);
        charge_probes(parent, node);
    }
}

int ep_thread_tree_read(struct ep_nodes *nodes, const struct ep_thread_cell *thread,
                        const struct ep_present *present)
{
    const struct ep_source_cell *source = &ep_image_cell(nodes->image, EP_CELL_SOURCE)->source;
    if (read_between_keeps(nodes, thread) != 0 || find_parents(nodes) != 0)
        return -1;
    bool is_comparable = !ep_load(&source->is_per_thread) || thread->self == present->self;
    scale_all_samples(nodes);
    add_open(nodes, present->is_live && is_comparable, present->now_ticks);
    finish_all(nodes);
    return 0;
}

void ep_thread_tree_free(struct ep_nodes *nodes)
{
    free(nodes->at);
    ep_hash_map_free(&nodes->index);
    ep_thread_tree_open_free(&nodes->open);
    *nodes = (struct ep_nodes){.at = NULL};
}
