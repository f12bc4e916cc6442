/*
 * sampled.h - a measurement under a budget, where only a part of the calls is timed
 */
#ifndef SAMPLED_H
#define SAMPLED_H

#include "measure.h"

/* One measurement of the mean of the child, or of the self time of the parent. */
struct measured sampled_measure(const struct recording *recording, const struct regions *regions,
                                bool is_of_parent);

#endif /* SAMPLED_H */
