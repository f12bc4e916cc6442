#include "record/horizon.h"

#include "base/platform.h"
#include "record/process_lock.h"
#include "record/rate.h"
#include "record/thread.h"

uint64_t ep_horizon_raise(void)
{
    uint64_t generation = ep_process_control()->generation + 1;
    /* a thread that sees the generation sees everything that was set before */
    ep_store_release(&ep_process_control()->generation, generation);
    ep_thread_raise_all();
    return generation;
}

/* For a source that was set back to before its first moment, or that differs per thread: it is not
 * known since when it has run. From now on only a difference that goes back is rejected, and
 * nothing that begins now or later counts as begun before the last reset. */
static void forget_first_moment(uint64_t now)
{
    /* half of the range that is not taken for a step back: the other half is left for the future */
    uint64_t earliest_ticks = now - (UINT64_MAX >> 2);
    ep_store(&ep_process.origin_ticks, earliest_ticks);
    ep_store(&ep_process_control()->reset_ticks, earliest_ticks);
    ep_store(&ep_process_control()->on_ticks, earliest_ticks);
}

void ep_horizon_look(uint64_t now_ticks)
{
    const struct ep_source *source = ep_process_source();
    if (source->mask == UINT64_MAX && !source->per_thread &&
        (now_ticks - ep_process.origin_ticks) >> 63)
        forget_first_moment(now_ticks);
}

/* A source that wraps or differs per thread does not show how long the process has run. Only a step
 * back is seen, as a difference of more than half of its range. */
uint64_t ep_horizon_first(const struct ep_source *source)
{
    return source->per_thread || source->mask != UINT64_MAX ? source->mask >> 1 : 0;
}

/* How long the source has run; the highest bit is set if it was set back to before its first
 * moment. */
static uint64_t run_ticks_at(const struct ep_source *source, uint64_t now)
{
    if (!source->steps)
        return now - ep_load(&ep_process.origin_ticks);
    /* the clock can be set: CLOCK_MONOTONIC is the limit */
    uint64_t first_ns = ep_process_first_moment().monotonic_ns;
    struct ep_scale inverse = {source->ticks_per_second, 1000000000};
    return ep_wide_scale_ns(inverse, ep_platform_monotonic_ns() - first_ns) + 1;
}

bool ep_horizon_is_possible(uint64_t difference_ticks)
{
    if (difference_ticks <= ep_load(&ep_process_control()->horizon_ticks))
        return true;
    const struct ep_source *source = ep_process_source();
    if (ep_horizon_first(source))
        return false;
    ep_process_mutex_lock();
    uint64_t now = ep_source_now(source), run_ticks = run_ticks_at(source, now);
    if (!source->steps && run_ticks >> 63 && difference_ticks >> 63 == 0) {
        forget_first_moment(now);
        run_ticks = UINT64_MAX >> 1;
    }
    if (run_ticks >> 63)
        run_ticks = 0;
    if (run_ticks > ep_process_control()->horizon_ticks)
        ep_store(&ep_process_control()->horizon_ticks, run_ticks);
    ep_process_mutex_unlock();
    return difference_ticks <= run_ticks;
}

bool ep_horizon_is_possible_in_handler(uint64_t difference_ticks)
{
    const struct ep_source *source = ep_process_source();
    if (ep_horizon_first(source))
        return difference_ticks <= ep_load(&ep_process_control()->horizon_ticks);
    uint64_t run_ticks = run_ticks_at(source, ep_source_now(source));
    return difference_ticks <= (run_ticks >> 63 ? UINT64_MAX >> 1 : run_ticks);
}

bool ep_horizon_was_on(uint64_t start_ticks)
{
    ep_process_mutex_lock();
    bool was_on = ep_rate_switches_was_on(&ep_process.switches, ep_process_source(), start_ticks);
    ep_process_mutex_unlock();
    return was_on;
}

bool ep_horizon_switches_reach(uint64_t start_ticks)
{
    ep_process_mutex_lock();
    bool reach = ep_rate_switches_reach(&ep_process.switches, ep_process_source(), start_ticks);
    ep_process_mutex_unlock();
    return reach;
}
