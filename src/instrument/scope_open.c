#include "instrument/scope_open.h"

#include "eprof.h"
#include "record/control.h"
#include "record/hold.h"
#include "record/light.h"
#include "record/process_lock.h"
#include "record/statistics.h"
#include "record/tree.h"

/* An enter in progress. */
struct opening {
    struct ep_open_scope_cell *entry; /* free, later taken */
    ep_ref node;
    uint32_t state; /* of the entry when it is published */
    uint32_t tokens;
    struct ep_site_slot *site_slot;
    ep_ref open_before;
    bool is_always; /* timed */
};

/* Whether the open entry of a site is really open. An entry that is being left has no state any
 * more and is not below the top yet; an entry that is being entered is filled when it becomes the
 * open one. If a signal handler jumped out of an enter or a leave, the entry may be that of another
 * site by now. */
static bool is_open(const struct ep_thread *thread, uint32_t number,
                    const struct ep_open_scope_cell *entry, const struct ep_stack_scope *scope)
{
    return entry && ep_tree_site(thread, entry->node) == number &&
           (ep_load(&entry->state) & EP_SCOPE_OPEN || entry == thread->top ||
            ep_stack_is_being_entered(entry, scope));
}

/* Finds the node for a site: the node of its open entry, otherwise the child of the innermost
 * entry's node. */
static bool find_node(struct ep_thread *thread, uint32_t number, const struct ep_stack_scope *scope,
                      struct opening *opening)
{
    struct ep_site_slot *site_slot = &thread->site_slots[number];
    opening->site_slot = site_slot;
    opening->open_before = 0;
    if (is_open(thread, number, site_slot->open, scope)) {
        opening->open_before = ep_stack_ref(thread, site_slot->open);
        opening->node = ep_hold_node(thread, site_slot->open->node);
        return opening->node != 0;
    }
    ep_ref parent = ep_hold_node(thread, thread->top->node);
    opening->node = parent ? ep_tree_child(thread, parent, number) : 0;
    if (!opening->node)
        return false;
    /* "(other)" is a site as well and may be open */
    if (ep_tree_node(thread, opening->node)->site != number)
        return find_node(thread, EP_SITE_OTHER, scope, opening);
    ep_scope_remember(site_slot, parent, opening->node);
    return true;
}

/* A scope inside one that began before a reset, or in a dropped hold, is the outermost that counts.
 * An outer entry that is stale only because of a raise is brought up to date, so that later enters
 * do not come here; its state then contains whether it began before a switch, which its old
 * generation showed. */
static bool is_nested(const struct ep_thread *thread, struct ep_open_scope_cell *outer,
                      uint64_t generation)
{
    if (outer->state & EP_SCOPE_VOID || !ep_thread_is_of_now(thread, outer->generation))
        return false;
    if (ep_hold_level(outer->generation) == ep_hold_level(generation)) {
        if (!ep_stack_is_since_switch(thread, outer))
            ep_store_release(&outer->state, outer->state | EP_SCOPE_UNSURE);
        ep_store(&outer->generation, generation);
    }
    return true;
}

/* A token bit that is set may be another token's. A manual entry takes the frame of the entry
 * below; on another stack the frame is its own. */
static void complete_frame(const struct ep_thread *thread, struct ep_stack_scope *scope,
                           uint32_t *tokens)
{
    const struct ep_open_scope_cell *top = thread->top;
    bool is_manual = scope->state & EP_SCOPE_MANUAL;
    if (is_manual) {
        scope->frame = top->frame;
        scope->return_address = top->return_address;
        scope->token = top->token;
    }
    ep_stack_tokens(top, scope, tokens);
    if (!is_manual && top->frame != scope->frame)
        *tokens = 0;
}

/* Prepares the entry and makes what is missing. false: no memory. The thread is busy. */
static bool prepare(struct ep_thread *thread, uint32_t number, struct ep_stack_scope *scope,
                    uint64_t generation, struct opening *opening)
{
    if (ep_stack_begin(thread, number) != 0)
        return false;
    opening->state = EP_SCOPE_OPEN | (scope->state & ~(uint32_t)EP_SCOPE_SAMPLE);
    opening->is_always = scope->state & EP_SCOPE_SAMPLE;
    if (ep_stack_is_quiet(thread)) {
        ep_stack_resync(thread, scope);
    } else {
        opening->state |= EP_SCOPE_DETACHED;
        thread->was_interrupted = true;
    }
    ep_ref entry = ep_stack_next(thread);
    if (!find_node(thread, number, scope, opening) || !entry)
        return false;
    opening->entry = ep_stack_entry(thread, entry);
    ep_hold_visit(thread, opening->node, generation);
    bool is_inner = opening->open_before &&
                    is_nested(thread, ep_stack_entry(thread, opening->open_before), generation);
    opening->state |= is_inner               ? EP_SCOPE_NESTED
                      : opening->open_before ? EP_SCOPE_TIMED | EP_SCOPE_FOLDED
                                             : EP_SCOPE_TIMED;
    complete_frame(thread, scope, &opening->tokens);
    return true;
}

/* The entry that contains the scope of a signal handler that came during the enter of its own site:
 * the entry that is being entered, above `top`. 0: the entry below contains it; also if the handler
 * has begun a hold, since a drop would lose the time. */
static ep_ref find_around(const struct ep_thread *thread, const struct opening *opening,
                          uint64_t generation)
{
    if (!(opening->state & EP_SCOPE_NESTED) ||
        ep_hold_level(ep_stack_entry(thread, opening->open_before)->generation) !=
            ep_hold_level(generation))
        return 0;
    const struct ep_open_scope_cell *entry = thread->top;
    while (entry != opening->entry) {
        if (entry->next == opening->open_before)
            return entry->next;
        entry = ep_stack_entry(thread, entry->next);
    }
    return 0;
}

static uint32_t choose(struct ep_thread *thread, const struct opening *opening)
{
    struct ep_node_cell *node = ep_tree_node(thread, opening->node);
    if (opening->state & EP_SCOPE_NESTED)
        return ep_sampling_choose_nested(thread, node, thread->top->node == opening->node);
    if (opening->is_always)
        ep_sampling_end_block(thread, node);
    return ep_sampling_choose(thread, node);
}

static void open_prepared(struct ep_thread *thread, const struct opening *opening,
                          const struct ep_stack_scope *scope, uint64_t generation)
{
    struct ep_open_scope_cell *entry = opening->entry;
    uint32_t how = choose(thread, opening);
    ep_scope_fill(entry, scope, opening->node,
                  ep_stack_caller(scope->return_address, opening->tokens));
    ep_store(&entry->generation, generation);
    if (opening->state & EP_SCOPE_DETACHED) {
        entry->below = ep_stack_ref(thread, thread->top);
        entry->open_before = find_around(thread, opening, generation);
    }
    if (opening->state & EP_SCOPE_TIMED) {
        entry->open_before = opening->open_before;
        ep_signal_fence(); /* as in ep_scope_enter_at() */
        opening->site_slot->open = entry;
        ep_signal_fence();
        ep_statistics_add_pending(thread->cells, &ep_tree_node(thread, opening->node)->stats,
                                  &thread->tree_cells);
    }
    ep_light_entering(thread, entry, opening->state | how);
    if (opening->state & EP_SCOPE_TIMED && how & EP_SCOPE_SAMPLE)
        ep_sampling_start_cpu(thread, ep_tree_node(thread, opening->node));
    ep_scope_publish(thread, entry, opening->state | how,
                     ep_scope_start_ticks(thread->top, how, false));
}

bool ep_scope_open(uint32_t number, struct ep_stack_scope given)
{
    struct opening opening;
    struct ep_thread *thread;
    bool is_open;
    do { /* again if the generation was raised meanwhile, but not if recording was switched off */
        struct ep_stack_scope scope = given; /* resync changes it */
        thread = ep_thread_begin_cold();
        if (!thread)
            return false;
        uint64_t generation = ep_thread_generation(thread);
        ep_thread_open_tables(thread); /* the source may have changed */
        bool is_ready = prepare(thread, number, &scope, generation, &opening);
        ep_thread_end_cold();
        if (!is_ready) {
            ep_thread_diagnose(thread, EP_DIAGNOSTIC_LOST);
            return false;
        }
        ep_scope_take(thread, opening.entry);
        is_open = ep_thread_generation(thread) == generation &&
                  ep_load(&eprof_recording) & EP_RECORDING_STARTS;
        if (is_open)
            open_prepared(thread, &opening, &scope, generation);
        else
            ep_scope_give_back(thread, opening.entry);
    } while (!is_open && !thread->is_off && ep_load(&eprof_recording) & EP_RECORDING_STARTS);
    return is_open;
}

bool ep_scope_open_void(struct ep_stack_scope scope)
{
    struct ep_thread *thread = ep_thread_begin_cold();
    if (!thread)
        return false;
    ep_ref ref = ep_stack_begin(thread, 0) == 0 ? ep_stack_next(thread) : 0;
    if (ref) {
        struct ep_open_scope_cell *entry = ep_stack_entry(thread, ref);
        uint32_t tokens;
        complete_frame(thread, &scope, &tokens);
        ep_scope_take(thread, entry);
        ep_scope_fill(entry, &scope, thread->top->node,
                      ep_stack_caller(scope.return_address, tokens));
        ep_store(&entry->generation, ep_thread_generation(thread));
        entry->below = ep_stack_ref(thread, thread->top);
        thread->cold_top = entry; /* of this path itself, when it is published */
        ep_signal_fence();
        ep_scope_publish(thread, entry, EP_SCOPE_OPEN | EP_SCOPE_VOID | EP_SCOPE_MANUAL, 0);
    }
    ep_thread_end_cold();
    return ref != 0;
}

bool ep_scope_leave_sampled(struct ep_thread *thread, uint32_t kind, uint64_t now_ticks)
{
    struct ep_open_scope_cell *entry = thread->top;
    struct ep_node_cell *node = ep_tree_node(thread, entry->node);
    uint64_t difference = ep_source_difference(ep_process_source(), entry->start_ticks, now_ticks);
    bool is_nested = entry->state & EP_SCOPE_NESTED;
    if (!ep_scope_is_budgeted(thread, entry, EP_SCOPE_OPEN | EP_SCOPE_SAMPLE | kind) ||
        difference > ep_load(&thread->control->horizon_ticks) ||
        (!is_nested && !ep_statistics_has_room(&node->stats, difference)))
        return false;
    struct ep_open_scope_cell *below = ep_stack_entry(thread, entry->below);
    uint32_t weight = ep_light_timed_weight(thread, entry);
    ep_store(&entry->state, 0); /* as in ep_scope_end() */
    ep_store_fence();
    ep_add64(&node->self_ticks, difference * weight - entry->child_ticks);
    ep_add64(&below->child_ticks, difference * weight);
    if (is_nested)
        ep_sampling_count_nested(thread, node);
    else
        ep_sampling_count(thread, node, difference, weight);
    ep_sampling_next(thread, node, is_nested, false, difference, now_ticks);
    ep_scope_pop(thread, below, node->site, !is_nested);
    return true;
}

void ep_scope_quiesced(struct ep_thread *thread)
{
    if (ep_load(&eprof_recording) == EP_RECORDING_STOPS &&
        ep_stack_open(thread->cells, thread->cell) == 0) {
        ep_process_mutex_lock();
        ep_control_quiesce();
        ep_process_mutex_unlock();
    }
}

void ep_scope_close(struct ep_thread *thread, const struct ep_open_scope_cell *entry,
                    uint64_t now_ticks)
{
    if (thread->busy) { /* the interrupted path may be adding up times */
        ep_stack_drop(thread, entry);
        return;
    }
    ep_thread_begin_cold();
    ep_stack_close_above(thread, entry, now_ticks);
    ep_stack_close_top(thread, now_ticks);
    ep_scope_quiesced(thread);
    ep_thread_end_cold();
}
