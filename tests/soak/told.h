/*
 * told.h - what the library says: the rows of its snapshots, reports and saved files
 *
 * Threads without a name of their own are told as one, "short": which of them shared a record
 * is the library's business.
 */
#ifndef SOAK_TOLD_H
#define SOAK_TOLD_H

#include <eprof.h>

#include "rows.h"

/* Its rows, settled. 0; or -1 where there is no memory for a snapshot. */
int told_by_snapshot(eprof_snapshot *(*take)(void), struct rows *rows);

/* Of eprof_report(). format: "csv" with options. 0; or -1: it failed, or is no such report. */
int told_by_report(const char *format, struct rows *rows);

/* Of eprof_save() to `path`, as the command `eprof report` tells it. As above. */
int told_by_file(const char *command, const char *path, const char *format, struct rows *rows);

#endif /* SOAK_TOLD_H */
