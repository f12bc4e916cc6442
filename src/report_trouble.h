/*
 * report_trouble.h - how far the figures can be trusted: the lines at the end of a report
 */
#ifndef EP_REPORT_TROUBLE_H
#define EP_REPORT_TROUBLE_H

#include "output.h"
#include "snapshot.h"

/* An empty line, a line on the source and the probe's own cost, and one for each trouble,
 * with what to do about it. */
void ep_report_trouble_write(struct ep_output *out, const struct eprof_snapshot *snapshot);

#endif /* EP_REPORT_TROUBLE_H */
