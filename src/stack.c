#include "stack.h"

#include <string.h>

#include "control.h"
#include "hold.h"
#include "platform.h"
#include "statistics.h"
#include "tree.h"

/* A page at first, and twice as much each time. */
enum { SITES_AT_FIRST = 256 };

/* ---- made ---- */

/* An old table stays: the hot path that this interrupted, if it is in a signal handler, may
 * hold it; in the midst of an enter or a leave, when that would write into it, a handler
 * makes none. */
static int make_room(struct ep_thread *thread, uint32_t number)
{
    uint32_t capacity = thread->site_capacity ? thread->site_capacity : SITES_AT_FIRST;
    while (capacity <= number)
        capacity *= 2;
    if (capacity == thread->site_capacity)
        return 0;
    struct ep_place *larger =
        ep_stack_is_settled(thread) ? ep_platform_allocate_wiped(capacity * sizeof *larger) : NULL;
    if (!larger) {
        ep_thread_trouble(thread, EP_TROUBLE_OUT_OF_CELLS);
        return -1;
    }
    if (thread->site_capacity)
        memcpy(larger, thread->places, thread->site_capacity * sizeof *larger);
    thread->places = larger;
    thread->site_capacity = capacity;
    ep_thread_open_tables(thread);
    return 0;
}

/* Not of the cells that the limit of call trees bounds: what bounds these is the depth of the
 * program. */
static ep_ref take_entry(struct ep_thread *thread)
{
    return ep_thread_take(thread, &thread->pair_cells, 1);
}

static int make_lowest(struct ep_thread *thread)
{
    ep_ref ref = take_entry(thread);
    if (!ref)
        return -1;
    struct ep_frame_cell *lowest = ep_stack_entry(thread, ref);
    lowest->frame = UINT64_MAX; /* nothing is above it */
    lowest->node = thread->root;
    ep_store(&lowest->state, EP_FRAME_OPEN | EP_FRAME_VOID);
    thread->top = lowest;
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

/* The highest there is, above which nothing was made. */
static struct ep_frame_cell *highest(const struct ep_thread *thread)
{
    struct ep_frame_cell *entry = thread->top;
    while (entry->next)
        entry = ep_stack_entry(thread, entry->next);
    return entry;
}

ep_ref ep_stack_next(struct ep_thread *thread)
{
    if (thread->free)
        return thread->free;
    struct ep_frame_cell *beneath = highest(thread);
    ep_ref ref = take_entry(thread);
    if (!ref)
        return 0;
    ep_stack_entry(thread, ref)->below = ep_stack_ref(thread, beneath);
    ep_store_release(&beneath->next, ref); /* pairs with the readers' acquire */
    thread->free = ref;
    return ref;
}

/* ---- closed ---- */

/* How many calls one stands for. */
static uint32_t weight_of(const struct ep_statistics *stats, uint32_t state, uint64_t difference)
{
    bool is_sample = state & EP_FRAME_SAMPLE && !ep_statistics_is_outlier(stats, difference);
    return is_sample ? EP_SAMPLE_WEIGHT : 1;
}

/* To what is around it. That may be another call of the same function, in the same sample: it
 * stands for as many itself. */
static void hand_on(struct ep_frame_cell *below, const struct ep_frame_cell *entry,
                    uint64_t difference, uint32_t weight)
{
    bool is_same_sample = below->state & EP_FRAME_SAMPLE && below->node == entry->node;
    ep_add64(&below->child_ticks, is_same_sample ? difference : difference * weight);
}

/* The entry whose time it is in: the one below, but of a signal handler's in the midst of the enter
 * of its own site. */
static struct ep_frame_cell *around(const struct ep_thread *thread,
                                    const struct ep_frame_cell *entry, uint32_t state)
{
    bool is_in_enter = state & EP_FRAME_NESTED && entry->open_before;
    return ep_stack_entry(thread, is_in_enter ? entry->open_before : entry->below);
}

/* A call whose time counts: once, or, of a throttled function, as many times as it stands for. */
static void count_timed(struct ep_thread *thread, struct ep_node_cell *node, uint64_t difference,
                        uint32_t weight)
{
    if (weight == 1) {
        ep_statistics_count(&node->stats, difference);
        return;
    }
    ep_statistics_count_sample(&node->stats, &thread->tree_cells, difference, weight);
    if (!node->level && node->samples != UINT32_MAX)
        ep_store(&node->samples, node->samples + 1);
}

/* Of a throttled function: what ended inside it is not handed on, its samples stand for that. */
static void account_untimed(struct ep_node_cell *node, uint32_t state)
{
    if (state & EP_FRAME_NESTED)
        ep_add64(&node->stats.nested, 1);
    ep_add64_release(&node->stats.calls, 1); /* pairs with the acquires in snapshot_figures.c */
}

/*
 * Whether the clock went back inside: what ended there took longer than all of this, and than has
 * passed by now, since a signal handler may have come behind the stamp. Samples of throttled
 * functions, and handlers that came right behind the stamp of an enter, may be more than there
 * was; a reader sees to that.
 */
static bool is_torn(const struct ep_thread *thread, const struct ep_frame_cell *entry,
                    uint64_t difference)
{
    const struct ep_source *source = ep_process_source();
    if (entry->child_ticks <= difference || thread->was_interrupted ||
        ep_load(&ep_process.has_throttled))
        return false;
    return ep_source_difference(source, entry->start_ticks, ep_source_now(source)) <
           entry->child_ticks;
}

/* What an entry that ends now was: `state` is what it had been. */
static void account(struct ep_thread *thread, const struct ep_frame_cell *entry, uint32_t state,
                    uint64_t now_ticks)
{
    struct ep_node_cell *node = ep_tree_node(thread, entry->node);
    uint64_t difference = ep_source_difference(ep_process_source(), entry->start_ticks, now_ticks);
    bool is_possible = ep_control_is_possible(difference) && !is_torn(thread, entry, difference);
    uint32_t weight = weight_of(&node->stats, state, difference);
    if (!is_possible)
        difference = entry->child_ticks;
    /* below zero where what samples inside have handed on is more than this: a reader sees to it */
    if (is_possible)
        ep_add64(&node->self_ticks, (difference - entry->child_ticks) * weight);
    hand_on(around(thread, entry, state), entry, difference, weight);
    if (state & EP_FRAME_NESTED)
        ep_statistics_count_nested(&node->stats);
    else if (is_possible)
        count_timed(thread, node, difference, weight);
    else
        ep_statistics_count_rejected(&node->stats);
}

/* The entry right beneath: `below`, but of a handler's, in the midst of an enter or a leave,
 * which is above one that is not open. */
static ep_ref beneath(const struct ep_thread *thread, const struct ep_frame_cell *entry)
{
    ep_ref at = entry->below, ref = ep_stack_ref(thread, entry);
    while (ep_stack_entry(thread, at)->next != ref)
        at = ep_stack_entry(thread, at)->next;
    return at;
}

static void set_open(struct ep_thread *thread, uint32_t site, ep_ref open)
{
    thread->places[site].open = open ? ep_stack_entry(thread, open) : NULL;
}

void ep_stack_close_top(struct ep_thread *thread, uint64_t now_ticks)
{
    struct ep_frame_cell *entry = thread->top;
    struct ep_frame_cell *below = ep_stack_entry(thread, entry->below);
    uint32_t state = entry->state;
    bool counts = !(state & EP_FRAME_VOID) && ep_thread_is_of_now(thread, entry->stamp);
    ep_store(&entry->state, 0); /* first: a reader must not add its time so far to what follows */
    ep_store_fence();
    if (counts && state & EP_FRAME_UNTIMED)
        account_untimed(ep_tree_node(thread, entry->node), state);
    else if (counts)
        account(thread, entry, state, now_ticks);
    else
        ep_add64(&below->child_ticks, entry->child_ticks);
    ep_hold_rebase(thread, entry, counts);
    if (state & EP_FRAME_TIMED)
        set_open(thread, ep_tree_site(thread, entry->node), entry->open_before);
    entry->open_before = 0;
    entry->below = beneath(thread, entry); /* where it stands for the next enter */
    thread->top = below;
    ep_signal_fence();
    thread->cold_top = below; /* behind it: what is between was never a handler's */
    thread->free = ep_stack_ref(thread, entry);
    if (state & EP_FRAME_SLOW)
        ep_hold_end_slow(thread, ep_hold_level(entry->stamp),
                         ep_source_difference(ep_process_source(), entry->start_ticks, now_ticks));
}

void ep_stack_close_above(struct ep_thread *thread, const struct ep_frame_cell *entry,
                          uint64_t now_ticks)
{
    while (thread->top != entry) {
        const struct ep_frame_cell *top = thread->top;
        if (!(top->state & EP_FRAME_VOID) && ep_thread_is_of_now(thread, top->stamp))
            ep_thread_trouble(thread, EP_TROUBLE_FORCED_CLOSES);
        ep_stack_close_top(thread, now_ticks);
    }
}

/* As ep_scope_leave_top() does it, so that a handler of the handler finds what it finds there. What
 * has ended inside it is handed on. */
static void drop_top(struct ep_thread *thread)
{
    struct ep_frame_cell *entry = thread->top;
    struct ep_frame_cell *below = ep_stack_entry(thread, entry->below);
    uint32_t state = entry->state;
    if (ep_thread_is_of_now(thread, entry->stamp))
        ep_thread_trouble(thread, EP_TROUBLE_LOST);
    ep_store(&entry->state, 0);
    ep_store_fence();
    ep_add64(&below->child_ticks, entry->child_ticks);
    ep_signal_fence();
    thread->top = below;
    ep_signal_fence();
    if (state & EP_FRAME_TIMED)
        set_open(thread, ep_tree_site(thread, entry->node), 0);
    ep_signal_fence();
    thread->free = ep_stack_ref(thread, entry);
}

/* Whether an entry was made since the cold path began: it, and then that path's top, are below the
 * top. */
static bool is_of_handler(const struct ep_thread *thread, const struct ep_frame_cell *entry)
{
    bool is_above = false;
    const struct ep_frame_cell *at = thread->top;
    while (at != thread->cold_top) {
        is_above |= at == entry;
        if (at->frame == UINT64_MAX) /* the lowest */
            return false;
        at = ep_stack_entry(thread, at->below);
    }
    return is_above;
}

void ep_stack_drop(struct ep_thread *thread, const struct ep_frame_cell *entry)
{
    if (!is_of_handler(thread, entry))
        return;
    const struct ep_frame_cell *below = ep_stack_entry(thread, entry->below);
    while (thread->top != below)
        drop_top(thread);
}

/* ---- ends ---- */

/* A thread that is cancelled at any instruction leaves what it was in the midst of. */
static void forget_undone(struct ep_thread *thread, const struct ep_frame_cell *lowest)
{
    for (ep_ref ref = lowest->next; ref; ref = ep_stack_entry(thread, ref)->next) {
        ep_store(&ep_stack_entry(thread, ref)->state, 0);
        ep_stack_entry(thread, ref)->open_before = 0;
    }
    for (uint32_t i = 0; i < thread->site_capacity; i++)
        if (thread->places[i].open)
            thread->places[i].open = NULL;
    thread->free = lowest->next;
}

void ep_stack_end(struct ep_thread *thread)
{
    if (!thread->cell->frames)
        return;
    struct ep_frame_cell *lowest = ep_stack_entry(thread, thread->cell->frames);
    ep_stack_close_above(thread, lowest, ep_source_now(ep_process_source()));
    lowest->child_ticks = 0;
    thread->skipped = 0;
    forget_undone(thread, lowest);
}

uint32_t ep_stack_open(const union ep_cell *cells, const struct ep_thread_cell *thread)
{
    uint32_t open = 0;
    const struct ep_frame_cell *entry;
    for (ep_ref ref = ep_load_acquire(&thread->frames); ref; ref = ep_load_acquire(&entry->next)) {
        entry = &cells[ref].frame;
        uint32_t state = ep_load_acquire(&entry->state);
        if (!state)
            break;
        /* not the lowest, nor what was entered while recording was off */
        open += (state & (EP_FRAME_CLAIMED | EP_FRAME_TIMED | EP_FRAME_NESTED)) != 0;
    }
    return open;
}

/* ---- fork ---- */

/* What is open now began in the parent: it is nothing, and stays as the parent of what is
 * entered inside. */
int ep_stack_rebuild(struct ep_thread *thread)
{
    ep_ref ref = thread->cell->frames;
    if (!ref)
        return 0;
    thread->top = ep_stack_entry(thread, ref);
    thread->free = thread->top->next;
    if (make_room(thread, ep_image_tree(&ep_process.image)->site_count) != 0)
        return -1;
    struct ep_frame_cell *entry;
    for (; (ref = thread->top->next) != 0; thread->top = entry) {
        entry = ep_stack_entry(thread, ref);
        if (!(entry->state & EP_FRAME_OPEN) || ep_stack_entry(thread, entry->below) != thread->top)
            break;
        ep_hold_tree_leave(thread, entry);
        if (entry->state & EP_FRAME_TIMED)
            thread->places[ep_tree_site(thread, entry->node)].open = entry;
    }
    thread->free = ref;
    for (; ref; ref = entry->next) {
        entry = ep_stack_entry(thread, ref);
        entry->state = 0;
        entry->open_before = 0;
    }
    return 0;
}

void ep_stack_forget(union ep_cell *cells, const struct ep_thread_cell *thread)
{
    if (!thread->frames)
        return;
    for (ep_ref ref = cells[thread->frames].frame.next; ref; ref = cells[ref].frame.next)
        cells[ref].frame.state = 0;
}
