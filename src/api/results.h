/*
 * api/results.h - a snapshot of the living image, and a report of it
 */
#ifndef EP_API_RESULTS_H
#define EP_API_RESULTS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "snapshot/snapshot.h"

/* Between these calls the reports of this thread show the moment of the first call. So at the end
 * of the program open scopes last until the end, and not until the names of functions have arrived.
 * The caller holds the process lock. */
void ep_results_moment_begin(void);
void ep_results_moment_end(void);

/* That moment, else now, in ticks of the current source. *cpu_ns is the processor time of this
 * thread, + 1; 0 if it is not recorded. The caller holds the process lock. */
uint64_t ep_results_moment_of_report(uint64_t *cpu_ns);

/* Takes a snapshot. With `only_grows` no figure is below that of an earlier snapshot. NULL and
 * errno. Takes the lock. */
struct eprof_snapshot *ep_results_take(struct ep_snapshot_options options, bool only_grows);

/* eprof_report(), or the same of a merged image. */
int ep_results_write(FILE *out, const char *format, const struct ep_image *merged);

/* Frees the figures of earlier snapshots. */
void ep_results_forget(void);

#endif /* EP_API_RESULTS_H */
