/*
 * bench_cases.h - what is measured, and how much it may cost
 */
#ifndef BENCH_CASES_H
#define BENCH_CASES_H

#include <stdbool.h>

#include "bench_pairing.h"

/* A loop of ours beside a loop of raw reads. */
struct bench_case {
    const char *name;
    const char *what;
    struct bench_loops loops;
    int (*begin)(void); /* 0, or -1 and errno */
    void (*end)(void);
    bool on_two_threads;
    double target; /* of the ratio; 0: none */
};

/* A figure that stands by itself. */
struct bench_figure {
    const char *name;
    const char *what;
    const char *unit;
    bool (*measure)(double *value); /* false and errno: it could not be had */
    double target;                  /* of its magnitude; 0: none */
};

/* Each list ends with an entry without a name. */
extern const struct bench_case bench_cases[];
extern const struct bench_figure bench_figures[]; /* to be had before the cases */
extern const struct bench_figure bench_reports[]; /* after them: these fill the call tree */

/* Measures a case: the median of so many rounds; on two threads, the best of
 * five such medians, since two slices are disturbed more often than one. 0, or
 * -1 and errno. */
int bench_case_measure(const struct bench_case *one, unsigned rounds, struct bench_result *result);

#endif /* BENCH_CASES_H */
