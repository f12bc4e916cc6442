/*
 * calibrate.h - how long a tick is
 *
 * A source whose rate is known has it at once; another is measured between the
 * moment it was first used and now, so the answer gets better as the program
 * runs.
 */
#ifndef EP_CALIBRATE_H
#define EP_CALIBRATE_H

#include "scale.h"
#include "source.h"

/* One moment on two clocks. */
struct ep_moment {
    uint64_t ticks;
    uint64_t monotonic_ns;
};

/* Reads both clocks as close to each other as they can be had; keeps errno. */
struct ep_moment ep_calibrate_moment(const struct ep_source *source);

/*
 * The rate of `source` from what is known and from the time since `first`.
 * A source that must be measured and has run for less than 2 ms is waited for:
 * the uncertainty of two moments, some 100 ns, is then 50 ppm. One that wraps or
 * is per thread is waited for each time. One that stands still: 1 tick is 1 ns.
 * told: the rate that the processor tells, 0 for none; used until 100 ms have
 * been measured.
 */
struct ep_scale ep_calibrate_scale(const struct ep_source *source, struct ep_moment first,
                                   uint64_t told_ticks_per_second);

/*
 * The same without waiting, for what lies between `first` and now: as uncertain as two moments
 * are, some 100 ns in all of that time. A source that wraps or is per thread is waited for.
 */
struct ep_scale ep_calibrate_scale_at_once(const struct ep_source *source, struct ep_moment first);

/*
 * How long a tick is now, whatever it was before: the middle of nine measures of 2/3 ms each, of
 * which some may be spoilt, as the clock was set in them, or stood still, as one of processor time
 * does while others have the processor.
 */
struct ep_scale ep_calibrate_scale_now(const struct ep_source *source);

#endif /* EP_CALIBRATE_H */
