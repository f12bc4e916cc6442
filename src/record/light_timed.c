#include "record/held.h"
#include "record/light.h"
#include "record/sampling.h"
#include "record/stack.h"
#include "record/statistics.h"
#include "record/tree.h"

/* The weight of a nested call is stored beside its entry, since other nested calls of its node may
 * have been chosen since it began. */
uint32_t ep_light_timed_weight(struct ep_thread *thread, const struct ep_open_scope_cell *entry)
{
    const struct ep_node_cell *node = ep_tree_node(thread, entry->node);
    bool is_nested = entry->state & EP_SCOPE_NESTED;
    struct ep_light *light = is_nested ? thread->light : NULL;
    if (!light)
        return ep_sampling_weight(thread, node, is_nested);
    const struct eprof_open *open = light->top;
    ep_ref ref = ep_stack_ref(thread, entry);
    while (open > light->lowest && open->cell != ref)
        open--;
    uint32_t weight = open->cell == ref ? ep_light_timed_of(light, open)->weight : 0;
    return weight ? weight : ep_sampling_weight(thread, node, true);
}

#if defined(__x86_64__) && !defined(__ILP32__)

static bool is_inside(const struct eprof_open *around, const struct ep_stack_scope *scope,
                      const struct eprof_edge *edge)
{
    return around->frame > scope->frame ||
           (around->frame == scope->frame && edge->is_same_frame &&
            !(scope->state & EP_SCOPE_ENTRY) && around->return_address == scope->return_address);
}

/* As an inline enter (eprof/scopes.h): `top` moves first and the state is stored last, after the
 * clock was read. Until then a signal handler finds an entry that is being entered. */
static void push(struct eprof_open *open, const struct ep_stack_scope *scope, uint32_t token,
                 uint64_t state, struct ep_light_timed *timed)
{
    ep_store(&eprof_hot.top, open);
    ep_signal_fence();
    open->frame = scope->frame;
    open->return_address = scope->return_address;
    uint32_t untimed = scope->state & EP_SCOPE_ENTRY ? EP_LIGHT_ENTRY : 0;
    ep_store(&open->cell, timed ? EP_LIGHT_TIMED : untimed);
    open->token = token;
    open->hook = scope->state & EP_SCOPE_ENTRY ? scope->return_address : scope->token;
    if (timed)
        timed->entry = scope->state & EP_SCOPE_ENTRY ? ~token : 0;
    if (timed)
        timed->start_ticks = ep_sampling_now(ep_process_source());
    ep_signal_fence();
    ep_store(&open->state, state);
    ep_signal_fence();
}

/* The first call by an edge in a hold, if it is not timed: as after an inline enter. */
static void push_untimed(struct eprof_open *open, const struct ep_stack_scope *scope,
                         uint32_t token, uint64_t state, struct eprof_token *owner)
{
    if (owner)
        owner->open = open;
    push(open, scope, token, state, NULL);
}

/* As the inline part: a signal handler may count in between. false: the call is timed. */
static bool count_untimed(uint64_t *calls)
{
    uint32_t *until_timed = (uint32_t *)(void *)((char *)calls + EP_UNTIL_TIMED);
    if ((int32_t)__atomic_sub_fetch(until_timed, 1, __ATOMIC_RELAXED) <= 0) {
        __atomic_add_fetch(until_timed, 1, __ATOMIC_RELAXED);
        return false;
    }
    __atomic_add_fetch(calls, 1, __ATOMIC_RELAXED);
    return true;
}

bool ep_light_timed_enter(struct ep_light_key key, const struct ep_stack_scope *scope,
                          uint32_t timed_token, struct eprof_token *owner, void (*rehearse)(void))
{
    struct ep_thread *thread = ep_thread_self;
    struct ep_light *light = thread->light;
    struct eprof_open *top = eprof_hot.top;
    const char *edges = ep_load(&eprof_hot.edges) + top->state;
    const struct eprof_edge *edge = (const struct eprof_edge *)(const void *)(edges + key.offset);
    uint64_t *calls = edge->calls;
    uint64_t state = edge->state & ~(uint64_t)EPROF_ENTRY_BITS;
    bool is_leaf = edge->state & EPROF_ENTRY_LEAF;
    ep_signal_fence(); /* a signal handler may put another edge there */
    if (ep_cpu_is_on() || edge->site != key.key || key.offset == EPROF_NO_OFFSET || top->limit ||
        !is_inside(top, scope, edge) || !light || light->generation != ep_light_generation(thread))
        return false;
    uint32_t level = ep_light_state_of(light, state)->level;
    if (level) {
        if (!ep_held_count_first(thread, calls, level))
            return false;
        push_untimed(top + 1, scope, owner ? timed_token : ~timed_token, state, owner);
        return true;
    }
    const struct ep_node_cell *node = ep_tree_node(thread, ep_light_state_of(light, state)->node);
    struct ep_sampling_cells *cells = ep_sampling_of(thread, node);
    bool is_nested = cells && calls == &cells->nested_calls;
    const uint32_t *until_timed =
        (const uint32_t *)(const void *)((const char *)calls + EP_UNTIL_TIMED);
    if (scope->state & EP_SCOPE_ENTRY && count_untimed(calls)) {
        if (!is_leaf)
            push_untimed(top + 1, scope, ~timed_token, state, NULL);
        return true;
    }
    if (!cells || (!is_nested && calls != &node->stats.calls) ||
        !(is_nested ? cells->nested_shift : cells->shift) || (int32_t)ep_load(until_timed) > 1)
        return false;
    /* a signal handler may have come meanwhile: all is looked at again */
    if (rehearse && ep_process_source()->is_counter) {
        rehearse();
        return ep_light_timed_enter(key, scope, timed_token, owner, NULL);
    }
    struct ep_light_timed *timed = ep_light_timed_of(light, top + 1);
    timed->weight = is_nested ? ep_sampling_choose_timed(thread, cells)
                              : ep_sampling_weight(thread, node, false);
    timed->is_nested = is_nested;
    if (owner) /* no entry that an inline leave would take off */
        owner->open = (struct eprof_open *)(void *)timed;
    push(top + 1, scope, timed_token, state, timed);
    return true;
}

/* The time of a call is none of the self time of the scope around it. */
static void take_from(const struct ep_thread *thread, const struct ep_light *light,
                      const struct eprof_open *around, uint64_t weighted_ticks)
{
    ep_ref ref = ep_light_has_cell(around) ? around->cell : 0;
    if (!ref && around->state) {
        struct ep_node_cell *node =
            ep_tree_node(thread, ep_light_state_of(light, around->state)->node);
        ep_add64(&node->self_ticks, 0 - weighted_ticks);
        return;
    }
    struct ep_open_scope_cell *entry = ref ? ep_stack_entry(thread, ref) : thread->top;
    ep_add64(&entry->child_ticks, weighted_ticks);
}

static void count(struct ep_thread *thread, struct ep_node_cell *node,
                  const struct ep_light_timed *timed, uint64_t difference_ticks, uint64_t now_ticks)
{
    ep_add64(&node->self_ticks, difference_ticks * timed->weight);
    if (timed->is_nested)
        ep_sampling_count_nested(thread, node);
    else
        ep_sampling_count(thread, node, difference_ticks, timed->weight);
    ep_sampling_next(thread, node, timed->is_nested, false, difference_ticks, now_ticks);
}

/* As an inline leave: without a state, a signal handler gives the entry no cell. */
bool ep_light_timed_leave(uint32_t token, uint64_t frame, uint64_t *read_ticks)
{
    struct eprof_open *open = eprof_hot.top;
    bool is_rehearsal = frame == EP_LIGHT_REHEARSAL;
    /* one branch for all: the processor would mispredict one that only a rehearsal takes */
    uint64_t is_function = -(uint64_t)(frame != 0), is_real = -(uint64_t)!is_rehearsal;
    uint64_t apart = (ep_load(&open->cell) ^ EP_LIGHT_TIMED) | (open->token ^ token) |
                     ((open->frame ^ frame) & is_function);
    if (apart & is_real)
        return false;
    const struct ep_source *source = ep_process_source();
    uint64_t state = open->state, now_ticks = *read_ticks;
    if (!now_ticks)
        now_ticks = *read_ticks = ep_sampling_now(source);
    if (is_rehearsal)
        return true;
    struct ep_thread *thread = ep_thread_self;
    struct ep_light *light = thread->light;
    if (!light) /* this is the first call in a forked child, which has no record yet */
        return false;
    const struct ep_light_timed timed = *ep_light_timed_of(light, open);
    struct ep_node_cell *node = ep_tree_node(thread, ep_light_state_of(light, state)->node);
    uint64_t difference_ticks = ep_source_difference(source, timed.start_ticks, now_ticks);
    bool is_on = !thread->cell || ep_load(&eprof_recording) & EP_RECORDING_INLINE;
    if (!is_on || !state || light->generation != ep_light_generation(thread) ||
        difference_ticks > ep_load(&thread->control->horizon_ticks) ||
        (!timed.is_nested && !ep_statistics_has_room(&node->stats, difference_ticks)))
        return false;
    ep_store(&open->state, 0);
    ep_signal_fence();
    if (ep_load(&open->cell) != EP_LIGHT_TIMED) /* a signal handler gave it one before */
        return false;
    take_from(thread, light, open - 1, difference_ticks * timed.weight);
    count(thread, node, &timed, difference_ticks, now_ticks);
    ep_signal_fence();
    ep_store(&eprof_hot.top, open - 1);
    ep_signal_fence();
    return true;
}

#else

bool ep_light_timed_enter(struct ep_light_key key, const struct ep_stack_scope *scope,
                          uint32_t timed_token, struct eprof_token *owner, void (*rehearse)(void))
{
    (void)key, (void)scope, (void)timed_token, (void)owner, (void)rehearse;
    return false;
}

bool ep_light_timed_leave(uint32_t token, uint64_t frame, uint64_t *now_ticks)
{
    (void)token, (void)frame, (void)now_ticks;
    return false;
}

#endif
