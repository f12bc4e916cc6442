#include "report_heat.h"

enum { HOT_PERCENT = 20, WARM_PERCENT = 5 };

enum ep_report_sheet_colour ep_report_heat_of(uint64_t self_ns, uint64_t whole_ns)
{
    double percent = whole_ns ? (double)self_ns / (double)whole_ns * 100 : 0;
    if (percent >= HOT_PERCENT)
        return EP_REPORT_SHEET_RED;
    return percent >= WARM_PERCENT ? EP_REPORT_SHEET_YELLOW : EP_REPORT_SHEET_PLAIN;
}
