#include "record/rate.h"

#include "base/platform.h"
#include "record/process.h"

/* A count that wrapped to 0 would say that nothing was ever switched. It is lowered before, by a
 * multiple of the ring, so that it stays odd or even. */
void ep_rate_switches_add(struct ep_switches *switches, uint64_t ticks)
{
    enum { LOWERED_BY = 1 << 30 };
    if (switches->count >= UINT32_C(1) << 31)
        switches->count -= LOWERED_BY;
    switches->ticks[switches->count++ % EP_SWITCHES_KEPT] = ticks;
}

static bool is_on_after(const struct ep_switches *switches, uint32_t count)
{
    return (count % 2 != 0) == switches->was_off;
}

void ep_rate_switches_forget(struct ep_switches *switches)
{
    switches->was_off = !is_on_after(switches, switches->count);
    switches->count = 0;
}

bool ep_rate_switches_reach(const struct ep_switches *switches, const struct ep_source *source,
                            uint64_t ticks)
{
    uint64_t oldest = switches->ticks[switches->count % EP_SWITCHES_KEPT];
    return switches->count <= EP_SWITCHES_KEPT ||
           ep_source_difference(source, oldest, ticks) <= source->mask >> 1;
}

bool ep_rate_switches_was_on(const struct ep_switches *switches, const struct ep_source *source,
                             uint64_t ticks)
{
    uint32_t kept = switches->count < EP_SWITCHES_KEPT ? switches->count : EP_SWITCHES_KEPT;
    for (uint32_t i = 0; i < kept; i++) {
        uint32_t count = switches->count - i;
        uint64_t then = switches->ticks[(count - 1) % EP_SWITCHES_KEPT];
        if (ep_source_difference(source, then, ticks) <= source->mask >> 1)
            return is_on_after(switches, count);
    }
    return switches->count == kept && is_on_after(switches, 0);
}

/* ---- the scale of the source in use ---- */

static bool is_nominal(const struct ep_source *source)
{
    return source->ticks_per_second || ep_source_is_of_counter(source);
}

/* Asked once, and only when a scale is needed: the CPUID instruction takes some 10 us in a virtual
 * machine, and the first timestamp need not wait for it. */
static uint64_t nominal_ticks_per_second(const struct ep_source *source)
{
    static uint64_t ticks_per_second;
    static bool is_asked;
    if (!ep_source_is_of_counter(source))
        return 0;
    if (!is_asked)
        ticks_per_second = ep_counter_ticks_per_second();
    is_asked = true;
    return ticks_per_second;
}

/* Fewer ticks do not determine the rate. A clock of microseconds makes more during
 * ep_calibrate_scale_now(). */
enum { LEAST_TICKS = 500, PERCENT = 100 };

/* Measured at the first request and kept, so that the times of two reports can be compared. */
static struct ep_scale measured_scale(const struct ep_source *source)
{
    static const struct ep_source *measured;
    static struct ep_scale scale;
    if (measured != source)
        scale = ep_calibrate_scale_now(source);
    measured = source;
    return scale;
}

/* Whether the rate since the first moment is usable. Two moments far apart give the best rate,
 * except for a clock that was set between them, or that stands still at times, as a clock of
 * processor time does. */
static bool is_steady(struct ep_scale whole, struct ep_scale now)
{
    uint64_t expected_ns = ep_wide_scale_ns(whole, now.ticks);
    uint64_t apart_ns = expected_ns > now.ns ? expected_ns - now.ns : now.ns - expected_ns;
    return now.ticks < LEAST_TICKS || apart_ns <= now.ns / PERCENT;
}

/* Whether two moments show how many ticks have passed: the source neither wraps nor differs per
 * thread. */
static bool is_plain(const struct ep_source *source)
{
    return source->mask == UINT64_MAX && !source->per_thread;
}

static struct ep_scale steady_scale(const struct ep_source *source, struct ep_scale whole)
{
    struct ep_scale now = measured_scale(source);
    return is_steady(whole, now) ? whole : now;
}

struct ep_scale ep_rate_scale(void)
{
    const struct ep_source *source = ep_process_source();
    if (!is_nominal(source) && source->per_thread)
        return measured_scale(source);
    struct ep_scale whole =
        ep_calibrate_scale(source, ep_process_first_moment(), nominal_ticks_per_second(source));
    return is_nominal(source) || !is_plain(source) ? whole : steady_scale(source, whole);
}

struct ep_scale ep_rate_scale_at_once(void)
{
    const struct ep_source *source = ep_process_source();
    if (!is_nominal(source) && !is_plain(source))
        return measured_scale(source);
    struct ep_scale whole = ep_calibrate_scale_at_once(source, ep_process_first_moment());
    return is_nominal(source) ? whole : steady_scale(source, whole);
}

/* ---- in the image ---- */

static struct ep_scale_cell *scale_cell(void)
{
    return &ep_process.image.cells[EP_CELL_SCALE].scale;
}

/* Into the scale that is not current, so that a kill leaves the other one whole; the release is for
 * that. */
static void write_scale(struct ep_scale scale)
{
    struct ep_scale_cell *cell = scale_cell();
    uint32_t next = !cell->current;
    ep_store(&cell->scale[next].ns, scale.ns);
    ep_store(&cell->scale[next].ticks, scale.ticks);
    ep_store_release(&cell->current, next);
}

void ep_rate_scale_write(void)
{
    uint64_t pause_cpu_ns = ep_rate_run_pause();
    struct ep_scale scale = ep_rate_scale();
    ep_rate_run_resume(pause_cpu_ns);
    ep_rate_clock_look(scale);
    write_scale(scale);
}

void ep_rate_scale_refresh(void)
{
    const struct ep_source *source = ep_process_source();
    uint64_t known_ticks = scale_cell()->scale[scale_cell()->current].ticks;
    if (!known_ticks || source->ticks_per_second || !is_plain(source))
        return;
    /* the error of two moments, some 100 ns, shrinks relative to a longer time */
    uint64_t run_ticks = ep_source_now(source) - ep_process_first_moment().ticks;
    if (run_ticks >> 63 != 0 || run_ticks / 2 < known_ticks)
        return;
    struct ep_scale whole = ep_calibrate_scale_at_once(source, ep_process_first_moment());
    if (is_nominal(source) || is_steady(whole, scale_cell()->scale[scale_cell()->current]))
        write_scale(whole);
}

/* ---- agreement with CLOCK_MONOTONIC ---- */

#define NS_PER_DAY (UINT64_C(24) * 3600 * 1000000000)
/* The allowed difference of a clock that can be set. Without a step such a clock is only slewed, by
 * 500 ppm at most (adjtimex(2)), and differs by less than a thousandth; 10 ms allow for an
 * interrupted comparison. */
#define NS_OF_A_STEP UINT64_C(10000000)

void ep_rate_clock_begin(uint64_t reset_ticks)
{
    ep_process.reset_moment = (struct ep_moment){reset_ticks, ep_platform_monotonic_ns()};
    ep_store(&ep_process.image.cells[EP_CELL_SOURCE].source.apart, 0);
}

/* The distance between the source and CLOCK_MONOTONIC, in either direction. */
static uint64_t apart_ns(struct ep_scale scale, struct ep_moment from, struct ep_moment to)
{
    uint64_t monotonic_ns = to.monotonic_ns - from.monotonic_ns, ticks = to.ticks - from.ticks;
    if (ticks >> 63) { /* the source is before its reset */
        uint64_t before_ns = ep_wide_scale_ns(scale, from.ticks - to.ticks);
        return before_ns < UINT64_MAX - monotonic_ns ? before_ns + monotonic_ns : UINT64_MAX;
    }
    uint64_t source_ns = ep_wide_scale_ns(scale, ticks);
    return source_ns > monotonic_ns ? source_ns - monotonic_ns : monotonic_ns - source_ns;
}

void ep_rate_clock_look(struct ep_scale scale)
{
    const struct ep_source *source = ep_process_source();
    if (!is_plain(source))
        return;
    struct ep_moment from = ep_process.reset_moment;
    /* a single read: a source that moves with each read must not be moved more than needed */
    struct ep_moment now = {ep_source_now(source), ep_platform_monotonic_ns()};
    uint64_t most_ns =
        source->steps ? NS_OF_A_STEP + (now.monotonic_ns - from.monotonic_ns) / 1000 : NS_PER_DAY;
    uint32_t *apart = &ep_process.image.cells[EP_CELL_SOURCE].source.apart;
    ep_store(apart, apart_ns(scale, from, now) >= most_ns);
}

/* ---- how long the process has run ---- */

/* A kill loses so much of it. */
#define NS_BETWEEN_WRITES UINT64_C(10000000)

void ep_rate_run_begin(void)
{
    struct ep_run_cell *cell = &ep_process.image.cells[EP_CELL_RUN].run;
    ep_store(&ep_process.run_monotonic_ns, ep_process.reset_moment.monotonic_ns);
    ep_store(&ep_process.run_cpu_ns, ep_platform_process_cpu_ns());
    ep_store(&cell->wall_ns, 1);
    ep_store(&cell->cpu_ns, 1);
}

/* That of this thread, as others do not pause. */
uint64_t ep_rate_run_pause(void)
{
    return ep_source_now(&ep_source_thread_cputime);
}

void ep_rate_run_resume(uint64_t pause_cpu_ns)
{
    uint64_t paused_ns = ep_source_now(&ep_source_thread_cputime) - pause_cpu_ns;
    ep_store(&ep_process.run_cpu_ns, ep_process.run_cpu_ns + paused_ns);
}

void ep_rate_run_write(void)
{
    if (!ep_process.image.cells)
        return;
    struct ep_run_cell *cell = &ep_process.image.cells[EP_CELL_RUN].run;
    /* before the clocks: another thread may reset in between */
    uint64_t begin_ns = ep_load(&ep_process.run_monotonic_ns);
    uint64_t begin_cpu_ns = ep_load(&ep_process.run_cpu_ns);
    ep_signal_fence();
    uint64_t now_ns = ep_platform_monotonic_ns(), cpu_ns = ep_platform_process_cpu_ns();
    ep_store(&ep_process.run_written_ns, now_ns);
    ep_store(&cell->wall_ns, now_ns - begin_ns + 1);
    ep_store(&cell->cpu_ns, cpu_ns - begin_cpu_ns + 1);
}

void ep_rate_run_refresh(void)
{
    if (ep_load(&ep_process.image.backing.cells) &&
        ep_platform_monotonic_ns() - ep_load(&ep_process.run_written_ns) >= NS_BETWEEN_WRITES)
        ep_rate_run_write();
}
