/*
 * scale.h - from ticks to ns
 *
 * A rate is a fraction, ns per ticks, and not a number of some precision: a total of ten
 * years is converted as exactly as a single pair.
 */
#ifndef EP_SCALE_H
#define EP_SCALE_H

#include "compiler.h"

/* So many ns are so many ticks; `ticks` is never 0. */
struct ep_scale {
    uint64_t ns;
    uint64_t ticks;
};

/* `ticks` in ns, rounded down, at most UINT64_MAX. */
uint64_t ep_scale_ns(struct ep_scale scale, uint64_t ticks);

#endif /* EP_SCALE_H */
