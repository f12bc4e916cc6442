/*
 * pprof_head.h - what a profile for pprof is of, and what its values are
 */
#ifndef EP_CLI_PPROF_HEAD_H
#define EP_CLI_PPROF_HEAD_H

#include "pprof_texts.h"
#include "snapshot.h"

/* The values of each sample, in their order: of scopes, of instances. Calls come first since with
 * -mean pprof divides by the first. */
enum ep_pprof_value {
    EP_PPROF_CALLS,
    EP_PPROF_TIME,
    EP_PPROF_INSTANCE_CALLS,
    EP_PPROF_INSTANCE_TIME,
    EP_PPROF_VALUES
};

/* What all functions are in: the program. */
enum { EP_PPROF_PROGRAM = 1 };

void ep_pprof_head_write(struct ep_pprof_pieces *pieces, struct ep_pprof_texts *texts,
                         const struct eprof_snapshot *snapshot);

/* A line that pprof shows above its own reports. */
void ep_pprof_head_comment(struct ep_pprof_pieces *pieces, struct ep_pprof_texts *texts,
                           const char *line, size_t bytes);

#endif /* EP_CLI_PPROF_HEAD_H */
