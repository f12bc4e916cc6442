#include "scope_open.h"

#include "control.h"
#include "eprof.h"
#include "hold.h"
#include "statistics.h"
#include "tree.h"

/* An enter that is under way. */
struct opening {
    struct ep_frame_cell *entry; /* free, and then claimed */
    ep_ref node;
    uint32_t state; /* what the entry will have */
    uint32_t tokens;
    struct ep_place *place;
    ep_ref open_before;
};

/* Between the claim and the stamp. */
static void fill(const struct opening *opening, const struct ep_stack_scope *scope, uint64_t stamp)
{
    struct ep_frame_cell *entry = opening->entry;
    ep_store(&entry->child_ticks, 0);
    ep_store(&entry->stamp, stamp);
    ep_store(&entry->frame, scope->frame);
    ep_store(&entry->node, opening->node);
    ep_store(&entry->token, scope->token);
    ep_store(&entry->caller, ep_stack_caller(scope->return_address, opening->tokens));
}

/* Whether the entry that a place tells of is open: the one that is being left has no state any
 * more, and is not below the top yet; the one that is being entered is filled when it is there. */
static bool is_open(const struct ep_thread *thread, const struct ep_frame_cell *entry,
                    const struct ep_stack_scope *scope)
{
    return entry && (ep_load(&entry->state) & EP_FRAME_OPEN || entry == thread->top ||
                     ep_stack_is_being_entered(entry, scope));
}

/* Where a site is recorded: in its open entry's node, else below the innermost one's. */
static bool find_node(struct ep_thread *thread, uint32_t number, const struct ep_stack_scope *scope,
                      struct opening *opening)
{
    struct ep_place *place = &thread->places[number];
    opening->place = place;
    opening->open_before = 0;
    if (is_open(thread, place->open, scope)) {
        opening->open_before = ep_stack_ref(thread, place->open);
        opening->node = ep_hold_node(thread, place->open->node);
        return opening->node != 0;
    }
    ep_ref parent = ep_hold_node(thread, thread->top->node);
    opening->node = parent ? ep_tree_child(thread, parent, number) : 0;
    if (!opening->node)
        return false;
    /* "(other)" is a site like any, and may be open too */
    if (ep_tree_node(thread, opening->node)->site != number)
        return find_node(thread, EP_SITE_OTHER, scope, opening);
    ep_scope_remember(place, parent, opening->node);
    return true;
}

/* Inside one that began before a reset, or in a hold that was dropped, it is the outermost
 * of what counts. One that a mere raise left behind is brought up to date, so that the next
 * comes here no more. */
static bool is_nested(const struct ep_thread *thread, struct ep_frame_cell *outer, uint64_t stamp)
{
    if (outer->state & EP_FRAME_VOID || !ep_thread_is_of_now(thread, outer->stamp))
        return false;
    if (ep_hold_level(outer->stamp) == ep_hold_level(stamp))
        ep_store(&outer->stamp, stamp);
    return true;
}

/* A bit that two tokens share is not known to be one; a manual entry stands in the frame of
 * what is below it, and another stack's frame is its own. */
static void settle_frame(const struct ep_thread *thread, struct ep_stack_scope *scope,
                         uint32_t *tokens)
{
    const struct ep_frame_cell *top = thread->top;
    bool is_manual = scope->state & EP_FRAME_MANUAL;
    if (is_manual) {
        scope->frame = top->frame;
        scope->return_address = top->return_address;
        scope->token = top->token;
    }
    ep_stack_tokens(top, scope, tokens);
    if (!is_manual && top->frame != scope->frame)
        *tokens = 0;
}

/* What stands where this scope is to be. Makes what is missing. false: no memory. The thread
 * is busy. */
static bool prepare(struct ep_thread *thread, uint32_t number, struct ep_stack_scope *scope,
                    uint64_t stamp, struct opening *opening)
{
    if (ep_stack_begin(thread, number) != 0)
        return false;
    opening->state = EP_FRAME_OPEN | scope->state;
    if (ep_stack_is_settled(thread)) {
        ep_stack_resync(thread, scope);
    } else {
        opening->state |= EP_FRAME_DETACHED;
        thread->was_interrupted = true;
    }
    ep_ref entry = ep_stack_next(thread);
    if (!find_node(thread, number, scope, opening) || !entry)
        return false;
    opening->entry = ep_stack_entry(thread, entry);
    ep_hold_visit(thread, opening->node, stamp);
    bool is_inner = opening->open_before &&
                    is_nested(thread, ep_stack_entry(thread, opening->open_before), stamp);
    opening->state |= is_inner               ? EP_FRAME_NESTED
                      : opening->open_before ? EP_FRAME_TIMED | EP_FRAME_FOLDED
                                             : EP_FRAME_TIMED;
    settle_frame(thread, scope, &opening->tokens);
    return true;
}

/* What a signal handler's scope is inside of, in the midst of the enter of its own site: the entry
 * that is being entered, above `top`. 0: it is in what it is above of; and in a hold of the
 * handler's own, which may be dropped, it would be lost there. */
static ep_ref find_around(const struct ep_thread *thread, const struct opening *opening,
                          uint64_t stamp)
{
    if (!(opening->state & EP_FRAME_NESTED) ||
        ep_hold_level(ep_stack_entry(thread, opening->open_before)->stamp) != ep_hold_level(stamp))
        return 0;
    const struct ep_frame_cell *entry = thread->top;
    while (entry != opening->entry) {
        if (entry->next == opening->open_before)
            return entry->next;
        entry = ep_stack_entry(thread, entry->next);
    }
    return 0;
}

static void open_prepared(struct ep_thread *thread, const struct opening *opening,
                          const struct ep_stack_scope *scope, uint64_t stamp)
{
    struct ep_frame_cell *entry = opening->entry;
    fill(opening, scope, stamp);
    if (opening->state & EP_FRAME_DETACHED) {
        entry->below = ep_stack_ref(thread, thread->top);
        entry->open_before = find_around(thread, opening, stamp);
    }
    if (opening->state & EP_FRAME_TIMED) {
        entry->open_before = opening->open_before;
        ep_signal_fence(); /* as in ep_scope_enter_at() */
        opening->place->open = entry;
        ep_signal_fence();
        ep_statistics_spread_pending(thread->cells, &ep_tree_node(thread, opening->node)->stats,
                                     &thread->tree_cells);
    }
    ep_scope_publish(thread, entry, opening->state, ep_source_now(ep_process_source()));
}

bool ep_scope_open(uint32_t number, struct ep_stack_scope given)
{
    struct opening opening;
    struct ep_thread *thread;
    bool is_open;
    do { /* again, where it was raised meanwhile; not where recording was switched off */
        struct ep_stack_scope scope = given; /* each round looks where the caller is */
        thread = ep_thread_begin_cold();
        if (!thread)
            return false;
        uint64_t stamp = ep_thread_stamp(thread);
        ep_thread_open_tables(thread); /* the source may be another */
        bool is_ready = prepare(thread, number, &scope, stamp, &opening);
        ep_thread_end_cold();
        if (!is_ready) {
            ep_thread_trouble(thread, EP_TROUBLE_LOST);
            return false;
        }
        is_open = ep_scope_claim(thread, opening.entry) == stamp &&
                  ep_load(&eprof_recording) & EP_RECORDING_STARTS;
        if (is_open)
            open_prepared(thread, &opening, &scope, stamp);
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
        struct opening opening = {.entry = ep_stack_entry(thread, ref), .node = thread->top->node};
        opening.state = EP_FRAME_OPEN | EP_FRAME_VOID | EP_FRAME_MANUAL;
        settle_frame(thread, &scope, &opening.tokens);
        uint64_t stamp = ep_scope_claim(thread, opening.entry);
        fill(&opening, &scope, stamp);
        opening.entry->below = ep_stack_ref(thread, thread->top);
        thread->cold_top = opening.entry; /* this path's own, when it is there */
        ep_signal_fence();
        ep_scope_publish(thread, opening.entry, opening.state, 0);
    }
    ep_thread_end_cold();
    return ref != 0;
}

void ep_scope_drained(struct ep_thread *thread)
{
    if (ep_load(&eprof_recording) == EP_RECORDING_STOPS &&
        ep_stack_open(thread->cells, thread->cell) == 0) {
        ep_process_mutex_lock();
        ep_control_drain();
        ep_process_mutex_unlock();
    }
}

void ep_scope_close(struct ep_thread *thread, const struct ep_frame_cell *entry, uint64_t now_ticks)
{
    if (thread->busy) { /* the interrupted path is in the midst of what accounts */
        ep_stack_drop(thread, entry);
        return;
    }
    ep_thread_begin_cold();
    ep_stack_close_above(thread, entry, now_ticks);
    ep_stack_close_top(thread, now_ticks);
    ep_scope_drained(thread);
    ep_thread_end_cold();
}
