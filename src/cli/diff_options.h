/*
 * diff_options.h - the command line of `eprof diff`
 */
#ifndef EP_CLI_DIFF_OPTIONS_H
#define EP_CLI_DIFF_OPTIONS_H

#include "report_diff.h"

struct ep_diff_command_options {
    char **files; /* those of before, then those of after */
    size_t counts[EP_DIFF_SIDES];
    const char *output; /* NULL: stdout */
    const struct ep_report_diff *report;
    size_t top; /* so many rows; 0: as many as fit the format */
    struct ep_diff_options diff;
    bool is_gate;                /* --fail-above was given, */
    double fail_above_percent;   /* with this */
    const char *debug_directory; /* where separate debug information is as well; NULL: nowhere */
};

/* Ends the command where it is not understood, and for --help. Whether there are colours goes to
 * the environment, where the terminal is asked of them. */
struct ep_diff_command_options ep_diff_options_read(int argc, char **argv);
void ep_diff_options_free(struct ep_diff_command_options *diff);

#endif /* EP_CLI_DIFF_OPTIONS_H */
