/*
 * judge.h - checks whether a reported time is close enough to the true time, and prints a table
 */
#ifndef JUDGE_H
#define JUDGE_H

#include <stdbool.h>

#include "measure.h"

void judge_print_head(void);

/* The largest error: a part of the true time, or so many ns if that is more. */
struct limit {
    double part, least_ns;
};

/* Returns whether the error is at most this, or the true time is in the interval. Prints a row. */
bool judge(const char *what, unsigned calls, struct measured measured, struct limit limit);

#endif /* JUDGE_H */
