/*
 * report_choice.h - the report that fits where none was asked for
 */
#ifndef EP_CLI_REPORT_CHOICE_H
#define EP_CLI_REPORT_CHOICE_H

#include "report.h"

/* The tree where there are scopes, else the table. */
const struct ep_report *ep_report_choice(const struct eprof_snapshot *snapshot);

#endif /* EP_CLI_REPORT_CHOICE_H */
