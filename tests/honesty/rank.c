#include "rank.h"

#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double rank_median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, compare);
    return values[count / 2];
}

double rank_least(double *values, size_t count)
{
    qsort(values, count, sizeof *values, compare);
    return values[0];
}
