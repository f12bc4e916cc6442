/*
 * measure.h - measures the true time of a region and the reported time, in turns
 */
#ifndef MEASURE_H
#define MEASURE_H

#include <stdbool.h>

#include "regions.h"

/* The source and the calls for the recording, and the kind of the report. */
struct recording {
    const char *source;
    regions_call *call;
    bool is_raw;     /* the times contain the cost of the probes */
    bool is_sampled; /* there is a budget: not each call is timed */
};

struct measured {
    double true_ns, reported_ns;
    double error_ns; /* half of the interval of a parent's self time; 0: it is exact */
    double timed;    /* the part of the calls of the child that was timed */
};

/* The mean of the child, or the self time of the parent: of several measurements the one with the
 * median difference. Ends the program with 77 if the source does not exist, and with 2 if there is
 * no report. */
struct measured measure_region(const struct recording *recording, const struct regions *regions,
                               bool is_of_parent);

#endif /* MEASURE_H */
