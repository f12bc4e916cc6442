/*
 * record/light_edges.c - the states of a light stack and the edges between them (record/light.h)
 */
#include "record/light.h"

#include <string.h>

#include "base/platform.h"
#include "record/held.h"
#include "record/sampling.h"
#include "record/stack.h"
#include "record/tree.h"

#if defined(__x86_64__) && !defined(__ILP32__)

/* ---- states ---- */

/* Stafford's variant 13 of the finaliser of MurmurHash3 (Steele, Lea, Flood: Fast Splittable
 * Pseudorandom Number Generators, OOPSLA 2014). */
static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 31;
}

/* The number that an open scope adds to the sum; 0 if the scope is nested. It depends on the node,
 * and on whether the scope is void, is folded, or began before the last reset. */
static uint64_t member_of(const struct ep_thread *thread, const struct ep_open_scope_cell *entry,
                          uint32_t state)
{
    enum { OF_NOW = 1 << 16 };
    if (!(state & EP_SCOPE_TIMED))
        return 0;
    uint32_t kind = state & (EP_SCOPE_VOID | EP_SCOPE_FOLDED);
    kind |= ep_thread_is_of_now(thread, entry->generation) ? OF_NOW : 0;
    return mix((uint64_t)entry->node << 32 | kind);
}

/* A random free place; never 0. There is one. */
static uint32_t free_place(const struct ep_light *light, uint64_t hash)
{
    uint32_t place = (uint32_t)hash & (light->places - 1);
    while (!place || light->states[place].node)
        place = (place + 1) & (light->places - 1);
    return place;
}

/* Gives an offset to the state that the slot is for. */
static uint64_t place_state(struct ep_light *light, uint32_t *slot, struct ep_light_state state)
{
    uint32_t place = free_place(light, mix(state.sum + state.node + light->state_count));
    light->states[place] = state;
    light->state_count++;
    *slot = place;
    return (uint64_t)place * EPROF_EDGE_BYTES;
}

/* The slot of a state, which may be empty. */
static uint32_t *slot_of(struct ep_light *light, const struct ep_light_state *wanted)
{
    uint32_t mask = 2 * light->places - 1;
    uint32_t *slots = light->slots + 2 * (size_t)light->places;
    uint32_t i = (uint32_t)mix(wanted->sum + wanted->node) & mask;
    for (; slots[i]; i = (i + 1) & mask) {
        const struct ep_light_state *state = &light->states[slots[i]];
        if (state->node == wanted->node && state->sum == wanted->sum)
            break;
    }
    return &slots[i];
}

/* Makes more places before another state gets one. */
static void make_places(struct ep_light *light)
{
    enum { PLACES_PER_STATE = 4 };
    if (light->state_count * PLACES_PER_STATE < light->places || light->places == EP_THREAD_PLACES)
        return;
    uint32_t before = 2 * light->places;
    light->places *= 2;
    for (const uint32_t *old = light->slots + before, *end = old + before; old < end; old++)
        if (*old)
            *slot_of(light, &light->states[*old]) = *old;
}

/* The offset of a state; 0: there are too many states. */
static uint64_t intern(struct ep_light *light, struct ep_light_state state)
{
    uint32_t *slot = slot_of(light, &state);
    if (*slot)
        return (uint64_t)*slot * EPROF_EDGE_BYTES;
    if (light->state_count == EP_LIGHT_STATES)
        return 0;
    make_places(light);
    return place_state(light, slot_of(light, &state), state);
}

uint64_t ep_light_sum(const struct ep_thread *thread)
{
    uint64_t sum = 0;
    const struct ep_open_scope_cell *entry = thread->top;
    /* not up to the highest frame: scopes that were entered by hand may have that of the lowest */
    for (; entry->below; entry = ep_stack_entry(thread, entry->below))
        sum += member_of(thread, entry, entry->state);
    return sum;
}

static struct ep_light_state state_with(const struct ep_thread *thread, ep_ref node, uint64_t sum,
                                        uint32_t state)
{
    return (struct ep_light_state){.sum = sum,
                                   .node = node,
                                   .level = (uint16_t)ep_tree_node(thread, node)->level,
                                   .is_function = (state & EP_SCOPE_FUNCTION) != 0};
}

uint64_t ep_light_state_now(const struct ep_thread *thread, struct ep_light *light, uint64_t sum)
{
    ep_ref node = thread->top->node;
    while (node && ep_tree_node(thread, node)->level < thread->level)
        node = ep_tree_find(thread, node, EP_SITE_HOLD);
    return node ? intern(light, state_with(thread, node, sum, thread->top->state)) : 0;
}

/* ---- edges ---- */

static uint64_t *calls_of(const struct ep_thread *thread, const struct ep_open_scope_cell *entry,
                          uint32_t state, const struct ep_open_scope_cell *below)
{
    struct ep_node_cell *node = ep_tree_node(thread, entry->node);
    bool is_own = below->node == entry->node;
    if (node->level) {
        uint32_t number = ep_held_find(thread, entry->node,
                                       state & EP_SCOPE_TIMED ? EP_HELD_OUTERMOST
                                       : is_own               ? EP_HELD_OWN
                                                              : EP_HELD_NESTED);
        bool is_of_now = ep_sampling_is_on() && node->generation == ep_thread_generation(thread);
        return number && is_of_now ? ep_held_calls(thread->held, number) : NULL;
    }
    struct ep_sampling_cells *cells = ep_sampling_of(thread, node);
    if (!cells || !ep_load(&node->stats.until_timed) ||
        node->generation != ep_thread_generation(thread))
        return NULL;
    if (state & EP_SCOPE_TIMED)
        return &node->stats.calls;
    return is_own ? &cells->own_calls : &cells->nested_calls;
}

static struct eprof_edge *edge_at(struct ep_light *light, uint64_t state, uint64_t site)
{
    return &light->edges[(state + site) / EPROF_EDGE_BYTES];
}

/* The key by which an open scope was entered; of a function only its lower half. is_via: if it has
 * an entry, that of a call that other code made. */
static struct ep_light_key key_of(const struct ep_thread *thread, struct ep_light *light,
                                  const struct eprof_open *open, const struct ep_light_state *state,
                                  bool is_via)
{
    uint32_t function = ep_light_entry_of(light, open);
    if (function) {
        bool has_hook = open->cell != EP_LIGHT_ENTRY;
        uint64_t key = EPROF_ENTRY_KEY(function, has_hook ? open->hook : open->return_address);
        if (is_via)
            key = EPROF_ENTRY_VIA_KEY(key, open[-1].frame - open->frame);
        return (struct ep_light_key){.key = key, .offset = EPROF_ENTRY_OFFSET(key)};
    }
    if (state->is_function)
        return (struct ep_light_key){.key = open->hook, .offset = EPROF_KEY_OFFSET(open->hook)};
    uint64_t offset = (uint64_t)ep_tree_site(thread, state->node) * EPROF_EDGE_BYTES;
    return (struct ep_light_key){.key = offset, .offset = offset};
}

/* Gives another offset to the state of an open scope, and leads to it from the scope around. */
static void move_state(const struct ep_thread *thread, struct ep_light *light,
                       struct eprof_open *open)
{
    const struct ep_light_state state = *ep_light_state_of(light, open->state);
    uint64_t newest = intern(light, state), before = open->state;
    if (newest == before) {
        if (light->state_count == EP_LIGHT_STATES)
            return;
        make_places(light);
        newest = place_state(light, slot_of(light, &state), state);
    }
    ep_store(&open->state, newest);
    for (int i = 0; i < EP_LIGHT_SLOW; i++)
        if (light->slow[i].after == before)
            light->slow[i].after = newest;
    if (open == light->lowest || !open[-1].state)
        return;
    for (int is_via = 0; is_via < 2; is_via++) {
        struct ep_light_key key = key_of(thread, light, open, &state, is_via);
        struct eprof_edge *edge = edge_at(light, open[-1].state, key.offset);
        if ((uint32_t)edge->site == (uint32_t)key.key &&
            (edge->state & ~(uint64_t)EPROF_ENTRY_BITS) == before)
            edge->state = newest | (edge->state & EPROF_ENTRY_BITS);
    }
}

/* The key of a scope that is being entered; key 0: no edge is made. The frame of a function must be
 * known. A key below the highest offset of a site could be taken for that of a scope. */
static struct ep_light_key key_of_entry(const struct ep_thread *thread,
                                        const struct ep_light *light,
                                        const struct ep_open_scope_cell *entry, uint32_t state)
{
    const struct ep_light_key none = {0, 0};
    uint32_t number = ep_tree_site(thread, entry->node);
    bool is_site = number >= EP_SITE_FIRST || !thread->cell; /* of the record of the probe */
    if (!is_site)
        return none;
    if (state & EP_SCOPE_FUNCTION) {
        bool is_known = !ep_stack_is_estimate(entry->frame) && entry->frame != EP_STACK_ALTERNATE &&
                        (entry->token == (uint32_t)light->key || state & EP_SCOPE_ENTRY);
        return is_known && light->key >= (uint64_t)EP_THREAD_SITES * EPROF_EDGE_BYTES
                   ? (struct ep_light_key){light->key, state & EP_SCOPE_ENTRY
                                                           ? EPROF_ENTRY_OFFSET(light->key)
                                                           : EPROF_KEY_OFFSET(light->key)}
                   : none;
    }
    uint64_t offset = (uint64_t)number * EPROF_EDGE_BYTES;
    return number < EP_THREAD_SITES ? (struct ep_light_key){offset, offset} : none;
}

/* Whether the edge, which is in the way of a key with this offset, is of the same state: then the
 * offset of its own key is the same. The kind of its key (site, hook or entry) is not stored, so
 * all three offsets are tried. If another kind leads to a state, too, the edge is taken for one of
 * another state. */
static bool is_of_state(const struct ep_light *light, const struct eprof_edge *edge,
                        uint64_t offset)
{
    const uint64_t offsets[] = {edge->site, EPROF_KEY_OFFSET(edge->site),
                                EPROF_ENTRY_OFFSET(edge->site)};
    uint64_t place = (uint64_t)(edge - light->edges) * EPROF_EDGE_BYTES;
    bool is_same = false;
    for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++) {
        bool is_in_table =
            offsets[i] <= place && (place - offsets[i]) / EPROF_EDGE_BYTES < light->places;
        is_same |= offsets[i] == offset;
        if (offsets[i] != offset && is_in_table &&
            ep_light_state_of(light, place - offsets[i])->node)
            return false;
    }
    return is_same;
}

/* Whether the place has an edge of another state; then another offset of the state helps. It does
 * not if two keys of the state have the same offset: all its edges would be learned again, for
 * ever. */
static bool is_taken_by_other(const struct ep_light *light, const struct eprof_edge *edge,
                              struct ep_light_key key)
{
    return edge->site && edge->site != key.key && !is_of_state(light, edge, key.offset);
}

/* If another key of the state has the same offset, a call with a patched entry that the function
 * makes itself gets the key of a call that other code makes. The routine compares that second. */
static struct ep_light_key other_key(struct ep_light *light, const struct eprof_open *before,
                                     const struct ep_open_scope_cell *entry,
                                     struct ep_light_key key)
{
    const struct eprof_edge *edge = edge_at(light, before->state, key.offset);
    if (!edge->site || edge->site == key.key || !is_of_state(light, edge, key.offset))
        return key;
    key.key = EPROF_ENTRY_VIA_KEY(key.key, before->frame - entry->frame);
    key.offset = EPROF_ENTRY_OFFSET(key.key);
    return key;
}

/* Only for scopes and functions without anything unusual. In a hold not for scopes that are entered
 * by hand: in a forked child, where they keep their places, they need their cells. */
static void add_edge(const struct ep_thread *thread, struct ep_light *light,
                     struct eprof_open *before, const struct ep_open_scope_cell *entry,
                     uint32_t state, uint64_t after)
{
    const uint32_t usual = EP_SCOPE_OPEN | EP_SCOPE_TIMED | EP_SCOPE_NESTED | EP_SCOPE_SAMPLE |
                           EP_SCOPE_UNTIMED | EP_SCOPE_FUNCTION | EP_SCOPE_ENTRY | EP_SCOPE_MANUAL;
    const struct ep_open_scope_cell *below = ep_stack_entry(thread, entry->below);
    bool is_of_level =
        ep_light_state_of(light, before->state)->level == ep_tree_node(thread, entry->node)->level;
    struct ep_light_key key = key_of_entry(thread, light, entry, state);
    uint64_t *calls = is_of_level ? calls_of(thread, entry, state, below) : NULL;
    bool is_held = ep_tree_node(thread, entry->node)->level;
    if (state & ~usual || !key.key || !calls || !after || (state & EP_SCOPE_MANUAL && is_held))
        return;
    uint64_t bits = 0;
    uint32_t via_return = 0, via_bytes = 0;
    if (state & EP_SCOPE_ENTRY) {
        uint32_t function = ep_light_entry_of(light, before);
        if (function && function != light->caller)
            return;
        bool is_via = function && light->via_bytes;
        bits = light->is_leaf | (below->state & EP_SCOPE_NESTED ? EPROF_ENTRY_SLOT : 0) |
               (is_via ? EPROF_ENTRY_SLOT | EPROF_ENTRY_VIA : 0);
        via_return = is_via ? light->via_return : light->via_bytes ? 0 : light->caller;
        via_bytes = is_via ? light->via_bytes : 0;
        if (!light->via_bytes)
            key = other_key(light, before, entry, key);
    }
    struct eprof_edge *edge = edge_at(light, before->state, key.offset);
    if (is_taken_by_other(light, edge, key)) { /* the state's new offset may be taken too */
        move_state(thread, light, before);
        edge = edge_at(light, before->state, key.offset);
    }
    bool is_same_frame =
        !(state & EP_SCOPE_ENTRY) &&
        (below->frame == entry->frame || (edge->site == key.key && edge->is_same_frame));
    if (light->highest_offset < key.offset)
        light->highest_offset = key.offset;
    *edge = (struct eprof_edge){.calls = calls,
                                .state = after | bits,
                                .site = key.key,
                                .is_same_frame = is_same_frame | via_bytes,
                                .via_return = via_return};
}

/* The path of a timed outermost scope that is entered in a hold which began with it. */
static void learn_slow(const struct ep_thread *thread, struct ep_light *light, uint64_t from,
                       const struct ep_open_scope_cell *entry, uint32_t state, uint64_t after)
{
    const struct ep_node_cell *node = ep_tree_node(thread, entry->node);
    bool is_usual = state == (EP_SCOPE_OPEN | EP_SCOPE_TIMED | EP_SCOPE_SAMPLE);
    if (!is_usual || !after || node->level != ep_light_state_of(light, from)->level + 1u)
        return;
    *ep_light_slow_at(light, from, node->site) =
        (struct ep_light_slow){.from = from,
                               .after = after,
                               .generation = entry->generation,
                               .node = entry->node,
                               .site = node->site};
}

uint64_t ep_light_lead(const struct ep_thread *thread, struct ep_light *light,
                       struct eprof_open *before, const struct ep_open_scope_cell *entry,
                       uint32_t state)
{
    uint64_t sum = ep_light_state_of(light, before->state)->sum + member_of(thread, entry, state);
    uint64_t after = intern(light, state_with(thread, entry->node, sum, state));
    add_edge(thread, light, before, entry, state, after);
    learn_slow(thread, light, before->state, entry, state, after);
    return after;
}

/* Not in a hold, at whose end the node is not listed any more. */
void ep_light_lead_value(const struct ep_thread *thread, uint32_t number, struct ep_node_cell *node)
{
    struct ep_light *light = thread->light;
    uint64_t offset = (uint64_t)number * EPROF_EDGE_BYTES;
    if (!light || light->inner || eprof_hot.top != &ep_thread_at_work || node->level ||
        light->top->cell != ep_stack_ref(thread, thread->top) || !light->top->state ||
        ep_light_state_of(light, light->top->state)->level || number >= EP_THREAD_SITES ||
        light->generation != ep_light_generation(thread))
        return;
    struct eprof_edge *edge = edge_at(light, light->top->state, offset);
    if (is_taken_by_other(light, edge, (struct ep_light_key){offset, offset})) {
        move_state(thread, light, light->top);
        edge = edge_at(light, light->top->state, offset);
    }
    if (light->highest_offset < offset)
        light->highest_offset = offset;
    *edge = (struct eprof_edge){.calls = &node->stats.calls, .site = offset};
}

void ep_light_forget_edges(struct ep_light *light)
{
    if (!light->state_count)
        return;
    size_t places = light->places;
    memset(light->slow, 0, sizeof light->slow);
    ep_platform_clear(light->edges, (places + 1) * EPROF_EDGE_BYTES + light->highest_offset);
    ep_platform_clear(light->states, places * sizeof light->states[0]);
    ep_platform_clear(light->slots, 4 * places * sizeof light->slots[0]);
    light->state_count = 0;
    light->places = EP_LIGHT_PLACES_FIRST;
    light->highest_offset = 0;
}

#endif
