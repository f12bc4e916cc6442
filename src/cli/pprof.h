/*
 * pprof.h - a report for `go tool pprof`
 *
 * Scopes and instances overlap, so that one sum of both would be wrong: each have sample types of
 * their own, "calls" and "time", "instance_calls" and "instance_time". All four are always there,
 * since pprof compares only profiles that have the same.
 */
#ifndef EP_CLI_PPROF_H
#define EP_CLI_PPROF_H

#include "report.h"

extern const struct ep_report ep_pprof_report;

#endif /* EP_CLI_PPROF_H */
