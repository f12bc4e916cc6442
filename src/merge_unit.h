/*
 * merge_unit.h - what one image recorded, in the unit of the sum: its ticks, or ns
 */
#ifndef EP_MERGE_UNIT_H
#define EP_MERGE_UNIT_H

#include "scale.h"
#include "snapshot_figures.h"

struct ep_merge_unit {
    bool is_ns;            /* else ticks stay as they are */
    struct ep_scale scale; /* of the image */
};

EP_INLINE uint64_t ep_merge_unit_of(const struct ep_merge_unit *unit, uint64_t ticks)
{
    return unit->is_ns ? ep_scale_ns(unit->scale, ticks) : ticks;
}

/* Self time stays as it is. */
void ep_merge_unit_convert(const struct ep_merge_unit *unit, struct ep_figures *figures);

#endif /* EP_MERGE_UNIT_H */
