#include "scope_record.h"

#include <errno.h>

#include "control.h"
#include "eprof.h"
#include "hold.h"
#include "site.h"
#include "stack.h"
#include "statistics.h"
#include "tree.h"

/*
 * As in instance_record.c the hot path is straight, everything unusual is one call out of
 * line, the clock is read last in an enter and first in a leave, and the pending difference
 * goes into the histogram after the stamp.
 *
 * A signal handler may come between any two instructions and record too. An enter first
 * claims its entry by raising `reached`, and lowers it last of all in a leave: a handler that
 * finds it above `top` begins above it, and leaves everything as it found it.
 */

/* An enter that is under way. */
struct opening {
    struct ep_frame_cell *entry; /* free, and then claimed */
    ep_ref node;
    uint32_t state; /* what the entry will have */
    uint32_t tokens;
    struct ep_place *place;
    ep_ref open_before;
};

/* ---- enter ---- */

/* The claim is seen before the look at the generation: who switches recording off raises
 * that, makes all stores visible, then looks for open entries (control.c). */
EP_INLINE uint64_t claim(struct ep_thread *thread, struct ep_frame_cell *entry)
{
    thread->free = entry->next;
    ep_signal_fence();
    ep_store(&entry->state, EP_FRAME_CLAIMED);
    ep_signal_fence();
    return ep_thread_stamp(thread);
}

static void give_back(struct ep_thread *thread, struct ep_frame_cell *entry)
{
    ep_store(&entry->state, 0);
    ep_signal_fence();
    thread->free = ep_stack_ref(thread, entry);
}

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

EP_INLINE void publish(struct ep_thread *thread, struct ep_frame_cell *entry, uint32_t state,
                       uint64_t now_ticks)
{
    ep_store(&entry->start_ticks, now_ticks);
    ep_store_release(&entry->state, state); /* pairs with the readers' acquire */
    ep_signal_fence();
    thread->top = entry;
    /* a signal handler may have made a larger record, and left the stack as it found it */
    if (EP_UNLIKELY(ep_self != thread)) {
        ep_self->top = thread->top;
        ep_self->free = thread->free;
    }
}

/* Whether the entry that a place tells of is still open: the one that is being left has no
 * state any more, and is not below the top yet. */
EP_INLINE bool is_open(const struct ep_thread *thread, const struct ep_frame_cell *entry)
{
    return entry && (ep_load(&entry->state) & EP_FRAME_OPEN || entry == thread->top);
}

/* No parent while the node changes: a signal handler may look. */
EP_INLINE void remember(struct ep_place *place, ep_ref parent, ep_ref node)
{
    ep_store(&place->parent, 0);
    ep_signal_fence();
    ep_store(&place->node, node);
    ep_signal_fence();
    ep_store(&place->parent, parent);
}

/* ---- enter, in general ---- */

/* Where a site is recorded: in its open entry's node, else below the innermost one's. */
static bool find_node(struct ep_thread *thread, uint32_t number, struct opening *opening)
{
    struct ep_place *place = &thread->places[number];
    opening->place = place;
    opening->open_before = 0;
    if (is_open(thread, place->open)) {
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
        return find_node(thread, EP_SITE_OTHER, opening);
    remember(place, parent, opening->node);
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
    if (ep_stack_is_settled(thread))
        ep_stack_resync(thread, scope);
    else
        opening->state |= EP_FRAME_DETACHED;
    ep_ref entry = ep_stack_next(thread);
    if (!find_node(thread, number, opening) || !entry)
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

static void open_prepared(struct ep_thread *thread, const struct opening *opening,
                          const struct ep_stack_scope *scope, uint64_t stamp)
{
    struct ep_frame_cell *entry = opening->entry;
    fill(opening, scope, stamp);
    if (opening->state & EP_FRAME_DETACHED)
        entry->below = ep_stack_ref(thread, thread->top);
    if (opening->state & EP_FRAME_TIMED) {
        entry->open_before = opening->open_before;
        opening->place->open = entry;
        ep_signal_fence();
        ep_statistics_spread_pending(thread->cells, &ep_tree_node(thread, opening->node)->stats,
                                     &thread->tree_cells);
    }
    publish(thread, entry, opening->state, ep_source_now(ep_process_source()));
}

/* false: nothing was opened. */
static bool enter_now(uint32_t number, struct ep_stack_scope scope)
{
    struct opening opening;
    for (;;) {
        struct ep_thread *thread = ep_thread_begin_cold();
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
        if (claim(thread, opening.entry) == stamp &&
            ep_load(&eprof_recording) & EP_RECORDING_STARTS) {
            open_prepared(thread, &opening, &scope, stamp);
            return true;
        }
        give_back(thread, opening.entry); /* raised or switched meanwhile: look again */
        if (thread->is_off || !(ep_load(&eprof_recording) & EP_RECORDING_STARTS))
            return false; /* it begins while recording is off, and is nothing */
    }
}

static uint32_t number_of(struct eprof_site *site)
{
    uint32_t number = __atomic_load_n(&site->number, __ATOMIC_RELAXED);
    if (number)
        return number;
    number = ep_site_number(site->file, site->line, site->label);
    __atomic_store_n(&site->number, number, __ATOMIC_RELAXED); /* the same from each thread */
    return number;
}

EP_INLINE struct ep_stack_scope scope_of(const void *token, const void *frame)
{
    return (struct ep_stack_scope){.frame = (uintptr_t)frame,
                                   .return_address = ep_stack_return_address(frame),
                                   .token = (uint32_t)(uintptr_t)token};
}

EP_COLD static void enter_general(struct eprof_site *site, const void *token, const void *frame)
{
    int saved_errno = errno;
    struct ep_thread *thread = ep_thread_current();
    if (thread && !thread->is_off && ep_load(&eprof_recording) & EP_RECORDING_STARTS &&
        ep_thread_begin_cold()) {
        uint32_t number = number_of(site);
        ep_thread_end_cold();
        if (number)
            enter_now(number, scope_of(token, frame));
        else
            ep_thread_trouble(thread, EP_TROUBLE_LOST);
    }
    errno = saved_errno;
}

/* ---- enter, hot ---- */

/* The straight path is open to the counter only. */
EP_INLINE uint64_t read_clock(bool is_straight)
{
    return is_straight ? ep_counter_read() : ep_source_now(ep_process_source());
}

/* Inside another scope of the same frame: its tokens are told apart. 0: it is not. Inline: what
 * a compiler inlines, three in ten of a ray tracer's, is in its caller's frame. */
EP_INLINE uint32_t tokens_of(const struct ep_frame_cell *top, const void *token, const void *frame)
{
    struct ep_stack_scope scope = scope_of(token, frame);
    uint32_t tokens;
    return ep_stack_tokens(top, &scope, &tokens) ? tokens : 0;
}

/* The node of a site that was last entered elsewhere. */
static ep_ref look_up(const struct ep_thread *thread, struct ep_place *place, uint32_t number)
{
    ep_ref parent = thread->top->node;
    ep_ref node = ep_tree_find(thread, parent, number);
    remember(place, parent, node);
    return node;
}

/* Inside another of its site: recursion folds into the open node. */
EP_INLINE ep_ref nested_node(const struct ep_frame_cell *outer, uint64_t stamp)
{
    return EP_LIKELY(outer->stamp == stamp) ? outer->node : 0;
}

/*
 * In two forms. The straight one calls nothing, and so saves few registers: a scope where it was
 * entered last. The other looks further. false: that is not enough.
 *
 * The stores between the claim and the stamp are each of one field, or of two in a register:
 * put together out of halves in memory they would be waited for.
 */
EP_INLINE bool enter_at(struct ep_thread *thread, uint32_t number, const void *token,
                        const void *frame, bool is_straight)
{
    const struct ep_frame_cell *top = thread->top;
    struct ep_frame_cell *entry = ep_stack_entry(thread, thread->free);
    struct ep_place *place = &thread->places[number];
    uint32_t tokens = 0;
    if (top->frame <= (uintptr_t)frame && !(tokens = tokens_of(top, token, frame)))
        return false;
    if (EP_UNLIKELY(!ep_stack_is_settled(thread)) || EP_UNLIKELY(!top->next))
        return false;
    const struct ep_frame_cell *outer = place->open;
    ep_ref node = place->node;
    if (EP_UNLIKELY(place->parent != top->node) && !outer) {
        if (is_straight)
            return false;
        node = look_up(thread, place, number);
    }
    uint64_t stamp = claim(thread, entry);
    if (EP_UNLIKELY(outer != NULL))
        node = nested_node(outer, stamp);
    else if (EP_UNLIKELY(ep_tree_node(thread, node)->stamp != stamp))
        node = 0;
    if (EP_UNLIKELY(!node)) {
        give_back(thread, entry);
        return false;
    }
    ep_store(&entry->child_ticks, 0);
    ep_store(&entry->stamp, stamp);
    ep_store(&entry->frame, (uintptr_t)frame);
    ep_store(&entry->node, node);
    ep_store(&entry->token, (uint32_t)(uintptr_t)token);
    ep_store(&entry->caller, ep_stack_caller(ep_stack_return_address(frame), tokens));
    if (EP_UNLIKELY(outer != NULL)) {
        publish(thread, entry, EP_FRAME_OPEN | EP_FRAME_NESTED, read_clock(is_straight));
        return true;
    }
    place->open = entry;
    ep_signal_fence();
    publish(thread, entry, EP_FRAME_OPEN | EP_FRAME_TIMED, read_clock(is_straight));
    ep_statistics_spread_pending(thread->cells, &ep_tree_node(thread, node)->stats,
                                 &thread->tree_cells);
    return true;
}

__attribute__((noinline)) static void enter_further(struct eprof_site *site, const void *token,
                                                    const void *frame)
{
    struct ep_thread *thread = ep_self;
    uint32_t number = __atomic_load_n(&site->number, __ATOMIC_RELAXED);
    if (EP_UNLIKELY(number - 1 >= thread->counter_sites + thread->called_sites) ||
        EP_UNLIKELY(!enter_at(thread, number, token, frame, false)))
        enter_general(site, token, frame);
}

EP_EXPORT void eprof_scope_enter(struct eprof_site *site, void *token, void *frame)
{
    struct ep_thread *thread = ep_self;
    uint32_t number = __atomic_load_n(&site->number, __ATOMIC_RELAXED);
    if (EP_UNLIKELY(number - 1 >= thread->counter_sites) ||
        EP_UNLIKELY(!enter_at(thread, number, token, frame, true)))
        enter_further(site, token, frame);
}

/* ---- leave ---- */

/* Recording is being switched off: the last to leave ends that. */
static void leave_drained(struct ep_thread *thread)
{
    if (ep_load(&eprof_recording) == EP_RECORDING_STOPS &&
        ep_stack_open(thread->cells, thread->cell) == 0) {
        ep_process_mutex_lock();
        ep_control_drain();
        ep_process_mutex_unlock();
    }
}

EP_COLD static void leave_general(const void *token, uint64_t now_ticks)
{
    int saved_errno = errno;
    struct ep_thread *thread = ep_thread_current();
    /* what was entered while a signal handler could not record is not on the stack */
    if (thread && thread->top && !thread->busy) {
        struct ep_frame_cell *entry = ep_stack_find(thread, (uintptr_t)token);
        if (entry && ep_thread_begin_cold()) {
            ep_stack_close_above(thread, entry, now_ticks);
            ep_stack_close_top(thread, now_ticks);
            leave_drained(thread);
            ep_thread_end_cold();
        }
    }
    errno = saved_errno;
}

/* Off the stack, and then out of its place: a handler that comes in between finds the entry
 * left, and its own is above it. */
EP_INLINE void pop(struct ep_thread *thread, struct ep_frame_cell *below, struct ep_place *place)
{
    ep_signal_fence();
    thread->top = below;
    ep_signal_fence();
    if (place)
        place->open = NULL;
    ep_signal_fence();
    thread->free = below->next;
    if (EP_UNLIKELY(ep_self != thread)) {
        ep_self->top = thread->top;
        ep_self->free = thread->free;
    }
}

EP_INLINE bool leave_at(struct ep_thread *thread, const void *token, uint64_t now_ticks,
                        uint64_t mask)
{
    struct ep_frame_cell *entry = thread->top;
    const struct ep_control_cell *control = thread->control;
    uint64_t difference = (now_ticks - entry->start_ticks) & mask;
    uint32_t state = entry->state;
    if (EP_UNLIKELY(entry->token != (uint32_t)(uintptr_t)token) ||
        EP_UNLIKELY(entry->stamp != ep_load_acquire(&control->generation) + thread->salt) ||
        EP_UNLIKELY(difference > ep_load(&control->horizon_ticks)) ||
        EP_UNLIKELY(state > (EP_FRAME_OPEN | EP_FRAME_NESTED)))
        return false;
    struct ep_node_cell *node = ep_tree_node(thread, entry->node);
    struct ep_frame_cell *below = ep_stack_entry(thread, entry->below);
    ep_store(&entry->state, 0); /* first: a reader must not add its time so far to what follows */
    /* by a clock that goes back it may come out below zero: a reader sees to that */
    ep_add64(&node->self_ticks, difference - entry->child_ticks);
    ep_add64(&below->child_ticks, difference);
    if (EP_LIKELY(state & EP_FRAME_TIMED)) {
        ep_statistics_count(&node->stats, difference);
        pop(thread, below, &thread->places[node->site]);
    } else {
        ep_statistics_count_nested(&node->stats);
        pop(thread, below, NULL);
    }
    return true;
}

__attribute__((noinline)) static void leave_from_call(const void *token)
{
    struct ep_thread *thread = ep_self;
    const struct ep_source *source = ep_process_source();
    uint64_t now_ticks = source ? ep_source_now(source) : 0;
    if (EP_UNLIKELY(!thread->called_sites) ||
        EP_UNLIKELY(!leave_at(thread, token, now_ticks, source->mask)))
        leave_general(token, now_ticks);
}

EP_EXPORT void eprof_scope_leave(void *token)
{
    struct ep_thread *thread = ep_self;
    if (EP_UNLIKELY(!thread->counter_sites)) {
        leave_from_call(token);
        return;
    }
    uint64_t now_ticks = ep_counter_read();
    if (EP_UNLIKELY(!leave_at(thread, token, now_ticks, UINT64_MAX)))
        leave_general(token, now_ticks);
}

/* ---- EPROF_SLOW ---- */

/* What is stale is closed before the hold begins, and not in it. */
static void resync(struct ep_stack_scope *scope)
{
    struct ep_thread *thread = ep_thread_begin_cold();
    if (thread && thread->top && ep_stack_is_settled(thread))
        ep_stack_resync(thread, scope);
    if (thread)
        ep_thread_end_cold();
}

EP_EXPORT void eprof_scope_enter_slow(struct eprof_site *site, void *token, void *frame,
                                      uint64_t least_ns)
{
    int saved_errno = errno;
    struct ep_thread *thread = ep_thread_current();
    if (thread && !thread->is_off && !thread->busy) {
        resync(&(struct ep_stack_scope){.frame = (uintptr_t)frame,
                                        .return_address = ep_stack_return_address(frame),
                                        .token = (uint32_t)(uintptr_t)token});
        bool is_held = ep_hold_begin_slow(least_ns);
        const struct ep_frame_cell *top = ep_self->top;
        eprof_scope_enter(site, token, frame);
        struct ep_frame_cell *entry = ep_self->top;
        if (is_held && entry != top && entry->token == (uint32_t)(uintptr_t)token)
            ep_store(&entry->state, entry->state | EP_FRAME_SLOW);
        else if (is_held)
            ep_hold_end(false);
    }
    errno = saved_errno;
}

/* ---- by hand ---- */

static struct ep_stack_scope manual_scope(const void *stack_pointer)
{
    return (struct ep_stack_scope){.frame = (uintptr_t)stack_pointer, .state = EP_FRAME_MANUAL};
}

/* Entered while recording is off: nothing, but its leave is to come. */
static bool enter_void(struct ep_stack_scope *scope)
{
    struct ep_thread *thread = ep_thread_begin_cold();
    if (!thread)
        return false;
    ep_ref ref = ep_stack_begin(thread, 0) == 0 ? ep_stack_next(thread) : 0;
    if (ref) {
        struct opening opening = {.entry = ep_stack_entry(thread, ref), .node = thread->top->node};
        opening.state = EP_FRAME_OPEN | EP_FRAME_VOID | EP_FRAME_MANUAL;
        settle_frame(thread, scope, &opening.tokens);
        uint64_t stamp = claim(thread, opening.entry);
        fill(&opening, scope, stamp);
        opening.entry->below = ep_stack_ref(thread, thread->top);
        publish(thread, opening.entry, opening.state, 0);
    }
    ep_thread_end_cold();
    return ref != 0;
}

static bool enter_manual(const struct ep_thread *thread, const char *label,
                         const void *stack_pointer)
{
    struct ep_stack_scope scope = manual_scope(stack_pointer);
    if (thread->is_off || !(ep_load(&eprof_recording) & EP_RECORDING_STARTS))
        return enter_void(&scope);
    uint32_t number = 0;
    if (ep_thread_begin_cold()) {
        number = ep_site_number(NULL, 0, label);
        ep_thread_end_cold();
    }
    return number && enter_now(number, scope);
}

void ep_scope_enter(const char *label, const void *stack_pointer)
{
    int saved_errno = errno;
    struct ep_thread *thread = ep_process.is_off ? NULL : ep_thread_current();
    if (thread && !enter_manual(thread, label, stack_pointer))
        ep_self->skipped++;
    errno = saved_errno;
}

void ep_scope_leave(const void *stack_pointer)
{
    int saved_errno = errno;
    struct ep_thread *thread = ep_process.is_off ? NULL : ep_thread_current();
    uint64_t now_ticks = thread ? ep_source_now(ep_process_source()) : 0;
    if (thread && thread->skipped) {
        thread->skipped--;
    } else if (thread && ep_thread_begin_cold()) {
        struct ep_stack_scope scope = manual_scope(stack_pointer);
        if (thread->top && ep_stack_is_settled(thread))
            ep_stack_resync(thread, &scope);
        if (thread->top && thread->top->state & EP_FRAME_MANUAL)
            ep_stack_close_top(thread, now_ticks);
        else
            ep_thread_trouble(thread, EP_TROUBLE_UNBALANCED);
        leave_drained(thread);
        ep_thread_end_cold();
    }
    errno = saved_errno;
}
