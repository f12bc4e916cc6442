/*
 * api/at_exit.h - the reports that are written when the program ends, and what is given back when a
 * module with the static library is unloaded
 */
#ifndef EP_API_AT_EXIT_H
#define EP_API_AT_EXIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/report.h"

/* At first use: registers the end with atexit(). `forget` is called when the module is unloaded. */
void ep_at_exit_begin(void (*forget)(void));

/*
 * Adds a report. `format` is the first `format_bytes` bytes of the text, with options. `path` is
 * NULL for stderr, "-" for stdout, else a pattern (api/path_pattern.h). A report in the same
 * format that the environment requested takes precedence. Returns 0, or -1 and ENOMEM. The
 * caller holds the process lock.
 */
int ep_at_exit_report_add(const struct ep_report *report, const char *format, size_t format_bytes,
                          const char *path, bool is_of_environment);

/* No report goes to stdout or stderr at the end; those for files are written. */
void ep_at_exit_be_quiet(void);

/* The program has written a report itself, so it gets no call tree at its end. */
void ep_at_exit_tree_reported(void);

/* For a process of a job, whose images are merged before they end: the reports wait for the last
 * destructor, since the program may merge in a handler of atexit() that runs after the library's.
 */
void ep_at_exit_job_begin(void);
/* The merged image takes the place of this process: its reports are written now, and this process
 * writes none at its end. `image` is a private one, which gets names of functions; NULL: another
 * process writes the reports. */
void ep_at_exit_job_end(struct ep_image *image);
/* The processes could not merge: this one writes its reports at its end, to files of its own.
 * of_rank is that of api/path_pattern.h. */
void ep_at_exit_job_fail(uint64_t of_rank);

#endif /* EP_API_AT_EXIT_H */
