#include <sched.h>
#include <stdlib.h>

#include "base/memory.h"
#include "snapshot/tree.h"

static bool is_negative(uint64_t ticks)
{
    return ticks >> 63;
}

/* ---- reading ---- */

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
        uint32_t number = cell->site & EP_NODE_SITE;
        const struct ep_site_cell *site = ep_sites_at(nodes->sites, number);
        bool is_function = site && site->module;
        at[nodes->count++] =
            (struct ep_node){.ref = ref,
                             .site = number,
                             .is_value = cell->site & EP_NODE_VALUE,
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
                ep_thread_tree_node_read(&nodes->at[i], nodes->image);
            ep_thread_tree_open_read_again(&nodes->open, nodes->image, thread);
            if (ep_load_acquire(&thread->keeps) == keeps || tries == MOST_TRIES)
                return 0;
        }
        sched_yield();
    }
}

/* An untimed call counts when it begins. While it is open it has no part in the times. */
static void take_off_open(struct ep_nodes *nodes)
{
    for (size_t i = 0; i < nodes->open.count; i++) {
        const struct ep_open_scope *scope = &nodes->open.at[i];
        uint32_t index = ep_hash_map_find(&nodes->index, scope->node);
        if (index == EP_MAP_NONE || !scope->counts || !scope->is_untimed ||
            scope->state & EP_SCOPE_ENTRY)
            continue;
        struct ep_figures *figures = &nodes->at[index].figures;
        bool is_nested = scope->state & EP_SCOPE_NESTED;
        uint64_t *untimed = is_nested ? &figures->untimed_nested : &figures->untimed;
        if (!*untimed) /* it began after the figures were read */
            continue;
        *untimed -= 1;
        figures->calls--;
        figures->nested -= is_nested;
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

/* ---- estimates ---- */

static uint64_t part_of(uint64_t all, uint64_t part, uint64_t whole)
{
    return whole ? ep_wide_divide(ep_wide_multiply(all, part), whole) : 0;
}

/*
 * Scales the figures of a node from the calls that its timed ones represent, W, to all its calls,
 * N, which are counted exactly: times are multiplied by N / W (Hajek: Comment on a paper by Basu,
 * 1971). W and N differ by less than a block, unless the program ended before a call of its last
 * block was timed. Recording has charged the parent with the time that the timed calls represent,
 * so the difference is returned to it; in a merged image nothing was charged.
 */
static void scale_node(struct ep_node *node, struct ep_node *parent)
{
    struct ep_figures *figures = &node->figures;
    uint64_t calls = ep_figures_timed(figures), measured_ticks = figures->total.low;
    if (node->weight == 0)
        return;
    figures->total = ep_wide_scale(figures->total, calls, node->weight);
    if (!ep_figures_lack_squares(figures))
        figures->squares = ep_wide_scale(figures->squares, calls, node->weight);
    uint64_t surplus_ticks = measured_ticks - figures->total.low;
    figures->self_ticks -= surplus_ticks;
    parent->self.ticks += surplus_ticks;
}

/* Leaves the times as they are, for the calls that the timed ones represent: W only grows, and the
 * times with it. */
static void keep_sums(struct ep_node *node)
{
    struct ep_figures *figures = &node->figures;
    uint64_t calls = ep_figures_timed(figures);
    node->beyond = calls - node->weight;
    figures->calls -= node->beyond;
    figures->untimed = node->weight > node->timed ? node->weight - node->timed : 0;
}

/* The times that were subtracted from the parent have the inner part of a probe for each call that
 * is represented, of which only the timed ones ran one. */
static void count_missing_probes(const struct ep_node *node, struct ep_probed_time *parent_self,
                                 const struct ep_probe_cost *cost)
{
    const struct ep_figures *figures = &node->figures;
    uint64_t others = ep_figures_timed(figures) - figures->represented;
    uint64_t timed = node->timed - figures->sampled;
    if (node->weight == 0 || node->timed == 0)
        return;
    ep_probed_cost(&parent_self->missing_milliticks, cost->inside_milliticks,
                   others > timed ? others - timed : 0);
    ep_probed_cost(&parent_self->missing_milliticks, cost->sampled_inside_milliticks,
                   figures->represented > figures->sampled ? figures->represented - figures->sampled
                                                           : 0);
}

static void scale_estimate(struct ep_nodes *nodes, struct ep_node *node)
{
    struct ep_figures *figures = &node->figures;
    struct ep_node *parent = &nodes->at[node->parent];
    figures->sampled = node->sampled;
    if (!node->is_timed) {
        if (nodes->conversion->has_sums)
            keep_sums(node);
        else
            scale_node(node, parent);
        node->self.is_rest = parent->self.is_rest = true;
    }
    figures->represented = part_of(ep_figures_timed(figures), node->sampled_weight, node->weight);
    if (parent->self.is_rest)
        count_missing_probes(node, &parent->self, &nodes->conversion->costs[node->probe]);
}

/* Processor time becomes that of the calls that the total is of, if it was read in all calls that
 * were timed. */
static void scale_cpu(struct ep_node *node)
{
    struct ep_figures *figures = &node->figures;
    uint64_t calls = ep_figures_timed(figures);
    if (node->is_timed) { /* in a merged image it is that of all calls, open ones too */
        figures->cpu_ns = node->cpu.cpu_ns;
        figures->cpu_calls = node->cpu.weight;
    } else if (node->cpu.weight && node->cpu.weight >= node->weight) {
        figures->cpu_ns = part_of(node->cpu.cpu_ns, calls, node->cpu.weight);
        figures->cpu_calls = calls;
    }
}

static void scale_all(struct ep_nodes *nodes)
{
    for (size_t i = 0; i < nodes->count; i++) {
        struct ep_node *node = &nodes->at[i];
        bool has_parent = !node->is_hidden && node->parent != EP_MAP_NONE;
        if (has_parent && node->figures.is_estimate)
            scale_estimate(nodes, node);
        if (nodes->conversion->has_cpu && !node->is_value)
            scale_cpu(node);
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

/* An open call that adds nothing to the total needs no processor time. One that is untimed does, if
 * no other call was timed: its total is that of what ended inside. */
static void add_open_cpu(struct ep_node *node, const struct ep_open_scope *scope,
                         uint64_t now_cpu_ns)
{
    uint64_t start_cpu_ns = node->cpu.start_cpu_ns;
    if (scope->is_untimed ? node->timed > 0 : !(scope->state & EP_SCOPE_TIMED)) {
        node->figures.cpu_calls++;
    } else if (!scope->is_untimed && start_cpu_ns && now_cpu_ns >= start_cpu_ns) {
        node->figures.cpu_ns += now_cpu_ns - start_cpu_ns;
        node->figures.cpu_calls++;
    }
}

/* Nothing tells the end of an untimed patched entry: it is one of the calls (take_off_open()). */
static void count_open(struct ep_node *node, const struct ep_open_scope *scope)
{
    bool is_open = !(scope->state & EP_SCOPE_ENTRY), is_begun = is_open && node->counts_begun;
    node->figures.open += is_open;
    node->figures.begun += is_begun;
    node->figures.begun_nested += is_begun && scope->state & EP_SCOPE_NESTED;
}

/* Innermost first. An open scope has the time since it began, and no less than the time inside it,
 * even if the clock went back meanwhile. The time that samples inside it represent may be more. */
static void add_open(struct ep_nodes *nodes, bool is_timed, uint64_t now_ticks, uint64_t now_cpu_ns)
{
    uint64_t inside_ticks = 0;
    for (size_t i = nodes->open.count; i-- > 0;) {
        const struct ep_open_scope *scope = &nodes->open.at[i];
        uint32_t index = ep_hash_map_find(&nodes->index, scope->node);
        inside_ticks += scope->child_ticks;
        if (index == EP_MAP_NONE || !scope->counts)
            continue;
        struct ep_node *node = &nodes->at[index];
        count_open(node, scope);
        if (nodes->conversion->has_cpu)
            add_open_cpu(node, scope, is_timed ? now_cpu_ns : 0);
        if (scope->is_untimed) { /* as at its leave */
            node->self.is_rest = true;
            node->self.ticks -= scope->child_ticks;
            inside_ticks -= scope->child_ticks;
            continue;
        }
        node->is_timed = is_timed;
        if (!is_timed)
            continue;
        add_self(node, ep_thread_tree_open_self_ticks(&nodes->open, i, now_ticks));
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
    return !node->is_timed && (node->figures.open || node->figures.calls + node->beyond == 0);
}

/* The total contains both parts of all probes below. A timed call contains the inner part of its
 * own probe, a nested call both parts. */
static void count_probes_inside(struct ep_node *node, const struct ep_probe_cost *cost)
{
    const struct ep_figures *figures = &node->figures;
    uint64_t calls = ep_figures_timed(figures), own_milliticks;
    ep_probed_cost(&node->inside_milliticks, cost->inside_milliticks, calls - figures->represented);
    ep_probed_cost(&node->inside_milliticks, cost->sampled_inside_milliticks, figures->represented);
    own_milliticks = node->inside_milliticks;
    ep_probed_cost(&own_milliticks, cost->nested_milliticks,
                   figures->nested - figures->untimed_nested);
    ep_probed_cost(&own_milliticks, cost->untimed_milliticks, figures->untimed_nested);
    ep_probed_cost(&node->self.probes_milliticks, own_milliticks, 1);
    node->total.probes_milliticks = ep_saturating_add(node->below_milliticks, own_milliticks);
}

/* Nothing was subtracted from it yet. */
static void clear_rest(struct ep_probed_time *self)
{
    self->ticks = 0;
    self->is_rest = false;
    self->missing_milliticks = 0;
}

static void finish_node(struct ep_node *node, const struct ep_probe_cost *cost, bool has_sums)
{
    if (is_unfinished(node) && node->figures.calls + node->beyond == 0)
        clear_rest(&node->self);
    add_self(node, node->figures.self_ticks);
    node->total.ticks = ep_probed_sum(node->total.ticks, ep_wide_saturated(node->figures.total),
                                      node->total.is_rest);
    if (ep_probed_is_saturated(&node->total) && node->below_total.ticks == 0)
        node->self.ticks = node->total.ticks; /* nothing is inside it */
    count_probes_inside(node, cost);
    struct ep_probed_time sum = node->self;
    ep_probed_add(&sum, &node->below_total);
    bool is_sum_known = !sum.is_rest || !is_negative(sum.ticks);
    bool is_sum = has_sums && node->figures.is_estimate; /* the parts may be beyond it */
    if (is_unfinished(node) && !is_sum && is_sum_known && sum.ticks > node->total.ticks) {
        node->total.ticks = sum.ticks;
        node->total.is_of_parts = node->has_estimates_below;
    }
    if (node->total.is_of_parts) { /* with probes that were subtracted more often than they ran */
        sum.ticks = node->total.ticks;
        node->total = sum;
        node->total.is_of_parts = true;
    }
    /* they may have been read one call apart */
    bool is_negative_rest = node->self.is_rest && is_negative(node->self.ticks);
    if (!is_negative_rest && node->self.ticks > node->total.ticks)
        node->self.ticks = node->total.ticks;
}

/* The calls of a node by what their probes cost. */
struct probe_calls {
    uint64_t timed, sampled, untimed, nested, untimed_nested;
};

static struct probe_calls probe_calls_of(const struct ep_node *node)
{
    const struct ep_figures *figures = &node->figures;
    uint64_t calls = figures->calls + node->beyond;
    uint64_t outer = calls > figures->nested ? calls - figures->nested : 0;
    uint64_t untimed = figures->untimed + node->beyond;
    untimed = untimed < outer ? untimed : outer;
    uint64_t sampled = figures->sampled < outer - untimed ? figures->sampled : outer - untimed;
    return (struct probe_calls){.timed = outer - untimed - sampled,
                                .sampled = sampled,
                                .untimed = untimed,
                                .nested = figures->nested - figures->untimed_nested,
                                .untimed_nested = figures->untimed_nested};
}

/* The part of the probes of outermost calls that is in the time of the caller. */
static uint64_t around_milliticks(struct probe_calls calls, const struct ep_probe_cost *cost)
{
    uint64_t milliticks = 0;
    ep_probed_cost(&milliticks, cost->around_milliticks, calls.timed);
    ep_probed_cost(&milliticks, cost->sampled_around_milliticks, calls.sampled);
    ep_probed_cost(&milliticks, cost->untimed_milliticks, calls.untimed);
    return milliticks;
}

/* Both parts, of all calls. */
static uint64_t all_milliticks(struct probe_calls calls, const struct ep_probe_cost *cost)
{
    uint64_t milliticks = around_milliticks(calls, cost);
    ep_probed_cost(&milliticks, cost->inside_milliticks, calls.timed);
    ep_probed_cost(&milliticks, cost->sampled_inside_milliticks, calls.sampled);
    ep_probed_cost(&milliticks, cost->nested_milliticks, calls.nested);
    ep_probed_cost(&milliticks, cost->untimed_milliticks, calls.untimed_nested);
    return milliticks;
}

/* Charges the probes of a node to its parent. The outer part of a probe is in the parent's self
 * time. */
static void charge_probes(struct ep_node *parent, const struct ep_node *node,
                          const struct ep_probe_cost *cost)
{
    struct probe_calls calls = probe_calls_of(node);
    ep_probed_cost(&parent->self.probes_milliticks, around_milliticks(calls, cost), 1);
    ep_probed_cost(&parent->below_milliticks, node->below_milliticks, 1);
    ep_probed_cost(&parent->below_milliticks, all_milliticks(calls, cost), 1);
}

/* Charges values to the scope around them. A frame records its excess after its time. */
static void charge_values(const struct ep_nodes *nodes, struct ep_node *around,
                          const struct ep_node *node)
{
    const struct ep_site_cell *site = ep_sites_at(nodes->sites, node->site);
    const struct ep_conversion *conversion = nodes->conversion;
    uint64_t calls = site && site->kind != EP_SITE_OVER ? node->figures.calls : 0;
    ep_probed_cost(&around->self.probes_milliticks, conversion->value_milliticks, calls);
    ep_probed_cost(&around->below_milliticks, conversion->value_milliticks, calls);
    ep_probed_cost(&around->values_milliticks, conversion->value_probe_milliticks, calls);
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
        node->is_shown |= node->figures.calls + node->beyond || node->figures.open;
        if (!node->is_shown)
            continue;
        struct ep_node *parent = &nodes->at[node->parent];
        parent->is_shown = true;
        if (node->is_value) {
            charge_values(nodes, parent, node);
            continue;
        }
        const struct ep_probe_cost *cost = &nodes->conversion->costs[node->probe];
        finish_node(node, cost, nodes->conversion->has_sums);
        parent->has_estimates_below |= node->figures.is_estimate || node->has_estimates_below;
        ep_probed_add(&parent->below_total, &node->total);
        charge_probes(parent, node, cost);
        node->overhead_milliticks +=
            all_milliticks(probe_calls_of(node), &nodes->conversion->probes[node->probe]);
    }
}

int ep_thread_tree_read(struct ep_nodes *nodes, const struct ep_thread_cell *thread,
                        const struct ep_present *present)
{
    const struct ep_source_cell *source = &ep_image_cell(nodes->image, EP_CELL_SOURCE)->source;
    if (read_between_keeps(nodes, thread) != 0 || find_parents(nodes) != 0)
        return -1;
    bool is_comparable = !ep_load(&source->is_per_thread) || thread->self == present->self;
    take_off_open(nodes);
    scale_all(nodes);
    bool is_self = thread->self && thread->self == present->self;
    add_open(nodes, present->is_live && is_comparable, present->now_ticks,
             is_self ? present->now_cpu_ns : 0);
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
