/*
 * rank.h - one of several measures, by its rank: they are sorted by it
 */
#ifndef RANK_H
#define RANK_H

#include <stddef.h>

double rank_median(double *values, size_t count);
double rank_least(double *values, size_t count);

#endif /* RANK_H */
