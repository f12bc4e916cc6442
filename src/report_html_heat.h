/*
 * report_html_heat.h - what part of all time is a scope's own, as one of six colours
 */
#ifndef EP_REPORT_HTML_HEAT_H
#define EP_REPORT_HTML_HEAT_H

#include <stdint.h>

/* 0: next to nothing, 5: a fifth and more. The page's style has a class for each: h0 to h5. */
unsigned ep_report_html_heat(uint64_t self_ns, uint64_t whole_ns);

#endif /* EP_REPORT_HTML_HEAT_H */
