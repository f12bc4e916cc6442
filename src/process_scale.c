#include "process_scale.h"

#include "probe.h"
#include "process.h"
#include "process_clock.h"

struct ep_scale ep_process_scale(void)
{
    /* Asked for only here, and once: the CPUID instruction takes some 10 us in a virtual
     * machine, which the first stamp need not wait for. */
    static uint64_t told_ticks_per_second;
    static bool is_asked;
    const struct ep_source *source = ep_process_source();
    if (ep_source_is_of_counter(source) && !is_asked) {
        told_ticks_per_second = ep_source_rdtsc_ticks_per_second();
        is_asked = true;
    }
    return ep_calibrate_scale(source, ep_process_first_moment(),
                              ep_source_is_of_counter(source) ? told_ticks_per_second : 0);
}

/* Whether two moments tell all of it. */
static bool is_plain(const struct ep_source *source)
{
    return source->mask == UINT64_MAX && !source->per_thread;
}

struct ep_scale ep_process_scale_at_once(void)
{
    static const struct ep_source *measured;
    static struct ep_scale scale;
    const struct ep_source *source = ep_process_source();
    if (is_plain(source) || source->ticks_per_second)
        return ep_calibrate_scale_at_once(source, ep_process_first_moment());
    if (measured != source)
        scale = ep_calibrate_scale(source, ep_process_first_moment(), 0);
    measured = source;
    return scale;
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
    write_scale(ep_process_clock_scale());
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
    if (!ep_process_clock_has_jumped(whole, scale_cell()->scale[scale_cell()->current]))
        write_scale(whole);
}
