#include "record/light.h"

#include <string.h>

#include "base/platform.h"
#include "record/held.h"
#include "record/sampling.h"
#include "record/stack.h"
#include "record/tree.h"

#if defined(__x86_64__) && !defined(__ILP32__)

_Static_assert(sizeof(struct eprof_edge) == EPROF_EDGE_BYTES, "the offset of a place");
_Static_assert(sizeof((struct ep_light *)NULL)->edges % 4096 == 0, "whole pages are wiped");
/* The inline parts (eprof/scopes.h, eprof/hooks.h) are in assembly and contain these numbers. */
_Static_assert(EPROF_KEY_OFFSET(UINT64_MAX) == (EP_THREAD_SITES - 1) * EPROF_EDGE_BYTES,
               "the offsets of keys are those of sites");
_Static_assert(sizeof(struct eprof_open) == 40 && offsetof(struct eprof_open, state) == 0 &&
                   offsetof(struct eprof_open, frame) == 8 &&
                   offsetof(struct eprof_open, return_address) == 16 &&
                   offsetof(struct eprof_open, cell) == 20 &&
                   offsetof(struct eprof_open, token) == 24 &&
                   offsetof(struct eprof_open, limit) == 28 &&
                   offsetof(struct eprof_open, hook) == 32,
               "an open scope");
_Static_assert(offsetof(struct eprof_edge, calls) == 0 && offsetof(struct eprof_edge, state) == 8 &&
                   offsetof(struct eprof_edge, site) == 16 &&
                   offsetof(struct eprof_edge, is_same_frame) == 24,
               "an edge");
_Static_assert(offsetof(struct eprof_hot, top) == 0 && offsetof(struct eprof_hot, edges) == 8,
               "what is known of a thread");
_Static_assert((int)EPROF_UNTIL_TIMED == (int)EP_UNTIL_TIMED,
               "an edge refers to a number of calls");

static const char *no_edges(void)
{
    return (const char *)ep_thread_no_edges;
}

/* ---- states ---- */

/* Stafford's variant 13 of the finaliser of MurmurHash3 (Steele, Lea, Flood: Fast Splittable
 * Pseudorandom Number Generators, OOPSLA 2014). */
static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 31;
}

/* What an open scope adds to the set: nothing if it is nested. A node whose open scope does not
 * count, or is not the outermost, is another member. */
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
static uint64_t place_state(struct ep_light *light, uint16_t *slot, struct ep_light_state state)
{
    uint32_t place = free_place(light, mix(state.sum + state.node + light->state_count));
    light->states[place] = state;
    light->state_count++;
    *slot = (uint16_t)place;
    return (uint64_t)place * EPROF_EDGE_BYTES;
}

/* The slot of a state, which may be empty. */
static uint16_t *slot_of(struct ep_light *light, const struct ep_light_state *wanted)
{
    uint32_t mask = 2 * light->places - 1;
    uint16_t *slots = light->slots + 2 * (size_t)light->places;
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
    for (const uint16_t *old = light->slots + before, *end = old + before; old < end; old++)
        if (*old)
            *slot_of(light, &light->states[*old]) = *old;
}

/* The offset of a state; 0: there are too many states. */
static uint64_t intern(struct ep_light *light, struct ep_light_state state)
{
    uint16_t *slot = slot_of(light, &state);
    if (*slot)
        return (uint64_t)*slot * EPROF_EDGE_BYTES;
    if (light->state_count == EP_LIGHT_STATES)
        return 0;
    make_places(light);
    return place_state(light, slot_of(light, &state), state);
}

/* ---- the light stack ---- */

/* In place of the cell of an entry that was taken away, so that it is left out of line: this may be
 * a signal handler, and the interrupted inline part may still move `top` to that entry. */
static const ep_ref no_cell = UINT32_MAX;

static void clear_above(struct ep_light *light, struct eprof_open *lowest)
{
    for (struct eprof_open *open = light->top; open > lowest; open--) {
        ep_store(&open->state, 0);
        ep_store(&open->cell, no_cell);
    }
    light->top = lowest;
}

/* The innermost entry that has a cell, or the lowest. */
static struct eprof_open *with_cell(const struct ep_light *light)
{
    struct eprof_open *open = light->top;
    while (open > light->lowest && !ep_light_has_cell(open))
        open--;
    return open;
}

/* The entry, which is not the lowest one, is being entered or left inline. */
static bool is_between(const struct eprof_open *open)
{
    return !open->state && !ep_light_has_cell(open);
}

/* Whether this is a signal handler that interrupts an inline enter or leave. The entries are kept
 * then, and so are the states: the enter is about to store one. */
static bool is_interrupting(const struct ep_light *light)
{
    return light->between && light->between <= light->top && is_between(light->between);
}

/* A signal handler that left by a jump leaves its entry in this state for ever, so the entry is
 * given up after so many calls. If the handler is still at work then, the interrupted scope is
 * lost. */
enum { BETWEENS_MOST = 100000 };

/* To be called before a signal handler changes the entries. */
static void note_interruption(struct ep_light *light)
{
    if (light->top == light->lowest)
        return;
    if (!is_interrupting(light)) {
        light->between = is_between(light->top) ? light->top : NULL;
        light->betweens = 0;
    }
    if (is_between(light->top) && light->betweens++ > BETWEENS_MOST)
        clear_above(light, with_cell(light));
}

/* The innermost entry that a token may point to, or the lowest: none points to the entries of
 * functions. */
static struct eprof_open *pointed_to(const struct ep_light *light)
{
    struct eprof_open *open = light->top;
    while (open > light->lowest && open->state &&
           ep_light_state_of(light, open->state)->is_function)
        open--;
    return open;
}

/* Takes all entries away but the lowest, which is above those that tokens can point to. Before the
 * states are forgotten. */
static void give_up_entries(const struct ep_thread *thread, struct ep_light *light)
{
    const struct eprof_open *left = light->left;
    struct eprof_open *lowest = pointed_to(light);
    if (!thread->top || thread->top->frame == UINT64_MAX)
        lowest = light->open;
    else if (left > light->open && left <= light->top)
        lowest = light->open + (left - light->open) - 1;
    clear_above(light, lowest);
    light->lowest = lowest;
}

static uint64_t sum_of_members(const struct ep_thread *thread)
{
    uint64_t sum = 0;
    const struct ep_open_scope_cell *entry = thread->top;
    for (; entry->frame != UINT64_MAX; entry = ep_stack_entry(thread, entry->below))
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

/* The state of the innermost scope, which is at the level of the innermost hold. 0: there are too
 * many states, or nothing was entered in the scope in such a hold yet. */
static uint64_t state_now(const struct ep_thread *thread, struct ep_light *light, uint64_t sum)
{
    ep_ref node = thread->top->node;
    while (node && ep_tree_node(thread, node)->level < thread->level)
        node = ep_tree_find(thread, node, EP_SITE_HOLD);
    return node ? intern(light, state_with(thread, node, sum, thread->top->state)) : 0;
}

/* Begins with the innermost scope as the lowest entry. */
static void begin_lowest(const struct ep_thread *thread, struct ep_light *light)
{
    const struct ep_open_scope_cell *top = thread->top;
    light->between = NULL;
    light->lowest->frame = top->frame;
    light->lowest->token = 0;
    light->lowest->return_address = top->return_address;
    ep_store(&light->lowest->cell, ep_stack_ref(thread, top));
    ep_store(&light->lowest->state, state_now(thread, light, sum_of_members(thread)));
}

/* Whether the state of the innermost scope is that of the innermost hold. */
static bool is_of_level(const struct ep_thread *thread, const struct ep_light *light)
{
    return ep_light_state_of(light, light->top->state)->level == thread->level;
}

/* After a hold began or ended. */
static void follow_level(const struct ep_thread *thread, struct ep_light *light)
{
    struct eprof_open *open = light->top;
    light->level = thread->level;
    if (is_of_level(thread, light) || open->cell != ep_stack_ref(thread, thread->top))
        return;
    uint64_t sum =
        open->state ? ep_light_state_of(light, open->state)->sum : sum_of_members(thread);
    ep_store(&open->state, state_now(thread, light, sum));
}

/* ---- cells for scopes that were entered inline ---- */

/* As ep_stack_next(), which may need memory. */
static ep_ref next_cell(struct ep_thread *thread)
{
    if (EP_LIKELY(thread->free))
        return thread->free;
    if (thread->busy || !ep_thread_begin_cold())
        return 0;
    ep_ref ref = ep_stack_next(thread);
    ep_thread_end_cold();
    return ref;
}

/* Whether a node is that one, or replaces it in a hold. */
static bool replaces(const struct ep_thread *thread, ep_ref node, ep_ref other)
{
    while (node != other && ep_tree_node(thread, node)->site == EP_SITE_HOLD)
        node = ep_tree_node(thread, node)->parent;
    return node == other;
}

/* false: no memory, or a signal handler made the thread forget its edges during the enter, or ended
 * its hold, so the state is another one now, or none. */
static bool give_cell(struct ep_thread *thread, struct ep_light *light, struct eprof_open *open,
                      ep_ref ref)
{
    ep_ref node = ep_light_state_of(light, open->state)->node;
    uint32_t level = ep_light_state_of(light, open->state)->level;
    uint64_t generation = light->generation + level * EP_OWNER_TAG_LEVEL;
    if (!ref || !node || level > thread->level)
        return false;
    struct ep_open_scope_cell *entry = ep_stack_entry(thread, ref), *top = thread->top;
    struct ep_site_slot *site_slot = &thread->site_slots[ep_tree_site(thread, node)];
    bool is_function = ep_light_state_of(light, open->state)->is_function;
    if (site_slot->open ? !replaces(thread, node, site_slot->open->node)
                        : !replaces(thread, ep_tree_node(thread, node)->parent, top->node))
        return false;
    bool is_in_frame = top->frame == open->frame && top->return_address == open->return_address;
    uint32_t tokens = is_in_frame ? top->tokens | ep_stack_token_bit(top->token) : 0;
    uint32_t kind = site_slot->open ? EP_SCOPE_NESTED : EP_SCOPE_TIMED;
    kind |= is_function ? EP_SCOPE_FUNCTION : 0;
    thread->free = entry->next; /* in the order of instrument/scope_open.h, for signal handlers */
    ep_signal_fence();
    ep_store(&entry->state, EP_SCOPE_ENTERING);
    ep_signal_fence();
    ep_store(&entry->child_ticks, 0);
    ep_store(&entry->generation, generation);
    ep_store(&entry->frame, open->frame);
    ep_store_release(&entry->node, node); /* as in ep_scope_fill() */
    ep_store(&entry->token, is_function ? open->hook : open->token);
    ep_store(&entry->caller, ep_stack_caller(open->return_address, tokens));
    ep_signal_fence();
    if (!site_slot->open)
        site_slot->open = entry;
    ep_signal_fence();
    bool is_timed = open->cell == EP_LIGHT_TIMED;
    kind |= is_timed ? EP_SCOPE_SAMPLE : EP_SCOPE_UNTIMED;
    ep_store(&entry->start_ticks,
             is_timed ? ep_light_timed_of(light, open)->start_ticks : top->start_ticks);
    ep_store_release(&entry->state, EP_SCOPE_OPEN | kind);
    ep_signal_fence();
    thread->top = entry;
    ep_signal_fence();
    ep_store(&open->cell, ref); /* it is left out of line */
    return true;
}

/* The innermost may be one that is being entered or left, if this is a signal handler. But a signal
 * handler may also have left such an entry for ever, by a jump. Without memory the scopes are lost.
 */
static void give_cells(struct ep_thread *thread, struct ep_light *light)
{
    note_interruption(light);
    struct eprof_open *open = with_cell(light);
    while (open < light->top) {
        open++;
        if (!open->state || ep_light_has_cell(open) ||
            give_cell(thread, light, open, next_cell(thread)))
            continue;
        ep_thread_diagnose(thread, EP_DIAGNOSTIC_LOST);
        clear_above(light, open - 1);
    }
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

/* That by which an open scope was entered. Of a function's key only the lower half is known. */
static struct ep_light_key key_of(const struct ep_thread *thread, const struct eprof_open *open,
                                  const struct ep_light_state *state)
{
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
    if (open == light->lowest || !open[-1].state)
        return;
    struct ep_light_key key = key_of(thread, open, &state);
    struct eprof_edge *edge = edge_at(light, open[-1].state, key.offset);
    if ((uint32_t)edge->site == (uint32_t)key.key && edge->state == before)
        edge->state = newest;
}

/* The key of a scope that is being entered; key 0: it is never entered inline. The frame of a
 * function must be known. Keys that are offsets are those of scopes. */
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
                        entry->token == (uint32_t)light->key;
        return is_known && light->key >= (uint64_t)EP_THREAD_SITES * EPROF_EDGE_BYTES
                   ? (struct ep_light_key){light->key, EPROF_KEY_OFFSET(light->key)}
                   : none;
    }
    uint64_t offset = (uint64_t)number * EPROF_EDGE_BYTES;
    return number < EP_THREAD_SITES ? (struct ep_light_key){offset, offset} : none;
}

/* Only for scopes of macros and functions, without anything unusual. */
static void add_edge(const struct ep_thread *thread, struct ep_light *light,
                     struct eprof_open *before, const struct ep_open_scope_cell *entry,
                     uint32_t state, uint64_t after)
{
    const uint32_t usual = EP_SCOPE_OPEN | EP_SCOPE_TIMED | EP_SCOPE_NESTED | EP_SCOPE_SAMPLE |
                           EP_SCOPE_UNTIMED | EP_SCOPE_FUNCTION;
    const struct ep_open_scope_cell *below = ep_stack_entry(thread, entry->below);
    bool is_of_level =
        ep_light_state_of(light, before->state)->level == ep_tree_node(thread, entry->node)->level;
    struct ep_light_key key = key_of_entry(thread, light, entry, state);
    uint64_t *calls = is_of_level ? calls_of(thread, entry, state, below) : NULL;
    if (state & ~usual || !key.key || !calls || !after)
        return;
    struct eprof_edge *edge = edge_at(light, before->state, key.offset);
    if (edge->site && edge->site != key.key) { /* the state's new offset may be taken too */
        move_state(thread, light, before);
        edge = edge_at(light, before->state, key.offset);
    }
    bool is_same_frame =
        below->frame == entry->frame || (edge->site == key.key && edge->is_same_frame);
    if (light->highest_offset < key.offset)
        light->highest_offset = key.offset;
    *edge = (struct eprof_edge){
        .calls = calls, .state = after, .site = key.key, .is_same_frame = is_same_frame};
}

/* An entry above `below`, in that state. */
static void push(const struct ep_thread *thread, struct ep_light *light, struct eprof_open *below,
                 const struct ep_open_scope_cell *entry, uint32_t state)
{
    uint64_t after = 0;
    if (below->state) {
        uint64_t sum =
            ep_light_state_of(light, below->state)->sum + member_of(thread, entry, state);
        after = intern(light, state_with(thread, entry->node, sum, state));
        add_edge(thread, light, below, entry, state, after);
    }
    struct eprof_open *open = light->top + 1;
    open->frame = entry->frame;
    open->return_address = entry->return_address;
    open->token = 0;
    open->hook = entry->token;
    ep_store(&open->cell, ep_stack_ref(thread, entry));
    ep_store(&open->state, after);
    uint32_t timed = state & (EP_SCOPE_SAMPLE | EP_SCOPE_NESTED);
    ep_light_timed_of(light, open)->weight =
        timed == (EP_SCOPE_SAMPLE | EP_SCOPE_NESTED)
            ? ep_sampling_weight(thread, ep_tree_node(thread, entry->node), true)
            : 0;
    light->top = open;
}

/* Brings the light stack up to date with the stack. */
static void follow(const struct ep_thread *thread, struct ep_light *light)
{
    struct eprof_open *last = light->open + EP_LIGHT_OPEN, *open = with_cell(light);
    ep_ref top = ep_stack_ref(thread, thread->top);
    if (open->cell == top)
        return;
    if (ep_light_has_cell(open) && thread->top->below == open->cell && light->top < last) {
        push(thread, light, open, thread->top, thread->top->state);
        return;
    }
    if (light->top == last &&
        ep_light_has_cell(open)) /* the scopes above it are in the stack only */
        return;
    while (open > light->lowest && open->cell != top)
        open--;
    if (open->cell != top) {
        give_up_entries(thread, light);
        begin_lowest(thread, light);
        return;
    }
    /* this is a signal handler: the scope above is being entered or left */
    while (open < light->top && is_between(open + 1))
        open++;
    clear_above(light, open);
}

/* ---- whether scopes may be entered inline ---- */

/* The record by which the probe is measured has no cell, and records in any case. */
static bool is_possible(const struct ep_thread *thread)
{
    bool is_on = !thread->cell || ep_load(&eprof_recording) & EP_RECORDING_INLINE;
    return is_on && thread->top && !thread->is_off && !thread->lent && !thread->further_holds &&
           ep_sampling_is_on();
}

static void forget_edges(struct ep_light *light)
{
    if (!light->state_count)
        return;
    size_t places = light->places;
    ep_platform_clear(light->edges, (places + 1) * EPROF_EDGE_BYTES + light->highest_offset);
    ep_platform_clear(light->states, places * sizeof light->states[0]);
    ep_platform_clear(light->slots, 4 * places * sizeof light->slots[0]);
    light->state_count = 0;
    light->places = EP_LIGHT_PLACES_FIRST;
    light->highest_offset = 0;
}

static bool is_armed(const struct ep_light *light)
{
    return ep_load(&eprof_hot.edges) == (const char *)light->edges;
}

/* To begin again is not possible in a signal handler that interrupts an inline part. */
static bool may_arm(const struct ep_thread *thread, const struct ep_light *light)
{
    return !is_interrupting(light) ||
           (is_armed(light) && light->generation == ep_light_generation(thread) &&
            light->level == thread->level);
}

/* Pairs with ep_thread_disarm_all(): if a raise is not seen here, it takes the edges away after
 * this. */
static void arm(const struct ep_thread *thread, struct ep_light *light)
{
    uint64_t generation = ep_light_generation(thread);
    if (light->generation == generation && is_armed(light)) {
        follow(thread, light);
        follow_level(thread, light);
        return;
    }
    give_up_entries(thread, light);
    if (light->generation != generation)
        forget_edges(light);
    light->generation = generation;
    light->level = thread->level;
    begin_lowest(thread, light);
    ep_store(&light->hot, &eprof_hot);
    eprof_hot.last = light->open + EP_LIGHT_OPEN;
    __atomic_store_n(&eprof_hot.edges, (const char *)light->edges, __ATOMIC_SEQ_CST);
    if (ep_light_generation(thread) != generation)
        ep_store(&eprof_hot.edges, no_edges());
}

/* The edges are kept. */
static void disarm(const struct ep_thread *thread, struct ep_light *light)
{
    ep_store(&eprof_hot.edges, no_edges());
    if (is_interrupting(light))
        return;
    give_up_entries(thread, light);
    ep_store(&light->lowest->cell, 0);
    ep_store(&light->lowest->state, 0);
}

static struct ep_light *allocate(void)
{
    struct ep_light *light = ep_platform_allocate_kept(sizeof *light);
    if (!light)
        return NULL;
    ep_platform_wipe_on_fork(light->edges, sizeof light->edges);
    light->open[EP_LIGHT_OPEN].limit = EPROF_NO_OFFSET;
    light->places = EP_LIGHT_PLACES_FIRST;
    return light;
}

/* Not in a signal handler that interrupts another call. */
static void make_light(struct ep_thread *thread)
{
    if (thread->busy || !ep_stack_is_quiet(thread) || !ep_thread_begin_cold())
        return;
    struct ep_light *light = allocate();
    if (light) {
        light->top = light->lowest = light->open;
        ep_store_release(&thread->light, light); /* pairs with ep_thread_disarm_all() */
    }
    ep_thread_end_cold();
}

/* Exchanges `top` by one instruction: a signal handler that came between a load and a store might
 * have changed what scopes may be entered inline. */
static struct eprof_open *exchange_top(struct eprof_open *after)
{
    struct eprof_open *before = eprof_hot.top;
    bool is_exchanged;
    do
        __asm__ volatile("cmpxchgq %3, %0"
                         : "+m"(eprof_hot.top), "+a"(before), "=@ccz"(is_exchanged)
                         : "r"(after)
                         : "memory");
    while (!is_exchanged);
    return before;
}

bool ep_light_begin(void)
{
    struct ep_thread *thread = ep_thread_self;
    struct ep_light *light = thread->light;
    if (!light)
        return false;
    struct eprof_open *top = exchange_top(&ep_thread_at_work);
    if (top == &ep_thread_at_work) {
        light->inner++;
        return false;
    }
    light->inner = 0;
    if (top != &ep_thread_no_scope)
        light->top = top;
    if (EP_UNLIKELY(!ep_light_has_cell(light->top)))
        give_cells(thread, light);
    return true;
}

void ep_light_entering(const struct ep_thread *thread, const struct ep_open_scope_cell *entry,
                       uint32_t state)
{
    struct ep_light *light = thread->light;
    if (light && eprof_hot.top == &ep_thread_at_work && !light->inner &&
        light->top->cell == ep_stack_ref(thread, thread->top) &&
        light->generation == (entry->generation & (EP_OWNER_TAG_LEVEL - 1)) &&
        light->top < light->open + EP_LIGHT_OPEN)
        push(thread, light, light->top, entry, state);
}

/* Whether end() has nothing to do but to let scopes be entered inline. */
static bool is_up_to_date(const struct ep_thread *thread, const struct ep_light *light)
{
    return light && light->top->cell == ep_stack_ref(thread, thread->top) && is_armed(light) &&
           is_of_level(thread, light) && light->generation == ep_light_generation(thread);
}

EP_COLD static void end_further(struct ep_thread *thread, bool has_begun)
{
    if (!thread->light && is_possible(thread))
        make_light(thread);
    struct ep_light *light = thread->light;
    if (!light)
        return;
    if (!has_begun && exchange_top(&ep_thread_at_work) == &ep_thread_at_work) {
        light->inner--;
        return;
    }
    light->inner = 0;
    bool is_inline = is_possible(thread) && may_arm(thread, light);
    if (is_inline)
        arm(thread, light);
    else
        disarm(thread, light);
    light->left = NULL;
    light->key = 0;
    ep_signal_fence();
    ep_store(&eprof_hot.top, is_inline ? light->top : &ep_thread_no_scope);
    ep_signal_fence();
}

void ep_light_end(bool has_begun)
{
    struct ep_thread *thread = ep_thread_self;
    struct ep_light *light = thread->light;
    if (EP_UNLIKELY(!has_begun) || EP_UNLIKELY(!is_up_to_date(thread, light))) {
        end_further(thread, has_begun);
        return;
    }
    light->left = NULL;
    light->key = 0;
    ep_signal_fence();
    ep_store(&eprof_hot.top, light->top);
    ep_signal_fence();
}

void ep_light_write_out(void)
{
    ep_light_end(ep_light_begin());
}

void ep_light_lend(struct ep_thread *thread)
{
    struct ep_light *light = thread->light;
    if (!light)
        light = thread->light = allocate();
    if (!light)
        return;
    light->top = light->lowest = light->open;
    light->generation = 0;
    arm(thread, light);
    ep_store(&light->hot, NULL); /* no raise comes meanwhile, and the thread may end */
    ep_store(&eprof_hot.top, light->top);
}

/* That of this thread in the parent, found by its last entry; NULL: none. */
static struct ep_light *parents_light(void)
{
    uintptr_t last = (uintptr_t)eprof_hot.last;
    return last ? (struct ep_light *)(last - offsetof(struct ep_light, open[EP_LIGHT_OPEN])) : NULL;
}

void ep_light_forget(void)
{
    struct ep_light *light = ep_thread_self->light, *parents = parents_light();
    struct eprof_open *top = exchange_top(&ep_thread_no_scope);
    ep_store(&eprof_hot.edges, no_edges());
    /* in a forked child, whose record is zero: ep_light_inherit() needs the innermost entry */
    if (!light && parents && top != &ep_thread_no_scope && top != &ep_thread_at_work)
        parents->top = top;
    if (!light)
        return;
    eprof_hot.last = NULL;
    light->between = NULL;
    disarm(ep_thread_self, light);
    ep_store(&light->hot, NULL);
    light->generation = 0; /* the next thread with this record learns its edges anew */
}

void ep_light_inherit(struct ep_thread *thread)
{
    struct ep_light *light = parents_light();
    if (!light)
        return;
    note_interruption(light); /* the fork may be in a signal handler */
    for (struct eprof_open *open = light->lowest + 1; open <= light->top; open++)
        if (open->state && !ep_light_has_cell(open))
            give_cell(thread, light, open, ep_stack_next(thread));
    disarm(thread, light);
    ep_store(&light->hot, NULL);
    light->generation = 0;
    ep_store_release(&thread->light, light); /* pairs with ep_thread_disarm_all() */
}

#else

void ep_light_inherit(struct ep_thread *thread)
{
    (void)thread;
}

void ep_light_lend(struct ep_thread *thread)
{
    (void)thread;
}

bool ep_light_begin(void)
{
    return false;
}

void ep_light_end(bool has_begun)
{
    (void)has_begun;
}

void ep_light_entering(const struct ep_thread *thread, const struct ep_open_scope_cell *entry,
                       uint32_t state)
{
    (void)thread, (void)entry, (void)state;
}

void ep_light_write_out(void)
{
}

void ep_light_forget(void)
{
}

#endif
