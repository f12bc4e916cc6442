#include "record/control.h"

#include "base/platform.h"
#include "eprof.h"
#include "record/horizon.h"
#include "record/instance_cells.h"
#include "record/process_lock.h"
#include "record/rate.h"
#include "record/sampling.h"
#include "record/stack.h"

void ep_control_reset(void)
{
    struct ep_diagnostics_cell *diagnostics =
        &ep_process.image.cells[EP_CELL_DIAGNOSTICS].diagnostics;
    for (int i = 0; i < EP_DIAGNOSTIC_KINDS; i++)
        ep_store(&diagnostics->count[i], 0);
    uint64_t now = ep_source_now(ep_process_source());
    ep_horizon_look(now);
    ep_store(&ep_process_control()->reset_ticks, now);
    ep_rate_clock_begin(now);
    ep_rate_run_begin();
    ep_store_release(&ep_process_control()->reset_generation, ep_process_control()->generation + 1);
    ep_horizon_raise();
}

void ep_control_reset_init(void)
{
    ep_store(&ep_process_control()->init_generation, ep_process_control()->generation + 1);
    ep_control_reset();
}

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
    /* read without the lock in ep_horizon_is_possible_in_handler() */
    ep_store(&cell->first_ticks, first.ticks);
    ep_store(&cell->first_monotonic_ns, first.monotonic_ns);
    ep_process.image.cells[EP_CELL_PROBE].probe = (struct ep_probe_cell){.inside_milliticks = 0};
    ep_process.image.cells[EP_CELL_FUNCTION_PROBE].function_probe =
        (struct ep_function_probe_cell){.inside_milliticks = 0};
    ep_process.image.cells[EP_CELL_SCALE].scale = (struct ep_scale_cell){.current = 0};
}

void ep_control_use_source(const struct ep_source *source)
{
    /* the same source, as in a forked child, has run since its first moment */
    bool is_other = source != ep_process_source();
    if (is_other) {
        describe_source(source);
        ep_store(&ep_process.origin_ticks, ep_process_first_moment().ticks);
        ep_store_release(&ep_process.source, source); /* pairs with ep_process_source() */
        ep_store(&ep_process_control()->horizon_ticks, ep_horizon_first(source));
        if (ep_load(&eprof_recording) & EP_RECORDING_STARTS)
            ep_store(&eprof_recording, ep_sampling_recording());
    }
    ep_control_reset();
    ep_store(&ep_process_control()->on_ticks, ep_process_control()->reset_ticks);
    ep_rate_switches_forget(&ep_process.switches);
    if (is_other && ep_process.image.backing.cells)
        ep_rate_scale_write();
}

/* Pairs that a reset discarded count too: their stops are still to come and must not be taken for
 * others when recording is on again. */
static uint32_t open_pairs(const ep_ref *pairs)
{
    uint32_t open = 0;
    for (EP_EACH(ep_instance_cells, pair, ep_process.image.cells, pairs))
        open +=
            (ep_load(&pair->depth) | ep_load(&pair->ignored) | ep_load(&pair->former_open)) != 0;
    return open;
}

/* Without the barrier a start in progress would not be seen; then stops are called for ever. It
 * pairs with the order of depth and generation in start_at() in instrument/instance.c, and of
 * marking and generation in ep_scope_take(). */
void ep_control_quiesce(void)
{
    if (eprof_recording != EP_RECORDING_STOPS || !ep_platform_barrier())
        return;
    uint32_t open = ep_thread_any_is_inside();
    const struct ep_root_cell *root = ep_image_root(&ep_process.image);
    for (EP_EACH(ep_thread_cell, thread, ep_process.image.cells, &root->threads))
        if (thread->state == EP_THREAD_LIVING && !open)
            open = open_pairs(&thread->pairs) + open_pairs(&thread->scratch_cells) +
                   ep_stack_open(ep_process.image.cells, thread);
    if (open == 0)
        ep_store(&eprof_recording, 0);
}

void ep_control_quiesce_given_up(struct ep_thread *thread)
{
    if (EP_LIKELY(ep_load(&eprof_recording) != EP_RECORDING_STOPS) || !thread || thread->busy ||
        !ep_thread_begin_cold())
        return;
    ep_process_mutex_lock();
    ep_control_quiesce();
    ep_process_mutex_unlock();
    ep_thread_end_cold();
}

void ep_control_enable(bool on)
{
    if (ep_process.is_off || on == !!(eprof_recording & EP_RECORDING_STARTS))
        return;
    uint64_t now = ep_source_now(ep_process_source());
    ep_rate_switches_add(&ep_process.switches, now);
    if (on)
        ep_store(&ep_process_control()->on_ticks, now);
    ep_store(&ep_process_control()->switch_generation, ep_process_control()->generation + 1);
    /* Off is stored before the raise: a start that saw the old switch sees the new generation, or
     * has stored its depth before the barrier in ep_control_quiesce(). On is stored after it: a
     * stop that sees the new switch also sees that there was one. */
    if (!on)
        ep_store(&eprof_recording, EP_RECORDING_STOPS);
    ep_horizon_raise();
    if (on) /* pairs with the acquire in eprof_stop() */
        ep_store_release(&eprof_recording, ep_sampling_recording());
    ep_control_quiesce();
}

void ep_control_turn_off_for_good(void)
{
    ep_control_enable(false);
    ep_process.is_off = true;
}
