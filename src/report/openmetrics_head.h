/*
 * openmetrics_head.h - the metrics of the program, its clock and its probes, and what their lines
 * have in common with those of regions
 */
#ifndef EP_REPORT_OPENMETRICS_HEAD_H
#define EP_REPORT_OPENMETRICS_HEAD_H

#include "base/output.h"
#include "snapshot/snapshot.h"

/* Writes the lines before the samples of a metric. `unit` NULL: none. */
void ep_report_openmetrics_head_family(struct ep_output *out, const char *name, const char *type,
                                       const char *unit, const char *help);
/* Writes NAME="VALUE" after *between, which is "{" at first and "," from then on. */
void ep_report_openmetrics_head_label(struct ep_output *out, const char **between, const char *name,
                                      const char *value);
/* Writes all nine places, so that no ns is lost. */
void ep_report_openmetrics_head_seconds(struct ep_output *out, uint64_t ns);

/* Writes the metrics that are not of regions. */
void ep_report_openmetrics_head_write(struct ep_output *out, const struct eprof_snapshot *snapshot);

/* The metrics of values; nothing if there are none (openmetrics_values.c). */
void ep_report_openmetrics_values_write(struct ep_output *out,
                                        const struct eprof_snapshot *snapshot);

#endif /* EP_REPORT_OPENMETRICS_HEAD_H */
