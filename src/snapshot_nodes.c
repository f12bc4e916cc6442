#include "snapshot_nodes.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>

#include "array.h"
#include "snapshot_samples.h"

static const struct ep_node_cell *cell_of(const struct ep_image *image, ep_ref ref)
{
    return (const struct ep_node_cell *)ep_image_cell(image, ref);
}

bool ep_nodes_are_valid(const struct ep_image *image, const struct ep_node_cell *node)
{
    uint64_t generation = ep_load_acquire(&node->stamp) & EP_STAMP_GENERATION;
    return generation >= ep_load(&ep_image_control(image)->reset_generation);
}

/* ---- reading ---- */

static struct ep_node *add(struct ep_nodes *nodes)
{
    struct ep_node *grown = ep_array_room(nodes->at, nodes->count, &nodes->room, sizeof *grown);
    if (!grown)
        return NULL;
    nodes->at = grown;
    return &grown[nodes->count++];
}

/* Looks at the stamp before and after; pairs with ep_tree_clear(). */
static void read_figures(struct ep_node *node, const struct ep_image *image,
                         const struct ep_node_cell *cell)
{
    node->figures = ep_figures_none;
    if (!ep_nodes_are_valid(image, cell))
        return;
    struct ep_figures figures = ep_figures_read(&cell->stats, &cell->self_ticks);
    uint64_t owed_ticks = ep_load_acquire(&cell->owed_ticks);
    uint32_t samples = cell->level ? 0 : ep_load_acquire(&cell->samples);
    if (!ep_nodes_are_valid(image, cell))
        return;
    node->figures = figures;
    node->samples = samples;
    node->is_timed = owed_ticks != 0;
    node->total.ticks = owed_ticks ? owed_ticks - 1 : 0;
}

static int find_all(struct ep_nodes *nodes, const struct ep_image *image,
                    const struct ep_thread_cell *thread)
{
    const struct ep_node_cell *cell;
    nodes->count = 0;
    for (ep_ref ref = ep_load_acquire(&thread->nodes); ref; ref = ep_load_acquire(&cell->next)) {
        struct ep_node *node = add(nodes);
        if (!node)
            return -1;
        cell = cell_of(image, ref);
        *node = (struct ep_node){.ref = ref,
                                 .site = cell->site,
                                 .kind = ep_kind_of(&nodes->kinds, cell->site),
                                 .parent_ref = cell->parent,
                                 .is_hidden = cell->level != 0 || cell->site == EP_SITE_HOLD};
    }
    return 0;
}

/* Newest first: a parent that is read after its children has all of their time. */
static int read_all(struct ep_nodes *nodes, const struct ep_image *image,
                    const struct ep_thread_cell *thread)
{
    if (find_all(nodes, image, thread) != 0)
        return -1;
    for (size_t i = nodes->count; i-- > 0;)
        read_figures(&nodes->at[i], image, cell_of(image, nodes->at[i].ref));
    return 0;
}

/* Not in the midst of a keep: half of it must not be seen. A thread that keeps more often
 * than it can be read is read as it is, in the end. */
static int read_between_keeps(struct ep_nodes *nodes, const struct ep_image *image,
                              const struct ep_thread_cell *thread)
{
    enum { MOST_TRIES = 100 };
    for (int tries = 1;; tries++) {
        uint32_t keeps = ep_load_acquire(&thread->keeps);
        if (keeps % 2 == 0 || tries == MOST_TRIES) {
            if (ep_open_read(&nodes->open, image, thread) != 0 ||
                read_all(nodes, image, thread) != 0)
                return -1;
            ep_open_read_again(&nodes->open, image, thread);
            if (ep_load_acquire(&thread->keeps) == keeps || tries == MOST_TRIES)
                return 0;
        }
        sched_yield();
    }
}

/* ---- parents ---- */

/* A parent is there before its child; what has none stays hidden. */
static int find_parents(struct ep_nodes *nodes)
{
    ep_map_clear(&nodes->index);
    if (ep_map_reserve(&nodes->index, nodes->count) != 0)
        return -1;
    for (size_t i = 0; i < nodes->count; i++) {
        struct ep_node *node = &nodes->at[i];
        node->parent = EP_MAP_NONE;
        if (node->parent_ref)
            node->parent = ep_map_find(&nodes->index, node->parent_ref);
        if (node->parent != EP_MAP_NONE)
            node->is_hidden |= nodes->at[node->parent].is_hidden;
        else
            node->is_hidden |= node->parent_ref != 0;
        ep_map_add(&nodes->index, node->ref, (uint32_t)i);
    }
    return 0;
}

/* ---- self time that may be below zero ---- */

/* Parents have given away as much as samples count; of an image that was added up nothing. */
static void weigh_samples(struct ep_nodes *nodes, const struct ep_image *image)
{
    for (size_t i = 0; i < nodes->count; i++) {
        struct ep_node *node = &nodes->at[i];
        if (node->is_timed || node->is_hidden || node->parent == EP_MAP_NONE ||
            !node->kind.is_throttled)
            continue;
        struct ep_probed_time *around = &nodes->at[node->parent].self;
        ep_samples_weigh(node, image);
        around->missing += ep_figures_timed(&node->figures) - node->probes;
        around->ticks += node->surplus_ticks;
        around->is_rest = true;
    }
}

static bool is_negative(uint64_t ticks)
{
    return ticks >> 63;
}

/* Below zero where nothing was taken from it, a clock went back. */
static void add_self(struct ep_node *node, uint64_t ticks)
{
    if (node->self.is_rest || !is_negative(ticks))
        node->self.ticks += ticks;
}

/* Self and total were read a call apart. */
static void cap_self(struct ep_node *node)
{
    if (node->self.is_rest && is_negative(node->self.ticks))
        return;
    if (node->self.ticks > node->total.ticks)
        node->self.ticks = node->total.ticks;
}

/* ---- open scopes ---- */

/* What it has run for, and no less than what it has inside, though the clock went back meanwhile.
 * What samples stand for there may be more. */
static uint64_t open_total_ticks(const struct ep_nodes *nodes, size_t i, uint64_t now_ticks,
                                 const struct ep_node *node, uint64_t inside_ticks)
{
    uint64_t ticks = ep_open_total_ticks(&nodes->open, i, now_ticks);
    return ticks < inside_ticks && !node->self.is_rest ? inside_ticks : ticks;
}

/* The innermost first. */
static void add_open(struct ep_nodes *nodes, const struct ep_image *image, bool is_timed,
                     uint64_t now_ticks)
{
    uint64_t inside_ticks = 0;
    for (size_t i = nodes->open.count; i-- > 0;) {
        const struct ep_open_scope *scope = &nodes->open.at[i];
        uint32_t index = ep_map_find(&nodes->index, scope->node);
        inside_ticks += scope->child_ticks;
        if (index == EP_MAP_NONE || !ep_open_counts(scope, image))
            continue;
        struct ep_node *node = &nodes->at[index];
        node->figures.open++;
        node->is_timed = is_timed;
        if (!is_timed)
            continue;
        add_self(node, ep_open_self_ticks(&nodes->open, i, image, now_ticks));
        inside_ticks = open_total_ticks(nodes, i, now_ticks, node, inside_ticks);
        if (scope->state & EP_FRAME_TIMED)
            node->total.ticks += inside_ticks;
    }
}

/* ---- what the times come to ---- */

/* Its own total does not tell: nothing of it counts, or it is open and nobody knows since when. */
static bool is_unfinished(const struct ep_node *node)
{
    return !node->is_timed && (node->figures.open || node->figures.calls == 0);
}

/* In self time there is what is around the calls of children, in the total what is around and
 * inside all calls below. */
static void count_probes_below(struct ep_node *node)
{
    for (int kind = 0; kind < EP_PROBE_KINDS; kind++) {
        const struct ep_calls_below *below = &node->below[kind];
        node->self.probes[kind].around = below->outer;
        node->total.probes[kind] = (struct ep_probes){below->all, below->all, below->nested};
    }
    node->self.untimed = node->child_untimed;
    node->total.untimed = node->below_untimed;
}

/* A probe's own reading is inside each call that is timed; of those inside another of its site it
 * has both that and what is around. */
static void count_own_probes(struct ep_node *node)
{
    uint64_t nested = node->figures.nested, timed = ep_figures_timed(&node->figures);
    struct ep_probes *self = &node->self.probes[node->kind.probe];
    struct ep_probes *total = &node->total.probes[node->kind.probe];
    self->inside = timed;
    self->nested = nested;
    total->inside += timed;
    total->nested += nested;
}

static void settle(struct ep_node *node)
{
    if (is_unfinished(node) && node->figures.calls == 0)
        node->self = (struct ep_probed_time){.ticks = 0}; /* nothing was taken from it yet */
    add_self(node, node->figures.self_ticks);
    node->total.ticks += node->figures.total_ticks;
    count_probes_below(node);
    count_own_probes(node);
    struct ep_probed_time sum = node->self;
    ep_probed_add(&sum, &node->below_total);
    bool is_sum_known = !sum.is_rest || !is_negative(sum.ticks);
    if (is_unfinished(node) && is_sum_known && sum.ticks > node->total.ticks) {
        node->total.ticks = sum.ticks;
        if (node->has_samples_below)
            node->total = sum; /* with the readings that are in them as often as samples count */
    }
    cap_self(node);
}

static uint64_t part_of(uint64_t all, uint64_t part, uint64_t whole)
{
    return whole ? ep_wide_divide(ep_wide_multiply(all, part), whole) : 0;
}

/* Of a throttled function's calls only those that were timed have a probe. */
static void hand_up_probes(struct ep_node *parent, const struct ep_node *node)
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
    struct ep_calls_below *below = &parent->below[node->kind.probe];
    below->all += outer;
    below->nested += nested;
    below->outer += outer;
    parent->child_untimed += untimed;
    parent->below_untimed += untimed + node->below_untimed;
}

static void hand_up(struct ep_node *parent, const struct ep_node *node)
{
    parent->is_shown = true;
    parent->has_samples_below |= node->is_sampled || node->has_samples_below;
    ep_probed_add(&parent->below_total, &node->total);
    hand_up_probes(parent, node);
}

/* Children before their parents. */
static void settle_all(struct ep_nodes *nodes)
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
        settle(node);
        hand_up(&nodes->at[node->parent], node);
    }
}

int ep_nodes_read(struct ep_nodes *nodes, const struct ep_image *image,
                  const struct ep_thread_cell *thread, const struct ep_present *present)
{
    if (!nodes->kinds.of && ep_kinds_find(&nodes->kinds, image) != 0)
        return -1;
    if (read_between_keeps(nodes, image, thread) != 0 || find_parents(nodes) != 0)
        return -1;
    weigh_samples(nodes, image);
    add_open(nodes, image, ep_open_is_timed(image, thread, present), present->now_ticks);
    settle_all(nodes);
    return 0;
}

void ep_nodes_free(struct ep_nodes *nodes)
{
    free(nodes->at);
    ep_map_free(&nodes->index);
    ep_open_free(&nodes->open);
    ep_kinds_free(&nodes->kinds);
    *nodes = (struct ep_nodes){.at = NULL};
}
