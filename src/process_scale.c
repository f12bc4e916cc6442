#include "process_scale.h"

#include "probe.h"
#include "process.h"
#include "process_clock.h"

/* ---- a rate that is told, by the source or the processor ---- */

static bool is_told(const struct ep_source *source)
{
    return source->ticks_per_second || ep_source_is_of_counter(source);
}

/* Asked for only here, and once: the CPUID instruction takes some 10 us in a virtual machine, which
 * the first stamp need not wait for. */
static uint64_t told_ticks_per_second(const struct ep_source *source)
{
    static uint64_t ticks_per_second;
    static bool is_asked;
    if (!ep_source_is_of_counter(source))
        return 0;
    if (!is_asked)
        ticks_per_second = ep_source_rdtsc_ticks_per_second();
    is_asked = true;
    return ticks_per_second;
}

/* ---- one that must be measured ---- */

/* Not by a few ticks: they may be any. A clock of microseconds has more in the time that
 * ep_calibrate_scale_now() takes. */
enum { LEAST_TICKS = 500, PERCENT = 100 };

/* What it is now, measured when it is asked for first, and kept: times of one report can be
 * compared with those of the next. */
static struct ep_scale measured_scale(const struct ep_source *source)
{
    static const struct ep_source *measured;
    static struct ep_scale scale;
    if (measured != source)
        scale = ep_calibrate_scale_now(source);
    measured = source;
    return scale;
}

/* Two moments far apart tell the rate best; but not of a clock that was set between them, nor of
 * one that stood still at times, as one of processor time does. */
static bool is_steady(struct ep_scale whole, struct ep_scale now)
{
    uint64_t expected_ns = ep_scale_ns(whole, now.ticks);
    uint64_t apart_ns = expected_ns > now.ns ? expected_ns - now.ns : now.ns - expected_ns;
    return now.ticks < LEAST_TICKS || apart_ns <= now.ns / PERCENT;
}

/* Whether two moments tell all of it. */
static bool is_plain(const struct ep_source *source)
{
    return source->mask == UINT64_MAX && !source->per_thread;
}

static struct ep_scale steady_scale(const struct ep_source *source, struct ep_scale whole)
{
    struct ep_scale now = measured_scale(source);
    return is_steady(whole, now) ? whole : now;
}

/* ---- asked for ---- */

struct ep_scale ep_process_scale(void)
{
    const struct ep_source *source = ep_process_source();
    if (!is_told(source) && source->per_thread)
        return measured_scale(source);
    struct ep_scale whole =
        ep_calibrate_scale(source, ep_process_first_moment(), told_ticks_per_second(source));
    return is_told(source) || !is_plain(source) ? whole : steady_scale(source, whole);
}

struct ep_scale ep_process_scale_at_once(void)
{
    const struct ep_source *source = ep_process_source();
    if (!is_told(source) && !is_plain(source))
        return measured_scale(source);
    struct ep_scale whole = ep_calibrate_scale_at_once(source, ep_process_first_moment());
    return is_told(source) ? whole : steady_scale(source, whole);
}

/* ---- in the image ---- */

static struct ep_scale_cell *scale_cell(void)
{
    return &ep_process.image.cells[EP_CELL_SCALE].scale;
}

/* Into the one that does not count yet, so that a kill leaves the other whole. */
static void write_scale(struct ep_scale scale)
{
    struct ep_scale_cell *cell = scale_cell();
    uint32_t next = !cell->current;
    ep_store(&cell->scale[next].ns, scale.ns);
    ep_store(&cell->scale[next].ticks, scale.ticks);
    ep_store_release(&cell->current, next);
}

void ep_process_scale_write(void)
{
    struct ep_scale scale = ep_process_scale();
    ep_process_clock_look(scale);
    write_scale(scale);
    ep_probe_calibrate();
}

void ep_process_scale_refresh(void)
{
    const struct ep_source *source = ep_process_source();
    uint64_t known_ticks = scale_cell()->scale[scale_cell()->current].ticks;
    if (!known_ticks || source->ticks_per_second || !is_plain(source))
        return;
    /* the error of two moments, some 100 ns, is spread over ever more time */
    uint64_t run_ticks = ep_source_now(source) - ep_process_first_moment().ticks;
    if (run_ticks >> 63 != 0 || run_ticks / 2 < known_ticks)
        return;
    struct ep_scale whole = ep_calibrate_scale_at_once(source, ep_process_first_moment());
    if (is_told(source) || is_steady(whole, scale_cell()->scale[scale_cell()->current]))
        write_scale(whole);
}
