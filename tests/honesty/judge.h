/*
 * judge.h - whether what is reported is near enough to the truth, told in a table
 */
#ifndef JUDGE_H
#define JUDGE_H

#include <stdbool.h>

#include "measure.h"

void judge_print_head(void);

/* Within 3 %, or `least_ns` where that is more. A row tells it. */
bool judge(const char *what, unsigned calls, struct measured measured, double least_ns);

#endif /* JUDGE_H */
