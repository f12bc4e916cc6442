#include "instance_record.h"

#include <errno.h>

#include "control.h"
#include "eprof.h"
#include "hold.h"

/*
 * The hot path is straight; everything unusual is one call out of line. Stop reads
 * the clock as soon as it knows the pair, and start reads it when all that start
 * has to do is done but one thing: the difference that was pending is put into the
 * histogram after the stamp. There it runs beside the region's first instructions,
 * where it costs least; a region that finds those lines out of the cache reads
 * longer by as much (docs/performance.md).
 *
 * A signal handler may come between any two instructions and record on the same
 * instance: start raises the depth before the stamp, stop lowers it last of all,
 * so that the handler's pairs are nested in this one and touch none of its
 * fields but counters, which are added to in single instructions.
 */

/* ---- start ---- */

/* What an outermost start does when the depth is set. */
static void begin(struct ep_pair_cell *pair, const struct ep_source *source)
{
    ep_statistics_spread_pending(ep_self->cells, &pair->stats, &ep_self->pair_cells);
    ep_store(&pair->start_ticks, ep_source_now(source));
}

EP_COLD static void start_cold(int id)
{
    int saved_errno = errno;
    struct ep_thread *thread = ep_thread_current();
    while (thread && !thread->is_off && ep_load(&eprof_recording) & EP_RECORDING_STARTS) {
        if (!ep_thread_begin_cold())
            break;
        struct ep_pair_cell *pair = ep_pair_visit(id);
        ep_thread_end_cold();
        thread = ep_self; /* it may have grown */
        if (!pair)
            break;
        uint64_t stamp = pair->stamp;
        ep_add32(&pair->depth, 1);
        ep_signal_fence(); /* as in start_at() */
        /* the switch too: the visit may have seen the generation that came with off */
        if (stamp == ep_thread_stamp(thread) && ep_load(&eprof_recording) & EP_RECORDING_STARTS) {
            if (pair->depth == 1)
                begin(pair, ep_process_source());
            break;
        }
        ep_add32(&pair->depth, (uint32_t)-1); /* raised or switched meanwhile: look again */
    }
    errno = saved_errno;
}

/* Not current: another life, another time, or recording was switched. */
EP_COLD static void start_undone(struct ep_pair_cell *pair, int id)
{
    ep_add32(&pair->depth, (uint32_t)-1);
    start_cold(id);
}

/* Inside of another, of another instance, or the first of this thread. */
EP_COLD static void start_inside(struct ep_pair_cell *pair, int id)
{
    if (!pair || pair->handle != (uint32_t)id) {
        start_cold(id);
        return;
    }
    ep_add32(&pair->depth, 1);
    ep_signal_fence();
    if (!ep_pair_is_current(pair, ep_thread_stamp(ep_self), id))
        start_undone(pair, id);
}

/*
 * The depth is raised before the look at the generation: who switches recording
 * off raises the generation, then makes all threads' stores visible (membarrier,
 * in control.c), then looks for open pairs. It sees this depth, or this sees the
 * new generation. Where the pair turns out to be stale, nothing but a depth of
 * this thread's own cell has to be undone.
 */
EP_INLINE void start_at(struct ep_thread *thread, uint32_t slot, int id, bool is_counter)
{
    struct ep_pair_cell *pair = thread->pairs[slot];
    if (EP_UNLIKELY(!pair) || EP_UNLIKELY(pair->state != ep_pair_state(id, 0))) {
        start_inside(pair, id);
        return;
    }
    /* a handler that came between has left the depth as it found it */
    ep_store(&pair->state, ep_pair_state(id, 1));
    ep_signal_fence();
    if (EP_UNLIKELY(pair->stamp != ep_thread_stamp(thread))) {
        start_undone(pair, id);
        return;
    }
    if (!is_counter) {
        begin(pair, ep_process_source());
        return;
    }
    ep_store(&pair->start_ticks, ep_counter_read());
    /* after the stamp, where it runs beside the region's own first instructions:
     * docs/performance.md has what it costs at other places */
    ep_statistics_spread_pending(thread->cells, &pair->stats, &thread->pair_cells);
}

/* Any source but the processor's counter, out of line: the common case needs no
 * registers saved. */
__attribute__((noinline)) static void start_from_call(int id)
{
    ep_process_wait();
    struct ep_thread *thread = ep_self;
    uint32_t slot = ep_pair_slot(id);
    if (EP_LIKELY(slot < thread->called_pairs))
        start_at(thread, slot, id, false);
    else
        start_cold(id);
    ep_process_wait();
}

EP_EXPORT void eprof_instance_start(int id)
{
    struct ep_thread *thread = ep_self;
    uint32_t slot = ep_pair_slot(id);
    if (EP_LIKELY(slot < thread->counter_pairs))
        start_at(thread, slot, id, true);
    else
        start_from_call(id);
}

/* ---- stop ---- */

/* A stop for which nothing is open here: an error, unless its pair began before a
 * reset, or may have begun while recording was off. */
static void stop_unbalanced(struct ep_thread *thread, struct ep_pair_cell *pair)
{
    if (pair->ignored)
        ep_store(&pair->ignored, pair->ignored - 1);
    else if (pair->stats.calls >= pair->pardon_below_calls)
        ep_thread_trouble(thread, EP_TROUBLE_UNBALANCED);
}

/* ep_control_is_possible() takes the lock where it has to look at the clock. */
static bool is_possible(uint64_t difference)
{
    if (EP_LIKELY(difference <= ep_load(&ep_self->control->horizon_ticks)))
        return true;
    if (!ep_thread_begin_cold())
        return false;
    bool is_possible = ep_control_is_possible(difference);
    ep_thread_end_cold();
    return is_possible;
}

static void finish(struct ep_pair_cell *pair, uint64_t now)
{
    struct ep_pair_cell *before;
    while (pair->depth > 1 && (before = ep_hold_pair_of_before(ep_self, pair)) != NULL)
        pair = before;
    if (pair->depth > 1 && ep_hold_pair_was_dropped(ep_self, pair))
        return;
    if (pair->depth > 1) {
        ep_statistics_count_nested(&pair->stats);
    } else {
        uint64_t difference = ep_source_difference(ep_process_source(), pair->start_ticks, now);
        if (is_possible(difference))
            ep_statistics_count(&pair->stats, difference);
        else
            ep_statistics_count_rejected(&pair->stats);
    }
    ep_add32(&pair->depth, (uint32_t)-1);
}

/* The end of a pair that a reset or eprof_init() made nothing: the innermost first. */
static void forget_one(struct ep_pair_cell *pair)
{
    if (pair->depth)
        ep_add32(&pair->depth, (uint32_t)-1);
    else
        ep_store(&pair->ignored, pair->ignored - 1);
}

/* The pair of a handle that eprof_init() made stale while the pair was open: its
 * end is no error. Its slot may have another instance by now. */
static bool is_end_of_released(struct ep_thread *thread, int id)
{
    struct ep_pair_cell *pair = ep_thread_pair(thread, ep_pair_slot(id));
    if (!pair)
        return false;
    if (pair->former_open && pair->former_handle == (uint32_t)id) {
        ep_store(&pair->former_open, pair->former_open - 1);
        return true;
    }
    if (pair->handle != (uint32_t)id || !(pair->depth + pair->ignored) ||
        (pair->stamp & EP_STAMP_GENERATION) >= ep_load(&thread->control->init_generation))
        return false;
    forget_one(pair);
    return true;
}

/* Recording is off for this thread: only what is open is finished. No visit, so
 * that while draining each stop that may be the last comes here. */
static void stop_while_off(struct ep_thread *thread, int id, uint64_t now)
{
    struct ep_pair_cell *pair = ep_thread_pair(thread, ep_pair_slot(id));
    if (!is_end_of_released(thread, id)) {
        if (!pair || pair->handle != (uint32_t)id || !(pair->depth + pair->ignored))
            return;
        if (pair->depth &&
            (pair->stamp & EP_STAMP_GENERATION) >= ep_load(&thread->control->reset_generation))
            finish(pair, now);
        else
            forget_one(pair);
    }
    if (pair->depth + pair->ignored + pair->former_open == 0 &&
        ep_load(&eprof_recording) == EP_RECORDING_STOPS && ep_thread_begin_cold()) {
        ep_process_mutex_lock();
        ep_control_drain();
        ep_process_mutex_unlock();
        ep_thread_end_cold();
    }
}

/* A signal handler in the midst of a cold path, whose start needed none either: of an instance that
 * the interrupted code is in (start_inside), or of one for whose length the clock would have to be
 * looked at. Holds, which may be half ended, are left alone. */
static bool stop_in_handler(struct ep_thread *thread, int id, uint64_t now)
{
    struct ep_pair_cell *pair = ep_thread_pair(thread, ep_pair_slot(id));
    if (!thread->busy || !pair || !pair->depth ||
        !ep_pair_is_current(pair, ep_thread_stamp(thread), id))
        return false;
    if (pair->depth == 1) {
        finish(pair, now);
    } else {
        ep_statistics_count_nested(&pair->stats);
        ep_add32(&pair->depth, (uint32_t)-1);
    }
    return true;
}

EP_COLD static void stop_cold(int id, uint64_t now)
{
    int saved_errno = errno;
    struct ep_thread *thread = ep_thread_current();
    if (!thread || stop_in_handler(thread, id, now)) {
    } else if (thread->is_off || !(ep_load(&eprof_recording) & EP_RECORDING_STARTS)) {
        stop_while_off(thread, id, now);
    } else if (!is_end_of_released(thread, id) && ep_thread_begin_cold()) {
        struct ep_pair_cell *pair = ep_pair_visit(id);
        ep_thread_end_cold();
        if (pair && pair->depth)
            finish(pair, now);
        else if (pair)
            stop_unbalanced(ep_self, pair);
    }
    errno = saved_errno;
}

EP_INLINE void stop_at(const struct ep_thread *thread, struct ep_pair_cell *pair, int id,
                       uint64_t now, uint64_t mask)
{
    if (EP_UNLIKELY(!pair)) {
        stop_cold(id, now);
        return;
    }
    uint64_t difference = (now - pair->start_ticks) & mask;
    if (EP_UNLIKELY(pair->state != ep_pair_state(id, 1)) ||
        EP_UNLIKELY(pair->stamp != ep_thread_stamp(thread)) ||
        EP_UNLIKELY(difference > ep_load(&thread->control->horizon_ticks))) {
        stop_cold(id, now);
        return;
    }
    ep_statistics_count(&pair->stats, difference);
    ep_store_release(&pair->state, ep_pair_state(id, 0)); /* last: for handlers of this thread */
}

__attribute__((noinline)) static void stop_from_call(int id)
{
    struct ep_thread *thread = ep_self;
    uint32_t slot = ep_pair_slot(id);
    const struct ep_source *source = ep_process_source();
    uint64_t now = source ? ep_source_now(source) : 0;
    if (EP_LIKELY(slot < thread->called_pairs))
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): who has pairs has a source */
        stop_at(thread, thread->pairs[slot], id, now, source->mask);
    else
        stop_cold(id, now);
    ep_process_wait();
}

EP_EXPORT void eprof_instance_stop(int id)
{
    struct ep_thread *thread = ep_self;
    uint32_t slot = ep_pair_slot(id);
    if (EP_UNLIKELY(slot >= thread->counter_pairs)) {
        stop_from_call(id);
        return;
    }
    /* before the clock is read, which does not wait for it, but what follows does:
     * 1.53 to 1.51 of a raw pair */
    struct ep_pair_cell *pair = thread->pairs[slot];
    __asm__ volatile("" : "+r"(pair));
    stop_at(thread, pair, id, ep_counter_read(), UINT64_MAX);
}

/* ---- spans ---- */

/* A span belongs to the time in which it began: before a reset, or while
 * recording was off, it is nothing. What began before the process did is not of a
 * time: it is too long. The ticks of a source that is another on each thread, or
 * that wraps, tell nothing; then it belongs to the present. */
static bool began_in_vain(uint64_t start_ticks)
{
    const struct ep_source *source = ep_process_source();
    const struct ep_thread *thread = ep_self;
    uint64_t half = source->mask >> 1;
    if (source->per_thread || source->mask != UINT64_MAX)
        return thread->is_off || ep_load(&eprof_recording) != EP_RECORDING_ALL;
    if (ep_source_difference(source, ep_load(&ep_process.origin_ticks), start_ticks) > half)
        return false;
    return ep_source_difference(source, ep_load(&thread->control->reset_ticks), start_ticks) >
               half ||
           !ep_switches_was_on(&thread->switches, source, start_ticks) ||
           !ep_control_was_on(start_ticks);
}

/* A span may come in a signal handler at any instruction of a start or a stop of
 * the same instance, so it leaves what is pending alone. */
static void count_span(struct ep_pair_cell *pair, uint64_t difference)
{
    ep_statistics_add_time(&pair->stats, difference);
    if (!ep_statistics_spread_hot(ep_self->cells, &pair->stats, ep_histogram_bucket(difference),
                                  difference))
        ep_statistics_spread(&pair->stats, &ep_self->pair_cells, difference);
    ep_add64_release(&pair->stats.calls, 1);
}

EP_COLD static void span_cold(int id, uint64_t start_ticks, uint64_t stop_ticks)
{
    int saved_errno = errno;
    struct ep_thread *thread = ep_thread_current();
    struct ep_pair_cell *pair = NULL;
    bool can_be = false;
    uint64_t difference = 0;
    if (thread) {
        difference = ep_source_difference(ep_process_source(), start_ticks, stop_ticks);
        can_be = is_possible(difference);
    }
    if (thread && ep_thread_begin_cold()) {
        if (!began_in_vain(start_ticks))
            pair = ep_pair_visit(id);
        /* a reset may have come between; one that comes now makes the stamp stale */
        if (pair && began_in_vain(start_ticks))
            pair = NULL;
        ep_thread_end_cold();
    }
    if (pair)
        pair = ep_hold_pair_at(ep_self, pair, start_ticks);
    if (pair && can_be)
        count_span(pair, difference);
    else if (pair)
        ep_statistics_count_rejected(&pair->stats);
    errno = saved_errno;
}

/* Whether a span may be counted without a further look: it began since the last
 * reset, and since recording and this thread were last switched on. */
static bool is_plain(const struct ep_thread *thread, const struct ep_source *source,
                     uint64_t start_ticks, uint64_t stop_ticks)
{
    const struct ep_control_cell *control = thread->control;
    uint64_t half = source->mask >> 1;
    return ep_source_difference(source, ep_load(&control->reset_ticks), start_ticks) <= half &&
           ep_source_difference(source, ep_load(&control->on_ticks), start_ticks) <= half &&
           ep_source_difference(source, start_ticks, stop_ticks) <=
               ep_load(&control->horizon_ticks) &&
           ep_switches_are_before(&thread->switches, source, start_ticks) &&
           ep_load(&eprof_recording) == EP_RECORDING_ALL && !thread->level;
}

void ep_instance_span(int id, uint64_t start_ticks, uint64_t stop_ticks)
{
    struct ep_thread *thread = ep_self;
    uint32_t slot = ep_pair_slot(id);
    const struct ep_source *source = ep_process_source();
    if (EP_LIKELY(slot < thread->counter_pairs + thread->called_pairs)) {
        struct ep_pair_cell *pair = thread->pairs[slot];
        if (EP_LIKELY(pair && ep_pair_is_current(pair, ep_thread_stamp(thread), id) &&
                      is_plain(thread, source, start_ticks, stop_ticks))) {
            count_span(pair, ep_source_difference(source, start_ticks, stop_ticks));
            return;
        }
    }
    span_cold(id, start_ticks, stop_ticks);
}
