/*
 * cli/pprof/pprof.h - a report for `go tool pprof`
 */
#ifndef EP_CLI_PPROF_PPROF_H
#define EP_CLI_PPROF_PPROF_H

#include "report/report.h"

extern const struct ep_report ep_pprof_report;

#endif /* EP_CLI_PPROF_PPROF_H */
