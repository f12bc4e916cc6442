/*
 * reported.h - the times of a region that the library reports
 */
#ifndef REPORTED_H
#define REPORTED_H

#include <stdbool.h>

struct reported {
    double timed, outermost, total_ns, self_ns; /* so far */
    double error_ns;                            /* half of the interval of total_ns; 0: exact */
};

/* Reads the region of this name, corrected or raw. Ends the program with 2 if there is no such
 * region, or no report. */
struct reported reported_read(const char *name, bool is_raw);

#endif /* REPORTED_H */
