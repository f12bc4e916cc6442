/*
 * report_openmetrics_head.h - what an openmetrics report is of: its clock, and the probe's own cost
 */
#ifndef EP_REPORT_OPENMETRICS_HEAD_H
#define EP_REPORT_OPENMETRICS_HEAD_H

#include "output.h"
#include "snapshot.h"

void ep_openmetrics_head_write(struct ep_output *out, const struct eprof_snapshot *snapshot);

#endif /* EP_REPORT_OPENMETRICS_HEAD_H */
