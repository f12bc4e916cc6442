/*
 * cli/pprof/pprof.h - a profile for `go tool pprof` of several processes
 *
 * The profile of one process is a report like others: ep_pprof_report (cli/options.h).
 */
#ifndef EP_CLI_PPROF_PPROF_H
#define EP_CLI_PPROF_PPROF_H

#include "base/output.h"
#include "snapshot/snapshot.h"

/* Of the whole profile. */
struct ep_pprof_head {
    uint64_t realtime_ns; /* its begin; 0: that of the first process */
    uint64_t duration_ns; /* 0: not known */
};

struct ep_pprof; /* in pprof.c */

/* Errors go to `out`. NULL and ENOMEM. */
struct ep_pprof *ep_pprof_begin(struct ep_output *out, const struct ep_pprof_head *head);
/* Adds the rows of a process. Samples get the label `process`; NULL: none, and the notes of the
 * report are comments of the profile. */
void ep_pprof_add(struct ep_pprof *to, const struct eprof_snapshot *snapshot, const char *process);
/* Adds a comment of the profile. */
void ep_pprof_comment(struct ep_pprof *to, const char *line);
/* Writes the rest, and frees the writer. */
void ep_pprof_end(struct ep_pprof *to);

#endif /* EP_CLI_PPROF_PPROF_H */
