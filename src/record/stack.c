#include "record/stack.h"

#include <signal.h>
#include <string.h>

#include "base/platform.h"
#include "record/horizon.h"
#include "record/light.h"
#include "record/sampling.h"
#include "record/slow.h"
#include "record/statistics.h"
#include "record/tree.h"

/* A page at first; each larger table doubles that. */
enum { SITES_AT_FIRST = 256 };

/* ---- made ---- */

/* An old table stays: if this is a signal handler, the hot path that it interrupted may use it.
 * During an enter or a leave, which would still write into the old one, a handler makes none. */
static int make_room(struct ep_thread *thread, uint32_t number)
{
    uint32_t capacity = thread->site_capacity ? thread->site_capacity : SITES_AT_FIRST;
    while (capacity <= number)
        capacity *= 2;
    if (capacity == thread->site_capacity)
        return 0;
    struct ep_site_slot *larger =
        ep_stack_is_quiet(thread) ? ep_platform_allocate_wiped(capacity * sizeof *larger) : NULL;
    if (!larger) {
        ep_thread_diagnose(thread, EP_DIAGNOSTIC_OUT_OF_CELLS);
        return -1;
    }
    if (thread->site_capacity)
        memcpy(larger, thread->site_slots, thread->site_capacity * sizeof *larger);
    thread->site_slots = larger;
    thread->site_capacity = capacity;
    ep_thread_open_tables(thread);
    return 0;
}

/* Not limited as the call tree is: the depth of the program bounds the stack. */
static ep_ref take_entry(struct ep_thread *thread)
{
    return ep_thread_take(thread, &thread->instance_cells, 1);
}

/* More than half a million (2^32 / EP_SCOPE_LOST) are not counted. */
static void lose_above(struct ep_open_scope_cell *entry)
{
    if (entry->state < UINT32_MAX - EP_SCOPE_LOST)
        ep_store(&entry->state, entry->state + EP_SCOPE_LOST);
}

static int make_lowest(struct ep_thread *thread)
{
    ep_ref ref = take_entry(thread);
    if (!ref)
        return -1;
    struct ep_open_scope_cell *lowest = ep_stack_entry(thread, ref);
    lowest->frame = UINT64_MAX; /* above every frame */
    lowest->node = thread->root;
    ep_store(&lowest->state, EP_SCOPE_OPEN | EP_SCOPE_VOID);
    thread->top = lowest;
    for (; thread->lost_enters; thread->lost_enters--)
        lose_above(lowest);
    thread->free = 0;
    ep_store_release(&thread->cell->frames, ref); /* pairs with the snapshot's acquire */
    return 0;
}

int ep_stack_begin(struct ep_thread *thread, uint32_t number)
{
    if (ep_tree_begin(thread) != 0 || (!thread->top && make_lowest(thread) != 0))
        return -1;
    return make_room(thread, number);
}

ep_ref ep_stack_next(struct ep_thread *thread)
{
    if (thread->free)
        return thread->free;
    struct ep_open_scope_cell *beneath = thread->top; /* the highest entry that was made */
    while (beneath->next)
        beneath = ep_stack_entry(thread, beneath->next);
    ep_ref ref = take_entry(thread);
    if (!ref)
        return 0;
    ep_stack_entry(thread, ref)->below = ep_stack_ref(thread, beneath);
    ep_store_release(&beneath->next, ref); /* pairs with the readers' acquire */
    thread->free = ref;
    return ref;
}

/* ---- lost ---- */

void ep_stack_lose(struct ep_thread *thread)
{
    if (thread->busy || !thread->top)
        thread->lost_enters++;
    else
        lose_above(thread->top);
}

bool ep_stack_find_lost(struct ep_thread *thread)
{
    struct ep_open_scope_cell *top = thread->top;
    if (!top || top->state < EP_SCOPE_LOST)
        return false;
    ep_store(&top->state, top->state - EP_SCOPE_LOST);
    return true;
}

/* ---- closed ---- */

/* The entry that contains the time of this one: the entry below, except for an entry of a signal
 * handler that came during the enter of the same site. */
static struct ep_open_scope_cell *around(const struct ep_thread *thread,
                                         const struct ep_open_scope_cell *entry, uint32_t state)
{
    bool is_in_enter = state & EP_SCOPE_NESTED && entry->open_before;
    return ep_stack_entry(thread, is_in_enter ? entry->open_before : entry->below);
}

/* Whether the clock went back inside the entry: then scopes inside it took longer than the entry
 * itself. They must also have taken longer than the time until now, since a signal handler may have
 * come after the timestamp. Calls that represent others, and handlers that came right after the
 * timestamp of an enter, may add up to more than the entry, too; readers allow for that. */
static bool is_torn(const struct ep_thread *thread, const struct ep_open_scope_cell *entry,
                    uint64_t difference)
{
    const struct ep_source *source = ep_process_source();
    if (entry->child_ticks <= difference || thread->was_interrupted ||
        ep_load(&ep_process.has_sampled))
        return false;
    return ep_source_difference(source, entry->start_ticks, ep_source_now(source)) <
           entry->child_ticks;
}

/* Adds the time of an entry that ends now; `state` is the state that it had. */
static void account(struct ep_thread *thread, const struct ep_open_scope_cell *entry,
                    uint32_t state, uint64_t now_ticks)
{
    struct ep_node_cell *node = ep_tree_node(thread, entry->node);
    uint64_t difference = ep_source_difference(ep_process_source(), entry->start_ticks, now_ticks);
    bool is_possible = ep_horizon_is_possible(difference) && !is_torn(thread, entry, difference);
    bool is_nested = state & EP_SCOPE_NESTED, is_sample = state & EP_SCOPE_SAMPLE;
    uint32_t weight = is_sample && is_possible ? ep_light_timed_weight(thread, entry) : 1;
    if (!is_possible)
        difference = entry->child_ticks;
    /* below zero if calls inside represent more time than this; readers allow for that */
    ep_add64(&node->self_ticks, difference * weight - entry->child_ticks);
    ep_add64(&around(thread, entry, state)->child_ticks, difference * weight);
    if (is_nested && is_sample)
        ep_sampling_count_nested(thread, node);
    else if (is_nested)
        ep_statistics_count_nested(&node->stats);
    else if (!is_possible)
        ep_statistics_count_rejected(&node->stats);
    else if (is_sample)
        ep_sampling_count(thread, node, difference, weight);
    else
        ep_statistics_count(&node->stats, difference);
    if (is_sample)
        ep_sampling_next(thread, node, is_nested, true, difference, now_ticks);
}

/* The entry right below: `below`, except for a signal handler's entry during an enter or a leave,
 * which lies above an entry that is not open. */
static ep_ref beneath(const struct ep_thread *thread, const struct ep_open_scope_cell *entry)
{
    ep_ref at = entry->below, ref = ep_stack_ref(thread, entry);
    while (ep_stack_entry(thread, at)->next != ref)
        at = ep_stack_entry(thread, at)->next;
    return at;
}

static void set_open(struct ep_thread *thread, uint32_t site, ep_ref open)
{
    thread->site_slots[site].open = open ? ep_stack_entry(thread, open) : NULL;
}

void ep_stack_close_top(struct ep_thread *thread, uint64_t now_ticks)
{
    struct ep_open_scope_cell *entry = thread->top;
    struct ep_open_scope_cell *below = ep_stack_entry(thread, entry->below);
    uint32_t state = entry->state;
    /* no state: the thread was cancelled during the leave. An untimed call has been counted, and a
     * timed one may have been */
    bool counts =
        state && !(state & EP_SCOPE_VOID) && ep_thread_is_of_now(thread, entry->generation);
    ep_store(&entry->state, 0); /* first: a reader must not add its time so far to later calls */
    ep_store_fence();
    bool has_time = !(state & EP_SCOPE_UNTIMED) || entry->child_ticks;
    if (counts && has_time && ep_hold_is_unlisted(ep_tree_node(thread, entry->node)))
        ep_hold_visit(thread, entry->node, entry->generation);
    if (counts && state & EP_SCOPE_UNTIMED)
        ep_add64(&ep_tree_node(thread, entry->node)->self_ticks, 0 - entry->child_ticks);
    else if (counts)
        account(thread, entry, state, now_ticks);
    else
        ep_add64(&below->child_ticks, entry->child_ticks);
    ep_hold_rebase(thread, entry, counts);
    if (state & EP_SCOPE_TIMED)
        set_open(thread, ep_tree_site(thread, entry->node), entry->open_before);
    entry->open_before = 0;
    entry->below = beneath(thread, entry); /* for the next enter */
    thread->top = below;
    ep_signal_fence();
    thread->cold_top = below; /* after `top`: no handler entered anything between */
    thread->free = ep_stack_ref(thread, entry);
    ep_light_closed(thread, thread->free);
    if (state & EP_SCOPE_SLOW)
        ep_slow_end(thread, ep_hold_level(entry->generation),
                    ep_source_difference(ep_process_source(), entry->start_ticks, now_ticks));
}

void ep_stack_close_above(struct ep_thread *thread, const struct ep_open_scope_cell *entry,
                          uint64_t now_ticks)
{
    while (thread->top != entry) {
        const struct ep_open_scope_cell *top = thread->top;
        bool has_ended = top->state & EP_SCOPE_ENTRY; /* nothing tells the end of such a call */
        if (!has_ended && !(top->state & EP_SCOPE_VOID) &&
            ep_thread_is_of_now(thread, top->generation))
            ep_thread_unended(thread, ep_tree_site(thread, top->node));
        ep_stack_close_top(thread, now_ticks);
    }
}

void ep_stack_doubt(struct ep_thread *thread, uint32_t number)
{
    if (!thread->top || number >= thread->site_capacity || !thread->site_slots[number].open)
        return;
    struct ep_open_scope_cell *entry = thread->top;
    for (; entry->frame != UINT64_MAX; entry = ep_stack_entry(thread, entry->below)) {
        if (ep_tree_site(thread, entry->node) != number)
            continue;
        if (entry->state & EP_SCOPE_UNSURE) /* those around it are, too */
            return;
        /* pairs with snapshot/thread_tree.c */
        ep_store_release(&entry->state, entry->state | EP_SCOPE_UNSURE);
    }
}

/* In the order of ep_scope_leave_top(), for handlers that interrupt this one. The time of scopes
 * that ended inside is charged to the parent. */
static void drop_top(struct ep_thread *thread)
{
    struct ep_open_scope_cell *entry = thread->top;
    struct ep_open_scope_cell *below = ep_stack_entry(thread, entry->below);
    uint32_t state = entry->state;
    if (ep_thread_is_of_now(thread, entry->generation))
        ep_thread_diagnose(thread, EP_DIAGNOSTIC_LOST);
    ep_store(&entry->state, 0);
    ep_store_fence();
    ep_add64(&below->child_ticks, entry->child_ticks);
    ep_signal_fence();
    thread->top = below;
    ep_signal_fence();
    if (state & EP_SCOPE_TIMED)
        set_open(thread, ep_tree_site(thread, entry->node), 0);
    ep_signal_fence();
    thread->free = ep_stack_ref(thread, entry);
}

/* Searches from the top down: a handler's entry comes before the top that the cold path had. */
bool ep_stack_is_of_handler(const struct ep_thread *thread, const struct ep_open_scope_cell *entry)
{
    bool is_above = false;
    const struct ep_open_scope_cell *at = thread->top;
    while (at != thread->cold_top) {
        is_above |= at == entry;
        if (!at->below) /* the lowest; a scope entered by hand may have its frame */
            return false;
        at = ep_stack_entry(thread, at->below);
    }
    return is_above;
}

void ep_stack_drop(struct ep_thread *thread, const struct ep_open_scope_cell *entry)
{
    if (!ep_stack_is_of_handler(thread, entry))
        return;
    const struct ep_open_scope_cell *below = ep_stack_entry(thread, entry->below);
    while (thread->top != below)
        drop_top(thread);
}

/* ---- ended ---- */

void ep_stack_end(struct ep_thread *thread)
{
    if (!thread->cell->frames)
        return;
    struct ep_open_scope_cell *lowest = ep_stack_entry(thread, thread->cell->frames);
    ep_stack_close_above(thread, lowest, ep_source_now(ep_process_source()));
    lowest->child_ticks = 0;
    ep_store(&lowest->state, EP_SCOPE_OPEN | EP_SCOPE_VOID);
    thread->lost_enters = 0;
    /* a thread that is cancelled at any instruction may leave an enter or a leave half done */
    for (EP_EACH(ep_open_scope_cell, entry, thread->cells, &lowest->next)) {
        ep_store(&entry->state, 0);
        entry->open_before = 0;
    }
    for (uint32_t i = 0; i < thread->site_capacity; i++)
        if (thread->site_slots[i].open)
            thread->site_slots[i].open = NULL;
    thread->free = lowest->next;
}

uint32_t ep_stack_open(const union ep_cell *cells, const struct ep_thread_cell *thread)
{
    uint32_t open = 0;
    for (EP_EACH(ep_open_scope_cell, entry, cells, &thread->frames)) {
        uint32_t state = ep_load_acquire(&entry->state); /* pairs with ep_scope_publish() */
        if (!state)
            break;
        /* not the lowest, nor scopes that were entered while recording was off */
        open += (state & (EP_SCOPE_ENTERING | EP_SCOPE_TIMED | EP_SCOPE_NESTED)) != 0;
    }
    return open;
}

/* ---- fork ---- */

/* Open scopes began in the parent: they are void, and stay as parents of scopes inside. */
int ep_stack_rebuild(struct ep_thread *thread)
{
    ep_ref ref = thread->cell->frames;
    if (!ref)
        return 0;
    thread->top = ep_stack_entry(thread, ref);
    thread->free = thread->top->next;
    if (make_room(thread, ep_image_tree(&ep_process.image)->site_count) != 0)
        return -1;
    struct ep_open_scope_cell *entry;
    for (; (ref = thread->top->next) != 0; thread->top = entry) {
        entry = ep_stack_entry(thread, ref);
        if (!(entry->state & EP_SCOPE_OPEN) || ep_stack_entry(thread, entry->below) != thread->top)
            break;
        ep_hold_tree_leave(thread, entry);
        if (entry->state & EP_SCOPE_TIMED)
            thread->site_slots[ep_tree_site(thread, entry->node)].open = entry;
    }
    thread->free = ref;
    for (EP_EACH(ep_open_scope_cell, left, thread->cells, &ref))
        left->state = left->open_before = 0;
    return 0;
}

void ep_stack_forget(union ep_cell *cells, const struct ep_thread_cell *thread)
{
    for (EP_EACH(ep_open_scope_cell, entry, cells, &thread->frames))
        entry->state = ep_cell_ref(cells, entry) == thread->frames ? entry->state : 0;
}

/* ---- found ---- */

/* A manual entry has the frame and the set of tokens of the entry below, but no token of its own.
 */
static bool has_token(const struct ep_open_scope_cell *entry, uint32_t kind, uint32_t token)
{
    return (entry->state & (EP_SCOPE_MANUAL | EP_SCOPE_FUNCTION)) == kind && entry->token == token;
}

/* The token lies in the frame of its function: so its entry is in the first group of entries of one
 * frame whose address is above the token. */
struct ep_open_scope_cell *ep_stack_find(const struct ep_thread *thread, uint64_t token_address)
{
    uint64_t frame = 0;
    for (struct ep_open_scope_cell *entry = thread->top; entry->frame != UINT64_MAX;
         entry = ep_stack_entry(thread, entry->below)) {
        if (frame && entry->frame != frame && entry->frame != EP_STACK_ALTERNATE)
            break;
        if (has_token(entry, 0, (uint32_t)token_address))
            return entry;
        /* entries of another stack and estimated frames cannot be compared */
        if (entry->frame > token_address && !ep_stack_is_estimate(entry->frame))
            frame = entry->frame;
    }
    return NULL;
}

/* On a signal handler's alternate stack, addresses cannot be compared with those of the interrupted
 * stack. */
static bool is_on_alternate_stack(void)
{
    stack_t stack;
    return sigaltstack(NULL, &stack) == 0 && stack.ss_flags & SS_ONSTACK;
}

/* The stack of a signal handler is at least 1,072 bytes below that of the call that it interrupted:
 * the red zone of 128 bytes, 512 of vector registers, 304 of struct ucontext and 128 of siginfo_t.
 * The difference leaves room for frames of this library. The thread sanitizer delays signals, and
 * calls the handler without a signal frame. */
bool ep_stack_is_left(uintptr_t at_work, uintptr_t here)
{
    enum { LEAST_DISTANCE = 960 };
#ifdef __SANITIZE_THREAD__
    return false;
#endif
    return at_work && here + LEAST_DISTANCE >= at_work && !is_on_alternate_stack();
}

static bool is_of_function(const struct ep_thread *thread, const struct ep_open_scope_cell *entry,
                           uint32_t number, const struct ep_stack_scope *scope)
{
    if (!(entry->state & EP_SCOPE_FUNCTION) || entry->return_address != scope->return_address)
        return false;
    uint32_t site = ep_tree_site(thread, entry->node);
    return site == number || site == EP_SITE_OTHER;
}

/* Whether the entry is in the frame of `scope`: an entry of an inlined function, or of a scope. If
 * the addresses of the frames differ, the return addresses must be equal. For an entry of a
 * function, one of the frames must also be an estimate, and recording must not have been switched
 * since, because the entry may belong to another call. */
static bool is_in_frame(const struct ep_thread *thread, const struct ep_open_scope_cell *entry,
                        const struct ep_stack_scope *scope)
{
    if (entry->frame == scope->frame)
        return true;
    if (entry->frame == UINT64_MAX || entry->return_address != scope->return_address)
        return false;
    bool is_estimate = ep_stack_is_estimate(entry->frame) || ep_stack_is_estimate(scope->frame);
    return !(entry->state & EP_SCOPE_FUNCTION) ||
           (is_estimate && entry->generation == ep_thread_generation(thread));
}

/* The entry of the function, from `entry` down, in the frame that is left, exactly or nearly. */
static struct ep_open_scope_cell *find_in_frame(const struct ep_thread *thread,
                                                struct ep_open_scope_cell *entry, uint32_t number,
                                                const struct ep_stack_scope *scope, bool is_exact)
{
    for (; is_exact ? entry->frame == scope->frame : is_in_frame(thread, entry, scope);
         entry = ep_stack_entry(thread, entry->below))
        if (is_of_function(thread, entry, number, scope))
            return entry;
    return NULL;
}

/* The innermost entry of the function, from `entry` down. If its call may not end here, those
 * around it may not either. "(other)" may be any function and is skipped. */
static struct ep_open_scope_cell *find_split(const struct ep_thread *thread,
                                             struct ep_open_scope_cell *entry, uint32_t number,
                                             const struct ep_stack_scope *scope)
{
    bool is_alternate = entry->frame == EP_STACK_ALTERNATE;
    for (; entry->frame != UINT64_MAX && (entry->frame == EP_STACK_ALTERNATE) == is_alternate;
         entry = ep_stack_entry(thread, entry->below))
        if (entry->state & EP_SCOPE_FUNCTION && ep_tree_site(thread, entry->node) == number)
            return ep_stack_may_end_at(thread, entry, scope->frame) ? entry : NULL;
    return NULL;
}

/* Entries below the frame that is left are stale, except the outermost, if that is the function
 * itself and its frame was unknown at the enter. Entries around it may have an even lower estimate,
 * from a hook that ran while arguments of another call lay on the stack. */
struct ep_open_scope_cell *ep_stack_find_function(const struct ep_thread *thread, uint32_t number,
                                                  const struct ep_stack_scope *scope)
{
    struct ep_open_scope_cell *entry = thread->top, *outermost = NULL, *estimated = NULL;
    if (entry->frame == EP_STACK_ALTERNATE && is_on_alternate_stack()) {
        /* no frame is known on another stack: takes the innermost entry */
        for (; entry->frame == EP_STACK_ALTERNATE; entry = ep_stack_entry(thread, entry->below))
            if (is_of_function(thread, entry, number, scope))
                return entry;
        return find_split(thread, thread->top, number, scope);
    }
    for (; entry->frame < scope->frame; entry = ep_stack_entry(thread, entry->below)) {
        outermost = entry;
        if (ep_stack_is_estimate(entry->frame) && is_of_function(thread, entry, number, scope))
            estimated = entry;
    }
    struct ep_open_scope_cell *found = find_in_frame(thread, entry, number, scope, true);
    if (!found && outermost && is_of_function(thread, outermost, number, scope))
        found = outermost;
    if (!found)
        found = estimated;
    if (!found)
        found = find_in_frame(thread, entry, number, scope, false);
    return found ? found : find_split(thread, entry, number, scope);
}

bool ep_stack_is_being_entered(const struct ep_open_scope_cell *entry,
                               const struct ep_stack_scope *scope)
{
    return ep_load(&entry->state) & EP_SCOPE_ENTERING &&
           (scope->frame < entry->frame || is_on_alternate_stack());
}

/* ---- stale ---- */

bool ep_stack_tokens_apart(const struct ep_thread *thread, const struct ep_stack_scope *scope,
                           uint32_t *tokens)
{
    const struct ep_open_scope_cell *top = thread->top, *entry = top;
    for (; entry->frame == scope->frame; entry = ep_stack_entry(thread, entry->below))
        if (entry->return_address != scope->return_address ||
            has_token(entry, scope->state & EP_SCOPE_FUNCTION, scope->token))
            return false;
    *tokens = top->tokens | ep_stack_token_bit(top->token);
    return entry != top && entry->frame > scope->frame;
}

/* The lowest stale entry; NULL: none. */
static const struct ep_open_scope_cell *find_stale(const struct ep_thread *thread,
                                                   const struct ep_stack_scope *scope)
{
    const struct ep_open_scope_cell *stale = NULL;
    for (const struct ep_open_scope_cell *entry = thread->top;;
         entry = ep_stack_entry(thread, entry->below)) {
        if (entry->frame > scope->frame)
            return stale;
        /* the frame of a scope is known. That of its function may be an estimate or, in a function
         * that aligns its stack, a copy of it: lower */
        bool is_function = entry->state & EP_SCOPE_FUNCTION && !(scope->state & EP_SCOPE_FUNCTION);
        bool is_same_frame = entry->return_address == scope->return_address &&
                             (entry->frame == scope->frame || is_function);
        bool is_same_token = !(scope->state & EP_SCOPE_MANUAL) &&
                             has_token(entry, scope->state & EP_SCOPE_FUNCTION, scope->token);
        if (!is_same_frame || is_same_token)
            stale = entry;
    }
}

const struct ep_open_scope_cell *ep_stack_around(const struct ep_thread *thread,
                                                 const struct ep_stack_scope *scope)
{
    const struct ep_open_scope_cell *stale = find_stale(thread, scope);
    return stale && !is_on_alternate_stack() ? ep_stack_entry(thread, stale->below) : thread->top;
}

void ep_stack_resync(struct ep_thread *thread, struct ep_stack_scope *scope)
{
    const struct ep_open_scope_cell *stale = find_stale(thread, scope);
    if (!stale)
        return;
    if (is_on_alternate_stack())
        scope->frame = EP_STACK_ALTERNATE;
    else
        ep_stack_close_above(thread, ep_stack_entry(thread, stale->below),
                             ep_source_now(ep_process_source()));
}
