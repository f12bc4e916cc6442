/*
 * report_json_head.h - what json tells of a snapshot besides its rows
 *
 * Each is members of an object, without a comma before or behind them.
 */
#ifndef EP_REPORT_JSON_HEAD_H
#define EP_REPORT_JSON_HEAD_H

#include "output.h"
#include "snapshot.h"

/* Its clock and its probe, and of a stored image its program. */
void ep_report_json_head_write(struct ep_output *out, const struct eprof_snapshot *snapshot);
/* How far the figures can be trusted. */
void ep_report_json_head_write_trouble(struct ep_output *out,
                                       const struct eprof_snapshot *snapshot);

#endif /* EP_REPORT_JSON_HEAD_H */
