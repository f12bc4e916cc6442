/*
 * instrument/instance.c - start, stop and spans: how a timestamp becomes a figure
 *
 * Alloc and free are in instance_set.c; the cells are in record/instance_cells.h.
 */
#include "eprof.h"
#include "record/control.h"
#include "record/hold.h"
#include "record/horizon.h"
#include "record/instance_cells.h"
#include "record/process_life.h"

/*
 * The hot path is straight, and everything unusual is one call out of line. Stop reads the clock as
 * soon as it knows the cells. Start adds the pending difference to the histogram after the
 * timestamp: there it runs beside the region's first instructions, where it costs least; a region
 * that finds those lines out of the cache reads longer by as much (docs/internals/performance.md).
 *
 * A signal handler may come between any two instructions and record the same instance. Start raises
 * the depth before the timestamp, and stop lowers it last, so the handler's pairs are nested in
 * this one, and change none of its fields but counters, each in a single instruction.
 */

/* ---- start ---- */

/* The rest of an outermost start, after the depth is set. */
static void begin(struct ep_instance_cells *pair, const struct ep_source *source)
{
    ep_statistics_add_pending(ep_thread_self->cells, &pair->stats, &ep_thread_self->instance_cells);
    if (EP_UNLIKELY(ep_cpu_is_on()))
        ep_cpu_start(ep_instance_cells_cpu(ep_thread_self, pair));
    ep_store(&pair->start_ticks, ep_source_now(source));
}

EP_COLD static void start_cold(int id)
{
    EP_KEEP_ERRNO;
    struct ep_thread *thread = ep_process_self();
    while (thread && !thread->is_off && ep_load(&eprof_recording) & EP_RECORDING_STARTS) {
        if (!ep_thread_begin_cold())
            break;
        struct ep_instance_cells *pair = ep_instance_cells_visit(id);
        ep_thread_end_cold();
        if (!pair)
            break;
        uint64_t generation = pair->generation;
        ep_add32(&pair->depth, 1);
        ep_signal_fence(); /* as in start_at() */
        /* the switch is checked too: the visit may have seen the generation that was raised when
         * recording was switched off */
        if (generation == ep_thread_generation(thread) &&
            ep_load(&eprof_recording) & EP_RECORDING_STARTS) {
            if (pair->depth == 1)
                begin(pair, ep_process_source());
            break;
        }
        ep_add32(&pair->depth, (uint32_t)-1); /* raised or switched meanwhile: again */
    }
    ep_control_quiesce_given_up(thread);
}

/* The cells are not current: another use of the slot, an older generation, or recording was
 * switched. */
EP_COLD static void start_undone(struct ep_instance_cells *pair, int id)
{
    ep_add32(&pair->depth, (uint32_t)-1);
    start_cold(id);
}

/* A start inside another pair, of another instance, or the first one of this thread. */
EP_COLD static void start_inside(int id)
{
    struct ep_instance_cells *pair =
        ep_thread_instance_cells(ep_thread_self, ep_instance_cells_slot(id));
    if (!pair || pair->handle != (uint32_t)id) {
        start_cold(id);
        return;
    }
    ep_add32(&pair->depth, 1);
    ep_signal_fence();
    if (!ep_instance_cells_is_current(pair, ep_thread_generation(ep_thread_self), id))
        start_undone(pair, id);
}

/*
 * The depth is raised before the generation is read. The thread that switches recording off raises
 * the generation, then makes the stores of all threads visible (membarrier, in
 * ep_control_quiesce(), the partner of this order), then looks for open pairs. Either it sees this
 * depth, or this thread sees the new generation. If the cells are stale, only a depth of this
 * thread's own cells has to be undone.
 */
EP_INLINE void start_at(struct ep_thread *thread, struct ep_instance_cells *pair, int id,
                        bool is_counter)
{
    if (EP_UNLIKELY(pair->state != ep_instance_cells_state(id, 0))) {
        start_inside(id);
        return;
    }
    /* a signal handler that came between has left the depth as it was */
    ep_store(&pair->state, ep_instance_cells_state(id, 1));
    ep_signal_fence();
    uint64_t generation = ep_thread_generation(thread);
    if (EP_UNLIKELY(pair->generation != generation)) {
        start_undone(pair, id);
        return;
    }
    if (!is_counter) {
        begin(pair, ep_process_source());
        return;
    }
    ep_store(&pair->start_ticks, ep_counter_read());
    /* after the timestamp, beside the region's own first instructions;
     * docs/internals/performance.md has the cost at other positions */
    ep_statistics_add_pending(thread->cells, &pair->stats, &thread->instance_cells);
}

/* For slots of the second table, and for every source but the processor's counter. Out of line, so
 * that the common case saves no registers. */
__attribute__((noinline)) static void start_further(int id)
{
    struct ep_thread *thread = ep_thread_self;
    struct ep_instance_cells *pair = ep_thread_instance_cells(thread, ep_instance_cells_slot(id));
    if (pair && thread->counter_pairs) {
        start_at(thread, pair, id, true);
        return;
    }
    ep_process_wait();
    if (EP_LIKELY(pair && thread->called_pairs))
        start_at(thread, pair, id, false);
    else
        start_cold(id);
    ep_process_wait();
}

EP_EXPORT void eprof_instance_start(int id)
{
    struct ep_thread *thread = ep_thread_self;
    uint32_t slot = ep_instance_cells_slot(id);
    if (EP_LIKELY(slot < thread->counter_pairs))
        start_at(thread, ep_thread_instance_cells_hot(thread, slot), id, true);
    else
        start_further(id);
}

/* ---- stop ---- */

/* A stop without an open pair: an error, unless its pair began before a reset or may have begun
 * while recording was off. */
static void stop_unbalanced(struct ep_thread *thread, struct ep_instance_cells *pair)
{
    if (pair->ignored)
        ep_store(&pair->ignored, pair->ignored - 1);
    else if (pair->stats.calls >= pair->pardon_below_calls)
        ep_thread_diagnose(thread, EP_DIAGNOSTIC_UNBALANCED);
}

/* ep_horizon_is_possible() takes the lock if it has to read the clock. */
static bool is_possible(uint64_t difference)
{
    if (EP_LIKELY(difference <= ep_load(&ep_thread_self->control->horizon_ticks)))
        return true;
    if (ep_thread_self->busy)
        return ep_horizon_is_possible_in_handler(difference);
    ep_thread_begin_cold();
    bool is_possible = ep_horizon_is_possible(difference);
    ep_thread_end_cold();
    return is_possible;
}

/* After the clock was read, for an outermost pair. */
static void count_cpu(const struct ep_instance_cells *pair)
{
    struct ep_cpu_sums *sums = ep_cpu_is_on() ? ep_instance_cells_cpu(ep_thread_self, pair) : NULL;
    if (sums)
        ep_cpu_count(sums, ep_cpu_now(), 1);
}

static void finish(struct ep_instance_cells *pair, uint64_t now)
{
    struct ep_instance_cells *before;
    while (pair->depth > 1 &&
           (before = ep_instance_cells_hold_of_before(ep_thread_self, pair)) != NULL)
        pair = before;
    if (pair->depth > 1 && ep_instance_cells_hold_was_dropped(ep_thread_self, pair))
        return;
    if (pair->depth > 1) {
        ep_statistics_count_nested(&pair->stats);
    } else {
        uint64_t difference = ep_source_difference(ep_process_source(), pair->start_ticks, now);
        if (is_possible(difference)) {
            count_cpu(pair);
            ep_statistics_count(&pair->stats, difference);
        } else {
            ep_statistics_count_rejected(&pair->stats);
        }
    }
    ep_add32(&pair->depth, (uint32_t)-1);
}

/* The end of a pair that a reset or eprof_init() discarded; the innermost is first. */
static void forget_one(struct ep_instance_cells *pair)
{
    if (pair->depth)
        ep_add32(&pair->depth, (uint32_t)-1);
    else
        ep_store(&pair->ignored, pair->ignored - 1);
}

/* Whether eprof_init() released the instance while this pair was open: then its end is no error.
 * The slot may have another instance by now. */
static bool is_end_of_released(struct ep_thread *thread, int id)
{
    struct ep_instance_cells *pair = ep_thread_instance_cells(thread, ep_instance_cells_slot(id));
    if (!pair)
        return false;
    if (pair->former_open && pair->former_handle == (uint32_t)id) {
        ep_store(&pair->former_open, pair->former_open - 1);
        return true;
    }
    if (pair->handle != (uint32_t)id || !(pair->depth + pair->ignored) ||
        (pair->generation & EP_GENERATION_NUMBER) >= ep_load(&thread->control->init_generation))
        return false;
    forget_one(pair);
    return true;
}

/* Recording is off for this thread: only open pairs are finished. Nothing is visited, so that
 * during quiescing each stop that may be the last comes here. */
static void stop_while_off(struct ep_thread *thread, int id, uint64_t now)
{
    struct ep_instance_cells *pair = ep_thread_instance_cells(thread, ep_instance_cells_slot(id));
    if (!is_end_of_released(thread, id)) {
        if (!pair || pair->handle != (uint32_t)id || !(pair->depth + pair->ignored))
            return;
        if (pair->depth && (pair->generation & EP_GENERATION_NUMBER) >=
                               ep_load(&thread->control->reset_generation))
            finish(pair, now);
        else
            forget_one(pair);
    }
    if (pair->depth + pair->ignored + pair->former_open == 0 &&
        ep_load(&eprof_recording) == EP_RECORDING_STOPS && ep_thread_begin_cold()) {
        ep_process_mutex_lock();
        ep_control_quiesce();
        ep_process_mutex_unlock();
        ep_thread_end_cold();
    }
}

/* In a signal handler that interrupted a cold path: ends a pair whose start needed none either,
 * because the interrupted code is in the same instance (start_inside), or whose length requires a
 * look at the clock. Holds are left alone, since one may be half ended. */
static bool stop_in_handler(struct ep_thread *thread, int id, uint64_t now)
{
    struct ep_instance_cells *pair = ep_thread_instance_cells(thread, ep_instance_cells_slot(id));
    if (!thread->busy || !pair || !pair->depth ||
        !ep_instance_cells_is_current(pair, ep_thread_generation(thread), id))
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
    EP_KEEP_ERRNO;
    struct ep_thread *thread = ep_process_self();
    if (!thread || stop_in_handler(thread, id, now)) {
    } else if (thread->is_off || !(ep_load(&eprof_recording) & EP_RECORDING_STARTS)) {
        stop_while_off(thread, id, now);
    } else if (!is_end_of_released(thread, id) && ep_thread_begin_cold()) {
        struct ep_instance_cells *pair = ep_instance_cells_visit(id);
        ep_thread_end_cold();
        if (pair && pair->depth)
            finish(pair, now);
        else if (pair)
            stop_unbalanced(ep_thread_self, pair);
    }
}

EP_INLINE void stop_at(const struct ep_thread *thread, struct ep_instance_cells *pair, int id,
                       uint64_t now, uint64_t mask, bool is_straight)
{
    uint64_t difference = (now - pair->start_ticks) & mask;
    if (EP_UNLIKELY(pair->state != ep_instance_cells_state(id, 1)) ||
        EP_UNLIKELY(!ep_is_equal(pair->generation, &thread->generation)) ||
        EP_UNLIKELY(ep_is_above(difference, &thread->control->horizon_ticks))) {
        stop_cold(id, now);
        return;
    }
    if (!is_straight)
        count_cpu(pair);
    ep_statistics_count(&pair->stats, difference);
    ep_store_release(&pair->state,
                     ep_instance_cells_state(id, 0)); /* last: for signal handlers of this thread */
}

__attribute__((noinline)) static void stop_further(int id)
{
    struct ep_thread *thread = ep_thread_self;
    struct ep_instance_cells *pair = ep_thread_instance_cells(thread, ep_instance_cells_slot(id));
    const struct ep_source *source = ep_process_source();
    uint64_t now = source ? ep_source_now(source) : 0;
    if (EP_LIKELY(pair && thread->called_pairs + thread->counter_pairs))
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a thread with pairs has a source */
        stop_at(thread, pair, id, now, source->mask, false);
    else
        stop_cold(id, now);
    ep_process_wait();
}

EP_EXPORT void eprof_instance_stop(int id)
{
    struct ep_thread *thread = ep_thread_self;
    uint32_t slot = ep_instance_cells_slot(id);
    if (EP_UNLIKELY(slot >= thread->counter_pairs)) {
        stop_further(id);
        return;
    }
    /* loaded before the clock is read, which does not wait for the load; later instructions do.
     * 1.53 to 1.51 of a raw pair (build/dev/tests/bench/eprof_bench, 2026-11-21) */
    struct ep_instance_cells *pair = ep_thread_instance_cells_hot(thread, slot);
    __asm__ volatile("" : "+r"(pair));
    stop_at(thread, pair, id, ep_counter_read(), UINT64_MAX, true);
}

/* ---- spans ---- */

/* Whether a time of a source that does not wrap lies before a moment. */
EP_INLINE bool is_before(const struct ep_source *source, uint64_t ticks, uint64_t moment)
{
    return ep_source_difference(source, moment, ticks) > source->mask >> 1;
}

/* Whether a tick identifies a moment. Ticks of a source that wraps or differs per thread do not, so
 * their spans count as recorded now. */
static bool says_when(const struct ep_source *source)
{
    return !source->per_thread && source->mask == UINT64_MAX;
}

/* Whether a span is discarded: it began before a reset or while recording was off. A span that
 * began before the process is not discarded here: it is rejected as too long. */
static bool began_in_vain(uint64_t start_ticks)
{
    const struct ep_source *source = ep_process_source();
    const struct ep_thread *thread = ep_thread_self;
    if (!says_when(source))
        return thread->is_off || !(ep_load(&eprof_recording) & EP_RECORDING_STARTS);
    if (is_before(source, start_ticks, ep_load(&ep_process.origin_ticks)))
        return false;
    return is_before(source, start_ticks, ep_load(&thread->control->reset_ticks)) ||
           !ep_rate_switches_was_on(&thread->switches, source, start_ticks) ||
           !ep_horizon_was_on(start_ticks);
}

/* Whether a discarded span may have begun while recording was on: recording was switched so often
 * since that the state is no longer known. */
static bool is_forgotten(uint64_t start_ticks)
{
    const struct ep_source *source = ep_process_source();
    const struct ep_thread *thread = ep_thread_self;
    return says_when(source) &&
           !is_before(source, start_ticks, ep_load(&thread->control->reset_ticks)) &&
           (!ep_rate_switches_reach(&thread->switches, source, start_ticks) ||
            !ep_horizon_switches_reach(start_ticks));
}

/* A span may come in a signal handler at any instruction of a start or a stop of the same instance,
 * so it does not touch the pending difference. */
static void count_span(struct ep_instance_cells *pair, uint64_t difference)
{
    ep_statistics_add_time(&pair->stats, difference);
    if (!ep_statistics_add_hot(ep_thread_self->cells, &pair->stats, difference))
        ep_statistics_add(&pair->stats, &ep_thread_self->instance_cells, difference);
    ep_add64_release(&pair->stats.calls, 1);
}

EP_COLD static void span_cold(int id, uint64_t start_ticks, uint64_t stop_ticks)
{
    EP_KEEP_ERRNO;
    struct ep_thread *thread = ep_process_self();
    struct ep_instance_cells *pair = NULL;
    bool can_be = false;
    uint64_t difference = 0;
    if (thread) {
        difference = ep_source_difference(ep_process_source(), start_ticks, stop_ticks);
        can_be = is_possible(difference);
    }
    if (thread && ep_thread_begin_cold()) {
        if (!began_in_vain(start_ticks))
            pair = ep_instance_cells_visit(id);
        else if (is_forgotten(start_ticks))
            ep_thread_diagnose(thread, EP_DIAGNOSTIC_LOST);
        /* a reset may have come between; a later one makes the generation stale */
        if (pair && began_in_vain(start_ticks))
            pair = NULL;
        ep_thread_end_cold();
    }
    if (pair)
        pair = ep_instance_cells_hold_at(ep_thread_self, pair, start_ticks);
    if (pair && can_be)
        count_span(pair, difference);
    else if (pair)
        ep_statistics_count_rejected(&pair->stats);
}

/* Whether a span may be counted without further checks: it began after the last reset, and after
 * recording and this thread were last switched on. */
static bool is_plain(const struct ep_thread *thread, const struct ep_source *source,
                     uint64_t start_ticks, uint64_t stop_ticks)
{
    const struct ep_control_cell *control = thread->control;
    return !is_before(source, start_ticks, ep_load(&control->reset_ticks)) &&
           !is_before(source, start_ticks, ep_load(&control->on_ticks)) &&
           ep_source_difference(source, start_ticks, stop_ticks) <=
               ep_load(&control->horizon_ticks) &&
           ep_rate_switches_are_before(&thread->switches, source, start_ticks) &&
           ep_load(&eprof_recording) & EP_RECORDING_STARTS && !thread->level;
}

EP_EXPORT void eprof_record(int id, uint64_t start_ticks, uint64_t stop_ticks)
{
    struct ep_thread *thread = ep_thread_self;
    uint32_t slot = ep_instance_cells_slot(id);
    const struct ep_source *source = ep_process_source();
    if (EP_LIKELY(thread->counter_pairs + thread->called_pairs)) {
        struct ep_instance_cells *pair = ep_thread_instance_cells(thread, slot);
        if (EP_LIKELY(pair &&
                      ep_instance_cells_is_current(pair, ep_thread_generation(thread), id) &&
                      is_plain(thread, source, start_ticks, stop_ticks))) {
            count_span(pair, ep_source_difference(source, start_ticks, stop_ticks));
            return;
        }
    }
    span_cold(id, start_ticks, stop_ticks);
}
