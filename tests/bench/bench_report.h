/*
 * bench_report.h - how long a report of a large call tree takes
 *
 * The tree has five levels, of ten each: 111,110 nodes, and as many rows. Of each figure the
 * median of fifteen times counts.
 */
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include <stdbool.h>

/* In ms; false and errno: it could not be had. */
bool bench_report_snapshot(double *ms); /* eprof_snapshot_take() and eprof_snapshot_free() */
bool bench_report_tree(double *ms);     /* eprof_report(), to /dev/null */
bool bench_report_csv(double *ms);

#endif /* BENCH_REPORT_H */
