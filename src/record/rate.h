/*
 * record/rate.h - how long a tick of the source in use is, when recording was switched, and whether
 * the source agrees with CLOCK_MONOTONIC
 *
 * Sources and the measuring of a scale are in clock/; whether one difference of ticks is possible
 * is decided in horizon.h.
 */
#ifndef EP_RECORD_RATE_H
#define EP_RECORD_RATE_H

#include "base/wide.h"
#include "clock/source.h"

enum { EP_SWITCHES_KEPT = 32 };

/* The moments at which recording was switched. They are kept for spans, since a span may begin
 * long before it is recorded. The state before the switches that are kept is unknown. All zero:
 * never switched, and on. */
struct ep_switches {
    uint32_t count;                   /* of switches; each one reverses the state */
    bool was_off;                     /* before the first switch */
    uint64_t ticks[EP_SWITCHES_KEPT]; /* of the last switches, as a ring */
};

void ep_rate_switches_add(struct ep_switches *switches, uint64_t ticks);
/* Forgets the moments and keeps the present state: from now on, ticks are those of another source.
 */
void ep_rate_switches_forget(struct ep_switches *switches);
/* Whether the state at `ticks` is still known. */
bool ep_rate_switches_reach(const struct ep_switches *switches, const struct ep_source *source,
                            uint64_t ticks);
/* Whether recording was on at `ticks`; false if that is no longer known. */
bool ep_rate_switches_was_on(const struct ep_switches *switches, const struct ep_source *source,
                             uint64_t ticks);

/* Whether all switches were before `ticks`. */
EP_INLINE bool ep_rate_switches_are_before(const struct ep_switches *switches,
                                           const struct ep_source *source, uint64_t ticks)
{
    if (switches->count == 0)
        return true;
    uint64_t last = switches->ticks[(switches->count - 1) % EP_SWITCHES_KEPT];
    return ep_source_difference(source, last, ticks) <= source->mask >> 1;
}

/* The best scale that is known now. A source of the program's own that declares no rate is measured
 * for 6 ms, once in each use, and also from its first use until now. If the two differ by more than
 * 1 %, the source was set meanwhile or is no wall clock, and the short measurement counts, unless
 * it saw fewer than 500 ticks. A source that differs per thread always uses the short measurement.
 * Lock. */
struct ep_scale ep_rate_scale(void);
/* The same without any wait except the 6 ms: good enough for a decision inside the process. Lock.
 */
struct ep_scale ep_rate_scale_at_once(void);

/* Writes the scale into an image that has a file, when it is made and when the source changes.
 * Lock.
 */
void ep_rate_scale_write(void);
/* Writes the scale again when twice as much time has passed. Called when the lock is released. */
void ep_rate_scale_refresh(void);

/* The comparison with CLOCK_MONOTONIC starts again, at a reset. Lock. */
void ep_rate_clock_begin(uint64_t reset_ticks);

/* Writes into the image whether the source and CLOCK_MONOTONIC have run for the same time since the
 * last reset: after a source jumped forward, long differences count as possible. A source of the
 * program's own may show any time, so a day is allowed. A source that wraps or differs per thread
 * is not compared. `scale` is ep_rate_scale(). Lock. */
void ep_rate_clock_look(struct ep_scale scale);

/* ---- how long the process has run ---- */

/* Begins with a reset. Lock. */
void ep_rate_run_begin(void);
/* The processor time that the library takes between the two calls is not the program's: it measures
 * its own clock and probes, for some ms. It stays in the wall time, as in that of open scopes. The
 * result of the first is for the second. Pauses do not nest. Lock. */
uint64_t ep_rate_run_pause(void);
void ep_rate_run_resume(uint64_t pause_cpu_ns);
/* Writes into the image how long the process has run since the reset, and its processor time. Two
 * threads may do so at once; a reset meanwhile may be overtaken, until the next time. */
void ep_rate_run_write(void);
/* The same if the image has a file, at most once in 10 ms: reading the processor time is a call of
 * the kernel. */
void ep_rate_run_refresh(void);

#endif /* EP_RECORD_RATE_H */
