/*
 * report_heat.h - what part of all time is a scope's own, as a colour
 */
#ifndef EP_REPORT_HEAT_H
#define EP_REPORT_HEAT_H

#include "report_sheet.h"

enum ep_report_sheet_colour ep_report_heat_of(uint64_t self_ns, uint64_t whole_ns);

#endif /* EP_REPORT_HEAT_H */
