/*
 * told.h - the rows of the library's snapshots, reports and saved files
 *
 * All threads without their own name are read as one, "short": the library decides which of them
 * share a record.
 */
#ifndef SOAK_TOLD_H
#define SOAK_TOLD_H

#include <eprof.h>

#include "rows.h"

/* The rows of a snapshot, settled. Returns 0; or -1 if there is no memory for a snapshot. */
int told_by_snapshot(eprof_snapshot *(*take)(void), struct rows *rows);

/* The rows of eprof_report(). format: "csv" with options. Returns 0; or -1 if it failed, or is not
 * such a report. */
int told_by_report(const char *format, struct rows *rows);

/* The rows of a file that eprof_save() writes to `path` and `eprof report` reads. The result is as
 * above. */
int told_by_file(const char *command, const char *path, const char *format, struct rows *rows);

#endif /* SOAK_TOLD_H */
