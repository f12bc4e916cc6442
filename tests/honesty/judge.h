/*
 * judge.h - checks whether a reported time is close enough to the true time, and prints a table
 */
#ifndef JUDGE_H
#define JUDGE_H

#include <stdbool.h>

#include "measure.h"

void judge_print_head(void);

/* Returns whether the error is at most 3 %, or `least_ns` if that is more. Prints a row. */
bool judge(const char *what, unsigned calls, struct measured measured, double least_ns);

#endif /* JUDGE_H */
