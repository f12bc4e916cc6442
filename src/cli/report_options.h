/*
 * report_options.h - the command line of `eprof report`
 */
#ifndef EP_CLI_REPORT_OPTIONS_H
#define EP_CLI_REPORT_OPTIONS_H

#include "report.h"
#include "snapshot_view.h"

struct ep_report_options {
    char *const *files;
    size_t file_count;
    const char *output;             /* NULL: stdout */
    const struct ep_report *report; /* NULL: the one that fits */
    struct ep_snapshot_options snapshot;
    struct ep_view view;
    const char *debug_directory; /* where separate debug information is as well; NULL: nowhere */
};

/* Ends the command where it is not understood, and for --help. Whether there are colours goes
 * to the environment, where the terminal is asked of them. */
struct ep_report_options ep_report_options_read(int argc, char **argv);

#endif /* EP_CLI_REPORT_OPTIONS_H */
