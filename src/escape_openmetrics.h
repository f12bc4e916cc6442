/*
 * escape_openmetrics.h - a label's value in OpenMetrics and Prometheus's text format
 */
#ifndef EP_ESCAPE_OPENMETRICS_H
#define EP_ESCAPE_OPENMETRICS_H

#include "output.h"

/* The value with its quotes; what is not UTF-8 as the text \xNN. Both formats escape the backslash,
 * the quote and the newline, and take everything else as it is. */
void ep_escape_openmetrics(struct ep_output *out, const char *text);

#endif /* EP_ESCAPE_OPENMETRICS_H */
