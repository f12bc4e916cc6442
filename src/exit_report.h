/*
 * exit_report.h - the reports that are written when the program ends
 */
#ifndef EP_EXIT_REPORT_H
#define EP_EXIT_REPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "report.h"

/* At first use: sees to the end. */
void ep_exit_report_begin(void);

/*
 * Adds a report: `format` is its first `format_bytes` bytes of text, with its
 * options. path: NULL is stderr, "-" stdout; else a file, in which `%p` stands
 * for the process id and `%%` for a percent sign. What the environment named of
 * the same format stays, whatever the program says. 0, or -1 and ENOMEM. Lock.
 */
int ep_exit_report_add(const struct ep_report *report, const char *format, size_t format_bytes,
                       const char *path, bool is_of_environment);

#endif /* EP_EXIT_REPORT_H */
