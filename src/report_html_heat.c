#include "report_html_heat.h"

/* Each some twice the one before; the terminal's two colours begin at 5 and 20 (report_heat.c). */
unsigned ep_report_html_heat(uint64_t self_ns, uint64_t whole_ns)
{
    static const double percents[] = {0.5, 2, 5, 10, 20};
    double percent = whole_ns ? (double)self_ns / (double)whole_ns * 100 : 0;
    unsigned heat = 0;
    while (heat < sizeof percents / sizeof percents[0] && percent >= percents[heat])
        heat++;
    return heat;
}
