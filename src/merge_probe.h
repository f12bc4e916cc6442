/*
 * merge_probe.h - what the probe cost where it cost most
 *
 * For whoever reads the report: of the times it is off already.
 */
#ifndef EP_MERGE_PROBE_H
#define EP_MERGE_PROBE_H

#include "merge_unit.h"

/* All zero: nothing yet. */
struct ep_merge_probe {
    struct ep_probe_cell probe;
    struct ep_function_probe_cell function;
};

/* Raises each cost of *highest by itself. */
void ep_merge_probe_add(struct ep_merge_probe *highest, const struct ep_image *image,
                        const struct ep_merge_unit *unit);

#endif /* EP_MERGE_PROBE_H */
