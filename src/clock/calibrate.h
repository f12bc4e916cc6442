/*
 * clock/calibrate.h - how long a tick of a source is
 *
 * If the rate is not known, it is measured from the first use of the source until now, so it gets
 * more exact as the program runs.
 */
#ifndef EP_CLOCK_CALIBRATE_H
#define EP_CLOCK_CALIBRATE_H

#include "base/wide.h"
#include "clock/source.h"

/* One moment on two clocks. */
struct ep_moment {
    uint64_t ticks;
    uint64_t monotonic_ns;
};

/* Reads both clocks as close together as possible. Keeps errno. */
struct ep_moment ep_calibrate_moment(const struct ep_source *source);

/*
 * The rate of `source`, if it is known, else measured since `first`. A measurement takes at least
 * 2 ms, and waits if less has passed: the uncertainty of two moments, some 100 ns, is 50 ppm of
 * that. It always waits for a source that wraps or is per thread. If the source stands still, 1
 * tick is 1 ns. nominal_ticks_per_second: the rate that the processor reports, or 0; used until 100
 * ms have been measured.
 */
struct ep_scale ep_calibrate_scale(const struct ep_source *source, struct ep_moment first,
                                   uint64_t nominal_ticks_per_second);

/* The same between `first` and now without waiting, with the uncertainty of two moments; for a
 * source that wraps or is per thread it waits. */
struct ep_scale ep_calibrate_scale_at_once(const struct ep_source *source, struct ep_moment first);

/* The rate now, independent of earlier ones: the median of nine measurements of 2/3 ms each. Some
 * may be wrong, because the clock was set meanwhile, or stood still, as a clock of processor time
 * does while the thread does not run. */
struct ep_scale ep_calibrate_scale_now(const struct ep_source *source);

#endif /* EP_CLOCK_CALIBRATE_H */
