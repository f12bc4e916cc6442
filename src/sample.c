#include "sample.h"

#include <stdlib.h>

static int lowest_first(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void ep_sample_sort(double *values, size_t count)
{
    qsort(values, count, sizeof *values, lowest_first);
}

double ep_sample_median(double *values, size_t count)
{
    if (count == 0)
        return 0;
    ep_sample_sort(values, count);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}
