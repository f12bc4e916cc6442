/*
 * report_origin.h - what a stored image is of: program, process, moment
 */
#ifndef EP_REPORT_ORIGIN_H
#define EP_REPORT_ORIGIN_H

#include "output.h"
#include "snapshot.h"

/* "2026-11-21T17:34:07Z" is the longest; empty: not known. */
struct ep_report_moment {
    char text[32];
};

/* A time of CLOCK_REALTIME, as ISO 8601 has it; 0: not known. */
struct ep_report_moment ep_report_moment_utc(uint64_t realtime_ns);

/*
 * A line of what is known, nothing for the living program: "of ./server --port 80, process 4711,
 * 2026-11-21 17:34:07", in local time. A command that makes it longer than `columns` is cut with
 * `gap`; 0: it is not.
 */
void ep_report_origin_write(struct ep_output *out, const struct eprof_snapshot *snapshot,
                            size_t columns, const char *gap);

#endif /* EP_REPORT_ORIGIN_H */
