#include "record/slow.h"

#include "record/blocks.h"
#include "record/held.h"
#include "record/process_lock.h"
#include "record/rate.h"
#include "record/sampling.h"
#include "record/stack.h"
#include "record/statistics.h"
#include "record/tree.h"

/* ---- begin ---- */

bool ep_slow_begin(struct ep_thread *thread, uint64_t least_ns)
{
    if (!ep_thread_begin_cold())
        return false;
    bool has_begun = ep_hold_begin_or_count(thread);
    if (has_begun)
        ep_hold_at(thread, thread->level)->least_ns = least_ns;
    else if (thread->further_holds)
        thread->further_holds--;
    ep_thread_end_cold();
    return has_begun;
}

/* The hold begins when its scope starts, which saves a read of the clock. */
bool ep_slow_begin_briefly(struct ep_thread *thread, uint64_t least_ns)
{
    if (!thread->holds || !ep_hold_has_level(thread))
        return false;
    ep_thread_mark_busy(thread, EP_THREAD_IS_BRIEF);
    ep_hold_begin_level(thread);
    struct ep_hold *hold = ep_hold_at(thread, thread->level);
    hold->least_ns = least_ns;
    hold->source = ep_process_source();
    ep_thread_unmark_busy(thread);
    return true;
}

/* ---- what decides ---- */

/* Does not wait for a better scale, since the program would wait too. Only a source of the
 * program's own without a rate takes 6 ms, once. */
static struct ep_scale scale_now(void)
{
    ep_process_mutex_lock();
    struct ep_scale scale = ep_rate_scale_at_once();
    ep_process_mutex_unlock();
    return scale;
}

static uint64_t margin_of(uint64_t least_ns)
{
    return least_ns / 8 + 1;
}

bool ep_slow_lasts(struct ep_thread *thread, uint64_t ticks, uint64_t least_ns)
{
    const struct ep_source *source = ep_process_source();
    if (thread->scale_source == source) {
        uint64_t ns = ep_wide_scale_ns(thread->scale, ticks), margin_ns = margin_of(least_ns);
        if (ns + margin_ns < least_ns || ns > least_ns + margin_ns)
            return ns >= least_ns;
    }
    thread->scale = scale_now();
    thread->scale_source = source;
    return ep_wide_scale_ns(thread->scale, ticks) >= least_ns;
}

/* Two divisions, so the result is stored for the next hold of the level. */
EP_COLD static void find_limits(const struct ep_thread *thread, struct ep_hold *hold)
{
    uint64_t least_ns = hold->least_ns, margin_ns = margin_of(least_ns);
    uint64_t short_ns = least_ns > margin_ns ? least_ns - margin_ns : 0;
    uint64_t long_ns = ep_saturating_add(least_ns, margin_ns);
    struct ep_scale scale = thread->scale;
    hold->limits = (struct ep_hold_limits){
        .least_ns = least_ns,
        .source = thread->scale_source,
        .short_ticks = ep_wide_divide(ep_wide_multiply(short_ns, scale.ticks), scale.ns),
        .long_ticks = least_ns
                          ? ep_saturating_add(
                                ep_wide_divide(ep_wide_multiply(long_ns, scale.ticks), scale.ns), 2)
                          : 0};
}

/* What a time means for its hold. */
enum verdict { DROP, KEEP, UNSURE };

static enum verdict judge(const struct ep_thread *thread, struct ep_hold *hold, uint64_t ticks)
{
    if (EP_UNLIKELY(thread->scale_source != ep_process_source()))
        return UNSURE;
    if (EP_UNLIKELY(hold->limits.least_ns != hold->least_ns) ||
        EP_UNLIKELY(hold->limits.source != thread->scale_source))
        find_limits(thread, hold);
    return ticks < hold->limits.short_ticks   ? DROP
           : ticks >= hold->limits.long_ticks ? KEEP
                                              : UNSURE;
}

/* ---- the brief end ---- */

/* As ep_stack_close_top(), but its time is not added yet. */
static void pop(struct ep_thread *thread, struct ep_open_scope_cell *entry)
{
    struct ep_open_scope_cell *below = ep_stack_entry(thread, entry->below);
    ep_store(&entry->state, 0); /* first: a reader must not add its time so far to later calls */
    ep_signal_fence();
    thread->top = below;
    ep_signal_fence();
    thread->cold_top = below; /* after `top`: no handler entered anything between */
    thread->site_slots[ep_tree_node(thread, entry->node)->site].open = NULL;
    ep_signal_fence();
    thread->free = ep_stack_ref(thread, entry);
}

/* Whether nothing happened in the hold but calls that were only counted. */
static bool is_simple(const struct ep_thread *thread, const struct ep_hold *hold,
                      const struct ep_open_scope_cell *entry)
{
    uint64_t number = ep_thread_generation_number(thread);
    return !hold->touched && !hold->pair_count && !thread->further_holds &&
           hold->entry == ep_stack_entry(thread, entry->below) && thread->free == entry->next &&
           (!thread->held || thread->held->generation == number);
}

/* The node that gets the time of the scope, if that and those that get the counts need nothing any
 * more; else NULL. In a hold around this one they are scratch nodes, which must be listed. */
static struct ep_node_cell *find_base(const struct ep_thread *thread,
                                      const struct ep_open_scope_cell *entry,
                                      uint64_t difference_ticks)
{
    uint64_t generation = entry->generation - EP_OWNER_TAG_LEVEL;
    const struct ep_node_cell *scratch = ep_tree_node(thread, entry->node);
    struct ep_node_cell *base = ep_tree_node(thread, scratch->base);
    bool is_ready = thread->level == 1 && scratch->base && base->site == scratch->site &&
                    base->generation == generation &&
                    ep_statistics_has_room(&base->stats, difference_ticks) &&
                    !ep_load(&ep_process.is_being_read) &&
                    (!thread->held || ep_held_has_targets(thread->held, 1, generation));
    return is_ready ? base : NULL;
}

/* In the order of keep_all() in record/hold.c. The scope is not open any more. */
static void keep_all(struct ep_thread *thread, struct ep_node_cell *base, uint64_t difference_ticks,
                     uint64_t child_ticks)
{
    ep_store_release(&thread->cell->keeps, thread->cell->keeps + 1);
    ep_store_fence();
    ep_add64(&thread->top->child_ticks, difference_ticks);
    ep_add64(&base->self_ticks, difference_ticks - child_ticks);
    ep_sampling_count(thread, base, difference_ticks, 1);
    if (thread->held)
        ep_held_add(thread->held, 1);
    ep_store_release(&thread->cell->keeps, thread->cell->keeps + 1);
}

static bool end_briefly(struct ep_thread *thread, uint64_t difference_ticks)
{
    struct ep_open_scope_cell *entry = thread->top;
    struct ep_hold *hold = ep_hold_at(thread, thread->level);
    enum verdict verdict =
        is_simple(thread, hold, entry) ? judge(thread, hold, difference_ticks) : UNSURE;
    struct ep_node_cell *base = verdict == KEEP ? find_base(thread, entry, difference_ticks) : NULL;
    if (verdict == UNSURE || (verdict == KEEP && !base))
        return false;
    /* a signal handler may use its cell once it is not open any more */
    uint64_t child_ticks = entry->child_ticks;
    uint32_t level = thread->level;
    pop(thread, entry);
    ep_hold_leave_level(thread);
    if (base)
        keep_all(thread, base, difference_ticks, child_ticks);
    else if (thread->held)
        ep_held_discard(thread->held, level);
    ep_hold_count_end(thread, hold, verdict == KEEP);
    return true;
}

bool ep_slow_leave(struct ep_thread *thread, uint64_t now_ticks)
{
    const struct ep_open_scope_cell *entry = thread->top;
    uint64_t difference_ticks =
        ep_source_difference(ep_process_source(), entry->start_ticks, now_ticks);
    if (entry->state != EP_SLOW_BRIEF || entry->generation != ep_thread_generation(thread) ||
        thread->busy || difference_ticks > ep_load(&thread->control->horizon_ticks) ||
        ep_cpu_is_on() || ep_load(&eprof_recording) != (EP_RECORDING_ALL | EP_RECORDING_INLINE))
        return false;
    ep_thread_mark_busy(thread, EP_THREAD_IS_BRIEF);
    bool is_left = end_briefly(thread, difference_ticks);
    if (is_left)
        ep_blocks_pay_hold(thread, now_ticks);
    ep_thread_unmark_busy(thread);
    return is_left;
}

/* ---- the end in the general case ---- */

void ep_slow_end(struct ep_thread *thread, uint32_t level, uint64_t difference_ticks)
{
    bool is_held = level <= thread->level; /* no keep of the program has ended it */
    thread->further_holds = is_held ? 0 : thread->further_holds;
    while (thread->level > level)
        ep_hold_end_level(thread, false);
    if (!is_held)
        return;
    ep_hold_end_level(thread,
                      ep_slow_lasts(thread, difference_ticks, ep_hold_at(thread, level)->least_ns));
}
