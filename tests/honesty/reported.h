/*
 * reported.h - the times of a region that the library reports
 */
#ifndef REPORTED_H
#define REPORTED_H

#include <stdbool.h>

struct reported {
    double timed, total_ns, self_ns; /* so far */
};

/* Reads the region of this name, corrected or raw. false and errno if there is no such region, or
 * no report. */
bool reported_read(const char *name, bool is_raw, struct reported *reported);

#endif /* REPORTED_H */
