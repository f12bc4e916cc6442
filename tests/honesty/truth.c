#include "truth.h"

#include <stdlib.h>
#include <time.h>

double truth_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double truth_median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, compare);
    return values[count / 2];
}

double truth_least(double *values, size_t count)
{
    qsort(values, count, sizeof *values, compare);
    return values[0];
}
