/*
 * snapshot_samples.h - from the samples of a throttled function to all its calls
 *
 * Each sample counts as many times as it stands for in all figures but the calls, which are counted
 * one and all. So of N calls there are W in the histogram, about as many. What they come to is
 * taken N / W times (Hajek: Comment on a paper by Basu, 1971): of calls that take about the same
 * time it is not known worse than that of one, whatever part of it is the reading of the clock.
 */
#ifndef EP_SNAPSHOT_SAMPLES_H
#define EP_SNAPSHOT_SAMPLES_H

#include "snapshot_nodes.h"

/* Has the figures of a node, whose samples those are, stand for all its calls. Its children's do.
 */
void ep_samples_weigh(struct ep_node *node, const struct ep_image *image);

#endif /* EP_SNAPSHOT_SAMPLES_H */
