/*
 * hold_model.h - a model of the rules for scopes, pairs of instances, holds, resets and switches
 *
 * The model keeps a record of each call that has begun, and computes the rows from all of them. A
 * call in a hold that is still open is in no row.
 */
#ifndef HOLD_MODEL_H
#define HOLD_MODEL_H

#include "hand_clock.h"
#include "tree_text.h"

enum { CALLS = 150, PAIRS = CALLS + 1, INSTANCES = 2, DEPTH = 12, HOLDS = 4 };
/* Labels: of EPROF_SCOPE, of EPROF_SLOW, and of eprof_enter(). */
enum { BLOCKS = 4, SLOW = BLOCKS, BY_HAND, LABELS = BY_HAND + 3, SLOW_NS = 60 };
enum { NONE = -1, ROOT = 0 };

enum decision { UNDECIDED, KEPT, DROPPED };

struct model_hold {
    int parent;
    enum decision decision;
    bool is_of_slow;
};

struct model_pair {
    int label, node; /* an instance has its number here, and no node */
    int below;       /* the pair that was open at its begin */
    int hold;        /* the innermost hold at its begin */
    int resets;      /* the number of resets before its begin */
    bool is_on, is_nested, has_ended, is_manual;
    uint64_t start_ticks, stop_ticks;
};

struct model_node {
    int label, parent;
    struct eprof_row row;
    bool is_shown;
};

static struct model_hold holds[PAIRS];
static struct model_pair pairs[PAIRS];
static struct model_node nodes[PAIRS];
static int hold_count, pair_count, node_count, hold_now, resets, hold_depth;
static int top, open_scopes; /* for scopes */
static int tops[INSTANCES];  /* for each instance */
static bool is_off, is_thread_off;
static uint64_t unbalanced, unmatched_keeps;

static void model_begin(void)
{
    nodes[ROOT] = (struct model_node){.label = NONE, .parent = NONE};
    node_count = 1;
    hold_count = pair_count = resets = hold_depth = open_scopes = 0;
    hold_now = top = NONE;
    for (int i = 0; i < INSTANCES; i++)
        tops[i] = NONE;
    unbalanced = unmatched_keeps = 0;
}

static bool model_is_recording(void)
{
    return !is_off && !is_thread_off;
}

static bool model_is_dropped(const struct model_pair *pair)
{
    for (int hold = pair->hold; hold != NONE; hold = holds[hold].parent)
        if (holds[hold].decision == DROPPED)
            return true;
    return false;
}

static bool model_counts(const struct model_pair *pair)
{
    return pair->is_on && pair->resets == resets && !model_is_dropped(pair);
}

static int model_child(int parent, int label)
{
    for (int i = 1; i < node_count; i++)
        if (nodes[i].parent == parent && nodes[i].label == label)
            return i;
    nodes[node_count] = (struct model_node){.label = label, .parent = parent};
    return node_count++;
}

/* Begins a call inside *innermost. */
static struct model_pair *model_open(int *innermost, int label)
{
    struct model_pair *pair = &pairs[pair_count];
    *pair = (struct model_pair){.label = label,
                                .below = *innermost,
                                .hold = hold_now,
                                .resets = resets,
                                .is_on = model_is_recording(),
                                .start_ticks = hand_ticks};
    for (int i = *innermost; i != NONE; i = pairs[i].below)
        pair->is_nested |= pairs[i].label == label && model_counts(&pairs[i]);
    *innermost = pair_count++;
    return pair;
}

static struct model_pair *model_enter(int label)
{
    int parent = top == NONE ? ROOT : pairs[top].node, open = NONE;
    for (int i = top; i != NONE; i = pairs[i].below)
        if (pairs[i].is_on && pairs[i].label == label)
            open = pairs[i].node;
    struct model_pair *pair = model_open(&top, label);
    pair->node = !pair->is_on ? parent : open != NONE ? open : model_child(parent, label);
    open_scopes++;
    return pair;
}

static void model_close(int *innermost)
{
    struct model_pair *pair = &pairs[*innermost];
    pair->has_ended = true;
    pair->stop_ticks = hand_ticks;
    *innermost = pair->below;
}

static void model_hold(bool is_of_slow)
{
    holds[hold_count] = (struct model_hold){.parent = hold_now, .is_of_slow = is_of_slow};
    hold_now = hold_count++;
    hold_depth++;
}

static void model_keep(bool keep)
{
    holds[hold_now].decision = keep ? KEPT : DROPPED;
    hold_now = holds[hold_now].parent;
    hold_depth--;
}

/* The duration of an EPROF_SLOW decides its hold; holds that are still open at its end are
 * dropped. */
static void model_leave(void)
{
    const struct model_pair *scope = &pairs[top];
    model_close(&top);
    open_scopes--;
    if (scope->label != SLOW || !scope->is_on)
        return;
    while (hold_now != scope->hold)
        model_keep(false);
    model_keep(scope->stop_ticks - scope->start_ticks >= SLOW_NS);
}

/* ---- its rows ---- */

/* Under a budget, an open scope is among the calls. */
static void model_count(struct eprof_row *row, const struct model_pair *pair, bool counts_open)
{
    bool is_counted = pair->has_ended || counts_open;
    row->calls += is_counted;
    row->outermost += is_counted && !pair->is_nested;
    row->timed += pair->has_ended && !pair->is_nested;
    row->open += !pair->has_ended;
}

static uint64_t model_ticks(const struct model_pair *pair)
{
    return (pair->has_ended ? pair->stop_ticks : hand_ticks) - pair->start_ticks;
}

static void model_sum_up(void)
{
    for (int i = 0; i < node_count; i++) {
        nodes[i].row = (struct eprof_row){.size = sizeof nodes[i].row};
        nodes[i].is_shown = false;
    }
    for (int i = 0; i < pair_count; i++) {
        const struct model_pair *pair = &pairs[i];
        if (pair->node == ROOT || !model_counts(pair))
            continue;
        struct eprof_row *row = &nodes[pair->node].row;
        model_count(row, pair, counts_open_calls());
        row->total_ns += pair->is_nested ? 0 : model_ticks(pair);
        row->self_ns += model_ticks(pair);
        int around = pair->below;
        while (around != NONE && !model_counts(&pairs[around]))
            around = pairs[around].below;
        if (around != NONE)
            nodes[pairs[around].node].row.self_ns -= model_ticks(pair);
    }
    /* a child has a higher number than its parent */
    for (int i = node_count - 1; i > ROOT; i--) {
        struct eprof_row *row = &nodes[i].row;
        nodes[i].is_shown |= row->calls || row->open;
        if (!nodes[i].is_shown)
            continue;
        struct model_node *parent = &nodes[nodes[i].parent];
        parent->is_shown = true;
    }
    for (int i = node_count - 1; i > ROOT; i--) {
        struct eprof_row *parent = &nodes[nodes[i].parent].row;
        if (nodes[i].is_shown && nodes[i].parent != ROOT && !parent->calls && !parent->open)
            parent->total_ns += nodes[i].row.total_ns;
    }
}

static const char *model_path(int node)
{
    static char path[2 * DEPTH + 2];
    char *at = path + sizeof path - 1;
    for (; node != ROOT; node = nodes[node].parent) {
        *--at = (char)('a' + nodes[node].label);
        if (nodes[node].parent != ROOT)
            *--at = ';';
    }
    return at;
}

static const char *model_text(void)
{
    char *lines[PAIRS];
    size_t count = 0;
    model_sum_up();
    for (int i = 1; i < node_count; i++)
        if (nodes[i].is_shown) {
            nodes[i].row.path = model_path(i);
            lines[count++] = tree_line(&nodes[i].row);
        }
    return tree_join(lines, count);
}

static struct eprof_row model_instance(int instance)
{
    struct eprof_row row = {.size = sizeof row};
    for (int i = 0; i < pair_count; i++)
        if (pairs[i].node == ROOT && pairs[i].label == LABELS + instance &&
            model_counts(&pairs[i])) {
            model_count(&row, &pairs[i], false);
            row.total_ns += pairs[i].has_ended && !pairs[i].is_nested ? model_ticks(&pairs[i]) : 0;
        }
    return row;
}

#endif /* HOLD_MODEL_H */
