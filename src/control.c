#include "control.h"

#include "eprof.h"
#include "pair.h"
#include "platform.h"
#include "process_clock.h"
#include "process_scale.h"
#include "stack.h"

/* On a line that is not written with each pair of some other variable. */
int eprof_recording __attribute__((aligned(EP_CELL_BYTES))) = EP_RECORDING_ALL;

static struct ep_control_cell *control(void)
{
    return ep_image_control(&ep_process.image);
}

static uint64_t now_ticks(void)
{
    return ep_source_now(ep_process_source());
}

/* ---- generations ---- */

uint64_t ep_control_raise(void)
{
    uint64_t generation = control()->generation + 1;
    /* pairs with the acquire in ep_thread_stamp: who sees it sees all that was set before */
    ep_store_release(&control()->generation, generation);
    return generation;
}

/* It was set back to before its first moment, or is another on each thread: since when it has run
 * is not known any more. From here on only what goes back is rejected, and nothing that begins now
 * or later began before the last reset. */
static void forget_first_moment(uint64_t now)
{
    /* half of what is not taken for a step back: as much is left for what is to come */
    uint64_t earliest_ticks = now - (UINT64_MAX >> 2);
    ep_store(&ep_process.origin_ticks, earliest_ticks);
    ep_store(&control()->reset_ticks, earliest_ticks);
    ep_store(&control()->on_ticks, earliest_ticks);
}

static bool is_before_first_moment(const struct ep_source *source, uint64_t now)
{
    return source->mask == UINT64_MAX && !source->per_thread &&
           (now - ep_process.origin_ticks) >> 63;
}

static void clear_process_trouble(void)
{
    struct ep_trouble_cell *trouble = &ep_process.image.cells[EP_CELL_TROUBLE].trouble;
    for (int i = 0; i < EP_TROUBLE_KINDS; i++)
        ep_store(&trouble->count[i], 0);
}

void ep_control_reset(void)
{
    clear_process_trouble();
    uint64_t now = now_ticks();
    if (is_before_first_moment(ep_process_source(), now))
        forget_first_moment(now);
    ep_store(&control()->reset_ticks, now);
    ep_process_clock_begin(now);
    ep_store_release(&control()->reset_generation, control()->generation + 1);
    ep_control_raise();
}

void ep_control_reset_init(void)
{
    ep_store(&control()->init_generation, control()->generation + 1);
    ep_control_reset();
}

/* ---- the source ---- */

static void describe_source(const struct ep_source *source)
{
    struct ep_source_cell *cell = &ep_process.image.cells[EP_CELL_SOURCE].source;
    struct ep_moment first = ep_calibrate_moment(source);
    for (size_t i = 0, end = 0; i < sizeof cell->name; i++) {
        end = end || i + 1 == sizeof cell->name || !source->name[i];
        cell->name[i] = end ? '\0' : source->name[i];
    }
    cell->ticks_per_second = source->ticks_per_second;
    cell->is_per_thread = source->per_thread;
    cell->apart = 0;
    cell->first_ticks = first.ticks;
    cell->first_monotonic_ns = first.monotonic_ns;
    ep_process.image.cells[EP_CELL_PROBE].probe = (struct ep_probe_cell){.inside_milliticks = 0};
    ep_process.image.cells[EP_CELL_FUNCTION_PROBE].function_probe =
        (struct ep_function_probe_cell){.inside_milliticks = 0};
    ep_process.image.cells[EP_CELL_SCALE].scale = (struct ep_scale_cell){.current = 0};
}

/* A source that wraps, or is another on each thread, cannot tell how long the
 * process has run: only a step back is seen, as more than half of its range. */
static uint64_t first_horizon(const struct ep_source *source)
{
    return source->per_thread || source->mask != UINT64_MAX ? source->mask >> 1 : 0;
}

void ep_control_use_source(const struct ep_source *source)
{
    /* the same one, in a forked child, say, has run since its first moment all the same */
    bool is_other = source != ep_process_source();
    if (is_other) {
        describe_source(source);
        ep_store(&ep_process.origin_ticks, ep_process_first_moment().ticks);
        ep_store_release(&ep_process.source, source);
        ep_store(&control()->horizon_ticks, first_horizon(source));
    }
    ep_control_reset();
    ep_store(&control()->on_ticks, control()->reset_ticks);
    ep_switches_forget(&ep_process.switches);
    if (is_other && ep_process.image.backing.cells)
        ep_process_scale_write();
}

/* The largest number of ones alone that is no more than `ticks`: two differences are within it just
 * if all of their bits together are (scope_hot.h). */
static uint64_t all_bits_within(uint64_t ticks)
{
    return ticks ? UINT64_MAX >> __builtin_clzll(ticks + 1) >> 1 : 0;
}

bool ep_control_is_possible(uint64_t difference_ticks)
{
    if (difference_ticks <= ep_load(&control()->horizon_ticks))
        return true;
    const struct ep_source *source = ep_process_source();
    if (first_horizon(source))
        return false;
    ep_process_mutex_lock();
    uint64_t now = now_ticks();
    uint64_t run_ticks = now - ep_process.origin_ticks;
    if (source->steps) { /* set from outside: another clock says how long it can be */
        uint64_t first_ns = ep_process_first_moment().monotonic_ns;
        struct ep_scale inverse = {source->ticks_per_second, 1000000000};
        run_ticks = ep_scale_ns(inverse, ep_platform_monotonic_ns() - first_ns) + 1;
    } else if (run_ticks >> 63 && difference_ticks >> 63 == 0) {
        forget_first_moment(now);
        run_ticks = UINT64_MAX >> 1;
    }
    if (run_ticks >> 63)
        run_ticks = 0;
    if (all_bits_within(run_ticks) > control()->horizon_ticks)
        ep_store(&control()->horizon_ticks, all_bits_within(run_ticks));
    ep_process_mutex_unlock();
    return difference_ticks <= run_ticks;
}

/* ---- on and off ---- */

/* Those that were forgotten by a reset too: their stops are still to come, and
 * must not be taken for others when recording is on again. */
static uint32_t open_pairs(ep_ref newest)
{
    const union ep_cell *cells = ep_process.image.cells;
    uint32_t open = 0;
    const struct ep_pair_cell *pair;
    for (ep_ref ref = newest; ref; ref = ep_load_acquire(&pair->next)) {
        pair = ep_pair_at(cells, ref);
        open +=
            (ep_load(&pair->depth) | ep_load(&pair->ignored) | ep_load(&pair->former_open)) != 0;
    }
    return open;
}

static uint32_t open_of(const struct ep_thread_cell *thread)
{
    return open_pairs(ep_load_acquire(&thread->pairs)) +
           open_pairs(ep_load_acquire(&thread->scratch_pairs)) +
           ep_stack_open(ep_process.image.cells, thread);
}

/* From draining to off, where nothing is open. Without the barrier a start that
 * is under way could not be seen; then stops are called for ever. */
void ep_control_drain(void)
{
    if (eprof_recording != EP_RECORDING_STOPS || !ep_platform_barrier())
        return;
    uint32_t open = 0;
    const struct ep_thread_cell *thread;
    for (ep_ref ref = ep_image_root(&ep_process.image)->threads; ref && !open; ref = thread->next) {
        thread = &ep_process.image.cells[ref].thread;
        if (thread->state == EP_THREAD_LIVING)
            open = open_of(thread);
    }
    if (open == 0)
        ep_store(&eprof_recording, 0);
}

void ep_control_enable(bool on)
{
    if (ep_process.is_off || on == (eprof_recording == EP_RECORDING_ALL))
        return;
    uint64_t now = now_ticks();
    ep_switches_add(&ep_process.switches, now);
    if (on)
        ep_store(&control()->on_ticks, now);
    ep_store(&control()->switch_generation, control()->generation + 1);
    /* Off before the raise: a start that saw the old switch sees the new generation
     * before it has begun, or has stored its depth before the barrier in ep_control_drain(), see
     * start_at() in instance_record.c. On after it: a stop that sees the new switch
     * sees that there was one. */
    if (!on)
        ep_store(&eprof_recording, EP_RECORDING_STOPS);
    ep_control_raise();
    if (on) /* pairs with the acquire in eprof_stop() */
        ep_store_release(&eprof_recording, EP_RECORDING_ALL);
    ep_control_drain();
}

void ep_control_turn_off_for_good(void)
{
    ep_control_enable(false);
    ep_process.is_off = true;
}

bool ep_control_was_on(uint64_t start_ticks)
{
    ep_process_mutex_lock();
    bool was_on = ep_switches_was_on(&ep_process.switches, ep_process_source(), start_ticks);
    ep_process_mutex_unlock();
    return was_on;
}
