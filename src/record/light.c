#include "record/light.h"

#include <string.h>

#include "base/platform.h"
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
_Static_assert(
    offsetof(struct eprof_edge, site) + EPROF_NO_OFFSET ==
            offsetof(struct eprof_edge, is_same_frame) &&
        sizeof(struct eprof_edge) == 32,
    "with the limit, a site is compared with `is_same_frame` and `via_return`: no key is there");
_Static_assert(offsetof(struct eprof_hot, top) == 0 && offsetof(struct eprof_hot, edges) == 8,
               "what is known of a thread");
_Static_assert((int)EPROF_UNTIL_TIMED == (int)EP_UNTIL_TIMED,
               "an edge refers to a number of calls");

static const char *no_edges(void)
{
    return (const char *)ep_thread_no_edges;
}

/* ---- the light stack ---- */

/* In place of the cell of an entry that was taken away, so that it is left out of line: this may be
 * a signal handler, and the interrupted inline part may still move `top` to that entry. */
static const ep_ref no_cell = UINT32_MAX;

/* The leave of a scope that was entered by hand and has no cell is still to come. */
static void take_away(struct ep_thread *thread, struct eprof_open *open)
{
    if (open->cell == EP_LIGHT_MANUAL && open->state)
        ep_stack_lose(thread);
    ep_store(&open->state, 0);
    ep_store(&open->cell, no_cell);
}

static void clear_above(struct ep_light *light, struct eprof_open *lowest)
{
    for (struct eprof_open *open = light->top; open > lowest; open--)
        take_away(ep_thread_self, open);
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

/* A signal handler came in the middle of a leave and made `top` no scope; meanwhile the leave has
 * subtracted from that and is complete. */
EP_COLD static void end_interrupted_leaves(struct ep_light *light)
{
    light->between = NULL;
    while (light->top > light->lowest && is_between(light->top))
        light->top--;
}

/* The innermost entry that a token may point to, or the lowest entry. No token points to the entry
 * of a function. */
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

/* The function of an open scope, if that has a patched entry: the lower half of that; else 0. A
 * timed call has a thunk in place of its return address. */
static uint32_t entry_of(const struct ep_thread *thread, const struct ep_open_scope_cell *scope)
{
    bool is_timed = thread->thunks && scope->state & EP_SCOPE_FUNCTION &&
                    scope->return_address - thread->thunks < EPROF_THUNKS_BYTES;
    return is_timed || scope->state & EP_SCOPE_ENTRY ? scope->token : 0;
}

/* Begins with the innermost scope as the lowest entry. */
static void begin_lowest(const struct ep_thread *thread, struct ep_light *light)
{
    const struct ep_open_scope_cell *top = thread->top;
    light->between = NULL;
    light->lowest->frame = top->frame;
    light->lowest->token = 0;
    ep_light_timed_of(light, light->lowest)->entry = entry_of(thread, top);
    light->lowest->return_address = top->return_address;
    ep_store(&light->lowest->cell, ep_stack_ref(thread, top));
    ep_store(&light->lowest->state, ep_light_state_now(thread, light, ep_light_sum(thread)));
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
    uint64_t sum = open->state ? ep_light_state_of(light, open->state)->sum : ep_light_sum(thread);
    ep_store(&open->state, ep_light_state_now(thread, light, sum));
}

/* ---- functions with patched entries ---- */

/* As an inline leave. */
bool ep_light_take_off(unsigned count)
{
    for (; count; count--) {
        struct eprof_open *top = ep_load(&eprof_hot.top);
        if (top->cell != EP_LIGHT_ENTRY || !top->state)
            return false;
        ep_store(&top->state, 0);
        ep_signal_fence();
        if (ep_load(&top->cell) != EP_LIGHT_ENTRY)
            return false;
        ep_store(&eprof_hot.top, top - 1);
        ep_signal_fence();
    }
    return true;
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

/* Whether `node` is `other`, or replaces it in a hold. */
static bool replaces(const struct ep_thread *thread, ep_ref node, ep_ref other)
{
    while (node != other && ep_tree_node(thread, node)->site == EP_SITE_HOLD)
        node = ep_tree_node(thread, node)->parent;
    return node == other;
}

static uint32_t token_of(struct ep_light *light, const struct eprof_open *open)
{
    uint32_t entry = ep_light_entry_of(light, open);
    if (entry)
        return entry;
    return ep_light_state_of(light, open->state)->is_function ? open->hook : open->token;
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
    bool is_manual = open->cell == EP_LIGHT_MANUAL;
    ep_stack_repair_open(thread, site_slot, ep_tree_site(thread, node));
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
    ep_store(&entry->token, is_manual ? top->token : token_of(light, open));
    ep_store(&entry->caller, ep_stack_caller(open->return_address, tokens));
    ep_signal_fence();
    if (!site_slot->open)
        site_slot->open = entry;
    ep_signal_fence();
    bool is_timed = open->cell == EP_LIGHT_TIMED;
    kind |= open->cell == EP_LIGHT_ENTRY ? EP_SCOPE_ENTRY : 0;
    kind |= is_manual ? EP_SCOPE_MANUAL : 0;
    kind |= is_timed ? EP_SCOPE_SAMPLE : EP_SCOPE_UNTIMED;
    ep_store(&entry->start_ticks,
             is_timed ? ep_light_timed_of(light, open)->start_ticks : top->start_ticks);
    ep_store_release(&entry->state, EP_SCOPE_OPEN | kind);
    ep_signal_fence();
    thread->top = entry;
    ep_light_timed_of(light, open)->entry = ep_light_entry_of(light, open);
    if (open->cell == EP_LIGHT_ENTRY)
        open->hook = open->return_address; /* the routine does not store it */
    ep_signal_fence();
    ep_store(&open->cell, ref); /* it is left out of line */
    return true;
}

/* In a signal handler the innermost entry may be one that is being entered or left. A signal
 * handler that left by a jump leaves such an entry behind, too. Without memory the scopes are lost.
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

/* ---- scopes that were entered out of line ---- */

/* An entry above `below`, in the state to which that leads. */
static void push(const struct ep_thread *thread, struct ep_light *light, struct eprof_open *below,
                 const struct ep_open_scope_cell *entry, uint32_t state)
{
    ep_light_push(thread, entry,
                  below->state ? ep_light_lead(thread, light, below, entry, state) : 0);
    struct ep_light_timed *timed = ep_light_timed_of(light, light->top);
    if (state & EP_SCOPE_ENTRY) {
        timed->entry = entry->token;
        light->top->hook = entry->return_address;
    }
    if (state & EP_SCOPE_SAMPLE && state & EP_SCOPE_NESTED)
        timed->weight = ep_sampling_weight(thread, ep_tree_node(thread, entry->node), true);
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

/* Pairs with ep_thread_raise_all(): if a raise is not seen here, it takes the edges away after
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
        ep_light_forget_edges(light);
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
        ep_store_release(&thread->light, light); /* pairs with ep_thread_raise_all() */
    }
    ep_thread_end_cold();
}

/* A part of its own: the usual case saves no registers. */
__attribute__((noinline)) static bool begin_without_cell(struct ep_light *light)
{
    give_cells(ep_thread_self, light);
    return true;
}

bool ep_light_begin(void)
{
    struct ep_light *light = ep_thread_self->light;
    uintptr_t here = ep_light_here();
    if (!light)
        return false;
    struct eprof_open *top = ep_light_begin_work(light, here);
    if (EP_UNLIKELY(top == &ep_thread_at_work)) {
        if (!ep_stack_is_left(light->work_stack, here)) {
            light->inner++;
            return false;
        }
        ep_store(&light->work_stack, here);
        top = light->top;
    }
    light->inner = 0;
    if (!ep_thread_is_no_scope(top))
        light->top = top;
    else if (EP_UNLIKELY(top != ep_thread_no_scope()))
        end_interrupted_leaves(light);
    if (EP_UNLIKELY(!ep_light_has_cell(light->top)))
        return begin_without_cell(light);
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

/* Whether ep_light_end() only has to let scopes be entered inline again. */
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
    uintptr_t here = ep_light_here();
    if (!has_begun && ep_light_begin_work(light, here) == &ep_thread_at_work) {
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
    light->is_leaf = 0;
    ep_light_end_work(light, is_inline ? light->top : ep_thread_no_scope());
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
    light->is_leaf = 0;
    ep_light_end_work(light, light->top);
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

/* In a forked child, the light stack of this thread in the parent; NULL: none. */
static struct ep_light *parents_light(void)
{
    uintptr_t last = (uintptr_t)eprof_hot.last;
    return last ? (struct ep_light *)(last - offsetof(struct ep_light, open[EP_LIGHT_OPEN])) : NULL;
}

void ep_light_forget(void)
{
    struct ep_light *light = ep_thread_self->light, *parents = parents_light();
    struct eprof_open *top = ep_light_exchange_top(ep_thread_no_scope());
    ep_store(&eprof_hot.edges, no_edges());
    /* in a forked child, whose record is zero: ep_light_inherit() needs the innermost entry */
    if (!light && parents && !ep_thread_is_no_scope(top) && top != &ep_thread_at_work)
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
        if (open->state && !ep_light_has_cell(open) &&
            !give_cell(thread, light, open, ep_stack_next(thread)))
            take_away(thread, open);
    disarm(thread, light);
    ep_store(&light->hot, NULL);
    light->generation = 0;
    ep_store_release(&thread->light, light); /* pairs with ep_thread_raise_all() */
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

void ep_light_lead_value(const struct ep_thread *thread, uint32_t number, struct ep_node_cell *node)
{
    (void)thread, (void)number, (void)node;
}

bool ep_light_take_off(unsigned count)
{
    return !count;
}

void ep_light_write_out(void)
{
}

void ep_light_forget(void)
{
}

#endif
