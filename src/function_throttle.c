#include "function_throttle.h"

#include <errno.h>

#include "function.h"
#include "scope_hot.h"

/* A tenth of the time: what is timed shall take ten times what timing takes. */
enum { LEAST_TIMES = 10, READS = 16 };

/* ---- which calls are timed ---- */

/* Xorshift (Marsaglia: Xorshift RNGs, Journal of Statistical Software 8, 2003), one for each
 * thread. */
static uint32_t draw(struct ep_thread *thread)
{
    uint32_t x = thread->random ? thread->random : (uint32_t)ep_counter_read() | 1;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return thread->random = x;
}

uint32_t ep_throttle_choose(struct ep_thread *thread, uint32_t number)
{
    const struct ep_frame_cell *outer = thread->places[number].open;
    if (outer)
        return outer->state & (EP_FRAME_SAMPLE | EP_FRAME_UNTIMED);
    return draw(thread) % EP_SAMPLE_WEIGHT ? EP_FRAME_UNTIMED : EP_FRAME_SAMPLE;
}

/* What ended inside it is not handed on: the samples of its site stand for that too. */
bool ep_throttle_leave_untimed(struct ep_thread *thread)
{
    struct ep_frame_cell *entry = thread->top;
    uint32_t state = entry->state;
    uint32_t usual = EP_FRAME_FUNCTION | EP_FRAME_OPEN | EP_FRAME_UNTIMED;
    if (entry->stamp != ep_thread_stamp(thread) ||
        (state & ~(uint32_t)(EP_FRAME_TIMED | EP_FRAME_NESTED)) != usual)
        return false;
    struct ep_node_cell *node = ep_tree_node(thread, entry->node);
    struct ep_frame_cell *below = ep_stack_entry(thread, entry->below);
    ep_store(&entry->state, 0);
    if (state & EP_FRAME_NESTED)
        ep_add64(&node->stats.nested, 1);
    ep_add64_release(&node->stats.calls, 1); /* pairs with the acquires in snapshot_figures.c */
    ep_scope_pop(thread, below, state & EP_FRAME_TIMED ? &thread->places[node->site] : NULL);
    return true;
}

/* ---- which functions are throttled ---- */

/* What two readings of the clock take, at the least. */
static uint64_t pair_ticks(void)
{
    const struct ep_source *source = ep_process_source();
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < READS; i++) {
        uint64_t begin = ep_source_now(source);
        uint64_t one = ep_source_difference(source, begin, ep_source_now(source));
        if (one < least)
            least = one;
    }
    return 2 * least;
}

/* And evenly so: where one call is as much as a 64th of all, drawing it would decide. */
static bool is_brief(const struct ep_statistics *stats)
{
    uint64_t timed = stats->calls - stats->nested - stats->errors;
    return timed && stats->total_ticks / timed < LEAST_TIMES * pair_ticks() &&
           stats->max_ticks <= stats->total_ticks / EP_SAMPLE_WEIGHT;
}

void ep_throttle_consider(struct ep_thread *thread, uintptr_t function,
                          const struct ep_node_cell *node)
{
    int saved_errno = errno;
    uint64_t calls = ep_load(&ep_process.throttle_calls);
    if (calls && node->stats.calls >= calls && !thread->level && is_brief(&node->stats) &&
        ep_thread_begin_cold()) {
        ep_function_throttle(function, true);
        ep_thread_end_cold();
    }
    errno = saved_errno;
}

void ep_throttle_sampled(uintptr_t function, bool is_outlier)
{
    if (ep_function_note_sample(function, is_outlier) && ep_thread_begin_cold()) {
        ep_function_throttle(function, false);
        ep_thread_end_cold();
    }
}
