/*
 * probe_measure.h - by how much work takes longer with probes around it
 *
 * Measured around some work, since a region that does nothing is none that anybody measures: what
 * a probe does after its clock was read runs beside the work, and what a processor has begun of
 * the work is not yet done when the next probe begins.
 */
#ifndef EP_PROBE_MEASURE_H
#define EP_PROBE_MEASURE_H

#include "source.h"

/* In a round: of one after the other, and of calls inside each other. */
enum { EP_PROBE_PAIRS = 32 };

struct ep_probe_measure {
    uint64_t around_milliticks; /* that a pair adds to what is around it, */
    uint64_t inside_milliticks; /* and of that what it reads itself */
};

/* EP_PROBE_PAIRS pairs, each around ep_probe_work() or nothing. Gets a number that is to be
 * multiplied on, and returns it. */
typedef uint64_t ep_probe_round(uint64_t number);

/* Some 100 ns: multiplications that wait for each other, and how many they are is not to be
 * foreseen by a processor that predicts where loops end. */
uint64_t ep_probe_work(uint64_t number);

/* The same work without pairs; no work and no pairs. */
ep_probe_round ep_probe_only_work, ep_probe_nothing;

/* What `with` takes more than `without`, a pair. What the pairs read is counted in *counter. */
struct ep_probe_measure ep_probe_measure(const struct ep_source *source, ep_probe_round *with,
                                         ep_probe_round *without, const uint64_t *counter);

/* What all steps of the source are multiples of, in ticks; 0: it did not move. */
uint64_t ep_probe_resolution(const struct ep_source *source);

#endif /* EP_PROBE_MEASURE_H */
