/*
 * merge_probe.h - what the probe cost where it cost most
 *
 * For whoever reads the report: of the times it is off already.
 */
#ifndef EP_MERGE_PROBE_H
#define EP_MERGE_PROBE_H

#include "merge_unit.h"

/* Raises each cost of *highest by itself; all zero: nothing yet. */
void ep_merge_probe_add(struct ep_probe_cell *highest, const struct ep_image *image,
                        const struct ep_merge_unit *unit);

#endif /* EP_MERGE_PROBE_H */
