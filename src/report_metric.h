/*
 * report_metric.h - the lines of openmetrics: what a metric is, its labels, its values
 */
#ifndef EP_REPORT_METRIC_H
#define EP_REPORT_METRIC_H

#include "output.h"

/*
 * The lines before the samples. They satisfy both of Prometheus's parsers, which disagree: to
 * OpenMetrics a counter is called without the _total of its samples, to the text format with it.
 * OpenMetrics' parser takes either, the other one does not. A unit has to be the name's end, so a
 * counter has none; to the text format it is a comment. `unit` NULL: none.
 */
void ep_metric_begin(struct ep_output *out, const char *name, const char *type, const char *unit,
                     const char *help);

/* Writes NAME="VALUE"; *between, which begins as "{", stands before it, and is "," from then on. */
void ep_metric_label(struct ep_output *out, const char **between, const char *name,
                     const char *value);

/* Of a duration in ns, as seconds: with all nine places, so that no ns is lost. */
void ep_metric_seconds(struct ep_output *out, uint64_t ns);

#endif /* EP_REPORT_METRIC_H */
