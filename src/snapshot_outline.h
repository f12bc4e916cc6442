/*
 * snapshot_outline.h - how a row's times are spread, small enough for a picture in a line
 */
#ifndef EP_SNAPSHOT_OUTLINE_H
#define EP_SNAPSHOT_OUTLINE_H

#include <stdint.h>

#include "histogram.h"

/* Three octaves of buckets, one each, or more octaves in wider columns. */
enum { EP_OUTLINE_COLUMNS = 24, EP_OUTLINE_HIGHEST = 255 };

/* From the shortest time to the longest, in columns of equal width on a logarithmic scale. */
struct ep_outline {
    uint8_t columns;                     /* 0: no call was timed */
    uint8_t heights[EP_OUTLINE_COLUMNS]; /* of EP_OUTLINE_HIGHEST; not 0 where there is a call */
};

struct ep_outline ep_outline_of(const struct ep_histogram *histogram);

#endif /* EP_SNAPSHOT_OUTLINE_H */
