/*
 * bench_cases.h - the measured cases, with their target costs
 */
#ifndef BENCH_CASES_H
#define BENCH_CASES_H

#include <stdbool.h>

#include "bench_pairing.h"

/* A loop that uses the library, and a loop of raw reads to compare it with. */
struct bench_case {
    const char *name;
    const char *what;
    struct bench_loops loops;
    int (*begin)(void); /* 0, or -1 and errno */
    void (*end)(void);
    bool on_two_threads;
    double target; /* for the ratio; 0: none */
};

/* A figure that is not compared with another one. */
struct bench_figure {
    const char *name;
    const char *what;
    const char *unit;
    bool (*measure)(double *value); /* false and errno if it could not be measured */
    double target;                  /* for its magnitude; 0: none */
};

/* Each list ends with an entry without a name. */
extern const struct bench_case bench_cases[];
extern const struct bench_figure bench_figures[]; /* they must be measured before the cases */
extern const struct bench_figure bench_reports[]; /* after the cases: they fill the tree */

/* Measures a case: the result is the median of `rounds` rounds. On two threads it is the best of
 * five such medians, since two slices are disturbed more often than one. Returns 0, or -1 and
 * errno. */
int bench_case_measure(const struct bench_case *one, unsigned rounds, struct bench_result *result);

#endif /* BENCH_CASES_H */
