/*
 * measure.h - what a region takes, and what is reported of it, in turns
 */
#ifndef MEASURE_H
#define MEASURE_H

#include <stdbool.h>

#include "regions.h"

/* By what it is recorded, and how that is reported. */
struct recording {
    const char *source;
    regions_call *call;
    bool is_raw; /* with the probes in it */
};

struct measured {
    double true_ns, reported_ns;
};

/* The child's mean, or the parent's self time: the middle one of several measures, by how far both
 * are apart. Ends the program with 77 where the source is not there, with 2 where nothing is
 * reported. */
struct measured measure_region(const struct recording *recording, const struct regions *regions,
                               bool is_of_parent);

#endif /* MEASURE_H */
