/*
 * sample.h - numbers that were measured, in the order of their size
 */
#ifndef EP_SAMPLE_H
#define EP_SAMPLE_H

#include <stddef.h>

/* The lowest first. */
void ep_sample_sort(double *values, size_t count);
/* Of two in the middle their mean; of none 0. Sorts them. */
double ep_sample_median(double *values, size_t count);

#endif /* EP_SAMPLE_H */
