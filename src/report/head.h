/*
 * head.h - the head of a report: how long the process ran, how much of that its scopes cover, and
 * what profiling cost it
 */
#ifndef EP_REPORT_HEAD_H
#define EP_REPORT_HEAD_H

#include "base/output.h"
#include "report/format.h"
#include "snapshot/snapshot.h"

/* The measured time: that of all roots, in the unit of the rows. */
uint64_t ep_report_head_measured(const struct eprof_snapshot *snapshot);

/* The time of all roots in the wall time: "98 %". More than 100 % if several threads are in scopes.
 * Empty if that is not known, or if the source does not show wall time. */
struct ep_report_figure ep_report_head_cover(const struct eprof_snapshot *snapshot);

/* What the probes cost, with its share in the processor time of the process: "12.3 ms, 1.0 % of the
 * processor time". Empty if it is not known. */
struct ep_report_text {
    char text[128];
};
struct ep_report_text ep_report_head_overhead(const struct eprof_snapshot *snapshot);
/* That share alone: "1.0 %". Empty if it is not known. */
struct ep_report_figure ep_report_head_overhead_share(const struct eprof_snapshot *snapshot);

/* What the profile is of: "ranks" or "processes". */
const char *ep_report_head_processes(const struct eprof_snapshot *snapshot);

/* Whether anything is known of the run. */
bool ep_report_head_is_known(const struct eprof_snapshot *snapshot);

/* Lines with all that is known. */
void ep_report_head_write(struct ep_output *out, const struct eprof_snapshot *snapshot);

/* The same without advice as one line, which is not ended. `parts`: what it also has. */
enum { EP_REPORT_HEAD_WALL = 1, EP_REPORT_HEAD_SHARE = 2 /* of the overhead */ };
void ep_report_head_write_line(struct ep_output *out, const struct eprof_snapshot *snapshot,
                               unsigned parts);

/* "as of the last update of the profile": times of a process that was killed or still runs; of
 * several, if that holds for some, "partly ..."; else empty. */
const char *ep_report_head_moment(const struct eprof_snapshot *snapshot);

#endif /* EP_REPORT_HEAD_H */
