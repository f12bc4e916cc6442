/*
 * report_rate.h - how long a tick is, for people
 */
#ifndef EP_REPORT_RATE_H
#define EP_REPORT_RATE_H

#include "output.h"

/* "1000.0 ticks/us", or of a slow source, whose rate would have no digits left, "50.0 ticks/s". */
void ep_report_rate_write(struct ep_output *out, double ticks_per_us);

#endif /* EP_REPORT_RATE_H */
