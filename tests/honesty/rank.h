/*
 * rank.h - selects one of several values by its rank; the call sorts the values
 */
#ifndef RANK_H
#define RANK_H

#include <stddef.h>

double rank_median(double *values, size_t count);
double rank_least(double *values, size_t count);

#endif /* RANK_H */
