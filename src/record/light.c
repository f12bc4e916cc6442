#include "record/light.h"

#include <string.h>

#include "base/platform.h"
#include "record/sampling.h"
#include "record/stack.h"
#include "record/tree.h"

#if defined(__x86_64__) && !defined(__ILP32__)

_Static_assert(sizeof(struct eprof_edge) == EPROF_EDGE_BYTES, "the scaled number of a site");
_Static_assert((int)EPROF_UNTIL_TIMED == (int)EP_UNTIL_TIMED,
               "an edge refers to a number of calls");

/* ---- states ---- */

enum { NUMBER_SHIFT = 44 };

/* Stafford's variant 13 of the finaliser of MurmurHash3 (Steele, Lea, Flood: Fast Splittable
 * Pseudorandom Number Generators, OOPSLA 2014). */
static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 31;
}

static const struct ep_light_state *state_of(const struct ep_light *light, uint64_t identity)
{
    return &light->states[identity >> NUMBER_SHIFT];
}

/* What an open scope adds to the set: nothing if it is nested. A site whose open scope does not
 * count, or is not the outermost, is another member. */
static uint64_t member_of(const struct ep_thread *thread, const struct ep_open_scope_cell *entry,
                          uint32_t state)
{
    enum { OF_NOW = 1 << 16 };
    if (!(state & EP_SCOPE_TIMED))
        return 0;
    uint32_t kind = state & (EP_SCOPE_VOID | EP_SCOPE_FOLDED);
    kind |= ep_thread_is_of_now(thread, entry->generation) ? OF_NOW : 0;
    return mix((uint64_t)ep_tree_site(thread, entry->node) << 32 | kind);
}

/* 0: there are too many states. */
static uint64_t intern(struct ep_light *light, ep_ref node, uint64_t sum)
{
    uint64_t hash = mix(sum + node);
    uint32_t slot = (uint32_t)hash % EP_LIGHT_SLOTS;
    for (; light->slots[slot]; slot = (slot + 1) % EP_LIGHT_SLOTS) {
        const struct ep_light_state *state = &light->states[light->slots[slot] - 1];
        if (state->node == node && state->sum == sum)
            return state->identity;
    }
    uint32_t number = light->state_count;
    if (number == EP_LIGHT_STATES)
        return 0;
    /* no identity is 0 */
    uint64_t identity = (uint64_t)number << NUMBER_SHIFT | (hash >> (64 - NUMBER_SHIFT)) | 1;
    light->states[number] = (struct ep_light_state){.identity = identity, .sum = sum, .node = node};
    light->state_count = number + 1;
    light->slots[slot] = (uint16_t)(number + 1);
    return identity;
}

/* ---- the light stack ---- */

static void clear_above(struct ep_light *light, struct eprof_open *lowest)
{
    for (struct eprof_open *open = light->top; open > lowest; open--) {
        open->state = 0;
        open->token = NULL;
        open->cell = 0;
    }
    light->top = lowest;
}

/* Begins again with the innermost scope as the lowest entry. */
static void begin_again(const struct ep_thread *thread, struct ep_light *light)
{
    const struct ep_open_scope_cell *top = thread->top, *entry = top;
    uint64_t sum = 0;
    clear_above(light, light->open);
    for (; entry->frame != UINT64_MAX; entry = ep_stack_entry(thread, entry->below))
        sum += member_of(thread, entry, entry->state);
    *light->open = (struct eprof_open){.state = intern(light, top->node, sum),
                                       .frame = top->frame,
                                       .cell = ep_stack_ref(thread, top)};
}

/* The innermost entry that has a cell, or the lowest. */
static struct eprof_open *with_cell(const struct ep_light *light)
{
    struct eprof_open *open = light->top;
    while (open > light->open && !open->cell)
        open--;
    return open;
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

/* false: no memory. */
static bool give_cell(struct ep_thread *thread, const struct ep_light *light,
                      struct eprof_open *open)
{
    ep_ref ref = next_cell(thread), node = state_of(light, open->state)->node;
    if (!ref)
        return false;
    struct ep_open_scope_cell *entry = ep_stack_entry(thread, ref), *top = thread->top;
    struct ep_site_slot *site_slot = &thread->site_slots[ep_tree_node(thread, node)->site];
    uint32_t token = (uint32_t)(uintptr_t)open->token;
    bool is_in_frame = top->frame == open->frame && top->return_address == open->return_address;
    uint32_t tokens = is_in_frame ? top->tokens | ep_stack_token_bit(top->token) : 0;
    uint32_t kind = site_slot->open ? EP_SCOPE_NESTED : EP_SCOPE_TIMED;
    thread->free = entry->next;
    ep_store(&entry->child_ticks, 0);
    ep_store(&entry->generation, light->generation);
    ep_store(&entry->frame, open->frame);
    ep_store_release(&entry->node, node); /* as in ep_scope_fill() */
    ep_store(&entry->token, token);
    ep_store(&entry->caller, ep_stack_caller(open->return_address, tokens));
    if (!site_slot->open)
        site_slot->open = entry;
    ep_store(&entry->start_ticks, top->start_ticks);
    ep_store_release(&entry->state, EP_SCOPE_OPEN | EP_SCOPE_UNTIMED | kind);
    thread->top = entry;
    open->cell = ref;
    open->token = NULL; /* it is left out of line */
    return true;
}

/* The innermost may be one that is being entered, if this is a signal handler. Without memory the
 * scopes are lost. */
static void give_cells(struct ep_thread *thread, struct ep_light *light)
{
    struct eprof_open *open = with_cell(light);
    while (open < light->top) {
        open++;
        if (!open->state || open->cell || give_cell(thread, light, open))
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
    struct ep_sampling_cells *cells = ep_sampling_of(thread, node);
    if (!cells || !ep_load(&node->stats.until_timed) ||
        node->generation != ep_thread_generation(thread))
        return NULL;
    if (state & EP_SCOPE_TIMED)
        return &node->stats.calls;
    return below->node == entry->node ? &cells->own_calls : &cells->nested_calls;
}

/* Only for scopes of macros, without anything unusual. */
static void add_edge(const struct ep_thread *thread, struct ep_light *light, uint64_t before,
                     const struct ep_open_scope_cell *entry, uint32_t state, uint64_t after)
{
    const uint32_t usual =
        EP_SCOPE_OPEN | EP_SCOPE_TIMED | EP_SCOPE_NESTED | EP_SCOPE_SAMPLE | EP_SCOPE_UNTIMED;
    const struct ep_open_scope_cell *below = ep_stack_entry(thread, entry->below);
    uint32_t site = ep_tree_node(thread, entry->node)->site;
    uint64_t *calls = calls_of(thread, entry, state, below);
    bool is_site = site >= EP_SITE_FIRST || !thread->cell; /* of the record of the probe */
    if (state & ~usual || !is_site || !calls || !before || !after)
        return;
    uint64_t key = before + (uint64_t)site * EPROF_EDGE_BYTES;
    struct eprof_edge *edge = &light->edges[key / EPROF_EDGE_BYTES % EPROF_EDGES];
    bool is_same_frame = below->frame == entry->frame || (edge->key == key && edge->is_same_frame);
    *edge = (struct eprof_edge){
        .key = key, .state = after, .calls = calls, .is_same_frame = is_same_frame};
}

/* An entry above `below`, in that state. */
static void push(const struct ep_thread *thread, struct ep_light *light,
                 const struct eprof_open *below, const struct ep_open_scope_cell *entry,
                 uint32_t state)
{
    uint64_t after = 0;
    if (below->state)
        after = intern(light, entry->node,
                       state_of(light, below->state)->sum + member_of(thread, entry, state));
    add_edge(thread, light, below->state, entry, state, after);
    struct eprof_open *open = light->top + 1;
    open->frame = entry->frame;
    open->token = NULL;
    open->cell = ep_stack_ref(thread, entry);
    open->state = after;
    light->top = open;
}

/* Brings the light stack up to date with the stack. */
static void follow(const struct ep_thread *thread, struct ep_light *light)
{
    struct eprof_open *last = light->open + EP_LIGHT_OPEN, *open = with_cell(light);
    ep_ref top = ep_stack_ref(thread, thread->top);
    if (open->cell == top)
        return;
    if (open->cell && thread->top->below == open->cell && light->top < last) {
        push(thread, light, open, thread->top, thread->top->state);
        return;
    }
    if (light->top == last && open->cell) /* the scopes above it are in the stack only */
        return;
    while (open > light->open && open->cell != top)
        open--;
    if (open->cell == top)
        clear_above(light, open);
    else
        begin_again(thread, light);
}

/* ---- whether scopes may be entered inline ---- */

/* The record by which the probe is measured has no cell, and records in any case. */
static bool is_possible(const struct ep_thread *thread)
{
    bool is_on = !thread->cell || ep_load(&eprof_recording) & EP_RECORDING_INLINE;
    return is_on && thread->top && !thread->is_off && !thread->lent && !thread->level &&
           !thread->further_holds && ep_sampling_is_on();
}

static void forget_edges(struct ep_light *light)
{
    if (!light->state_count)
        return;
    memset(light->edges, 0, sizeof light->edges);
    memset(light->slots, 0, sizeof light->slots);
    light->state_count = 0;
}

/* Pairs with ep_thread_disarm_all(): if a raise is not seen here, it takes the edges away after
 * this. */
static void arm(const struct ep_thread *thread, struct ep_light *light)
{
    uint64_t generation = ep_thread_generation(thread);
    if (light->generation != generation) {
        forget_edges(light);
        light->generation = generation;
        begin_again(thread, light);
    } else {
        follow(thread, light);
    }
    if (ep_load(&eprof_hot.edges) == light->edges)
        return;
    light->hot = &eprof_hot;
    eprof_hot.last = light->open + EP_LIGHT_OPEN;
    __atomic_store_n(&eprof_hot.edges, light->edges, __ATOMIC_SEQ_CST);
    if (ep_thread_generation(thread) != generation)
        ep_store(&eprof_hot.edges, ep_thread_no_edges);
}

/* The edges are kept. */
static void disarm(struct ep_light *light)
{
    ep_store(&eprof_hot.edges, ep_thread_no_edges);
    clear_above(light, light->open);
    *light->open = (struct eprof_open){.state = 0};
}

/* Not in a signal handler that interrupts another call. */
static void make_light(struct ep_thread *thread)
{
    if (thread->busy || !ep_stack_is_quiet(thread) || !ep_thread_begin_cold())
        return;
    struct ep_light *light = ep_platform_allocate_wiped(sizeof *light);
    if (light) {
        light->top = light->open;
        ep_store_release(&thread->light, light); /* pairs with ep_thread_disarm_all() */
    }
    ep_thread_end_cold();
}

bool ep_light_begin(void)
{
    struct ep_thread *thread = ep_thread_self;
    struct ep_light *light = thread->light;
    if (!light || light->is_at_work)
        return false;
    light->is_at_work = true;
    light->top = eprof_hot.top == &ep_thread_no_scope ? light->open : eprof_hot.top;
    ep_signal_fence();
    eprof_hot.top = &ep_thread_no_scope;
    ep_signal_fence();
    if (EP_UNLIKELY(!light->top->cell))
        give_cells(thread, light);
    return true;
}

void ep_light_entering(const struct ep_thread *thread, const struct ep_open_scope_cell *entry,
                       uint32_t state)
{
    struct ep_light *light = thread->light;
    if (light && light->is_at_work && light->top->cell == ep_stack_ref(thread, thread->top) &&
        light->generation == entry->generation && light->top < light->open + EP_LIGHT_OPEN)
        push(thread, light, light->top, entry, state);
}

/* Whether end() has nothing to do but to let scopes be entered inline. */
static bool is_up_to_date(const struct ep_thread *thread, const struct ep_light *light)
{
    return light && light->top->cell == ep_stack_ref(thread, thread->top) &&
           ep_load(&eprof_hot.edges) == light->edges &&
           light->generation == ep_thread_generation(thread);
}

EP_COLD static void end_further(struct ep_thread *thread, bool has_begun)
{
    if (!thread->light && is_possible(thread))
        make_light(thread);
    struct ep_light *light = thread->light;
    if (!light || (light->is_at_work && !has_begun))
        return;
    light->is_at_work = true;
    bool is_armed = is_possible(thread);
    if (is_armed)
        arm(thread, light);
    else
        disarm(light);
    ep_signal_fence();
    light->is_at_work = false;
    eprof_hot.top = is_armed ? light->top : &ep_thread_no_scope;
}

void ep_light_end(bool has_begun)
{
    struct ep_thread *thread = ep_thread_self;
    struct ep_light *light = thread->light;
    if (EP_UNLIKELY(!has_begun) || EP_UNLIKELY(!is_up_to_date(thread, light))) {
        end_further(thread, has_begun);
        return;
    }
    light->is_at_work = false;
    ep_signal_fence();
    eprof_hot.top = light->top;
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
        light = thread->light = ep_platform_allocate_wiped(sizeof *light);
    if (!light)
        return;
    light->top = light->open;
    light->generation = 0;
    arm(thread, light);
    light->hot = NULL; /* no raise comes meanwhile, and the thread may end */
    eprof_hot.top = light->top;
}

void ep_light_forget(void)
{
    eprof_hot.top = &ep_thread_no_scope;
    ep_signal_fence();
    ep_store(&eprof_hot.edges, ep_thread_no_edges);
    struct ep_light *light = ep_thread_self->light;
    if (!light)
        return;
    disarm(light);
    light->is_at_work = false;
    light->hot = NULL;
    light->generation = 0; /* the next thread with this record learns its edges anew */
}

#else

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
