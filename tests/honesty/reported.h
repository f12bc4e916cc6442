/*
 * reported.h - what the library says that a region took
 */
#ifndef REPORTED_H
#define REPORTED_H

#include <stdbool.h>

struct reported {
    double timed, total_ns, self_ns; /* so far */
};

/* The region of this name; corrected or raw. false and errno: there is none, or no report. */
bool reported_read(const char *name, bool is_raw, struct reported *reported);

#endif /* REPORTED_H */
