/*
 * cli/options.h - the command lines of the commands, and the formats of `eprof report`
 *
 * Each ep_X_options_read() exits on a wrong command line and on --help. --color is stored in the
 * environment (cli/usage.h).
 */
#ifndef EP_CLI_OPTIONS_H
#define EP_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/load.h"
#include "report/report.h"
#include "report_diff/report.h"
#include "snapshot/view.h"

struct ep_run_options {
    const char *file; /* a pattern (cli/run_files.h); NULL: derived from the program's name */
    size_t repeat;
    bool is_quiet;
    bool is_auto;       /* preload the library for the compiler's hooks */
    const char *source; /* NULL: not given */
    char **program;     /* with its arguments and a final NULL */
};

struct ep_run_options ep_run_options_read(int argc, char **argv);

/* The report that is written if no format was given: the tree if there are scopes, else the
 * table. */
const struct ep_report *ep_report_choice(const struct eprof_snapshot *snapshot);

extern const struct ep_report ep_pprof_report; /* if pprof/pprof.c is built */

/* The formats of `eprof report`, for a message: those of the library, and pprof. */
#ifdef EPROF_PPROF
#define EP_REPORT_FORMATS_NAMES EP_REPORT_NAMES ", pprof"
#else
#define EP_REPORT_FORMATS_NAMES EP_REPORT_NAMES
#endif

struct ep_report_options {
    struct ep_load_files files;
    const char *output;             /* NULL: stdout */
    const struct ep_report *report; /* NULL: ep_report_choice() */
    struct ep_snapshot_options snapshot;
    struct ep_view view;
    bool has_options; /* the command line has more than files */
    bool is_by_process;
};

struct ep_report_options ep_report_options_read(int argc, char **argv);

struct ep_merge_options {
    struct ep_load_files files;
    const char *output;
};

struct ep_merge_options ep_merge_options_read(int argc, char **argv);

struct ep_diff_command_options {
    char **files; /* those of before, then those of after; to be freed */
    size_t counts[EP_DIFF_SIDES];
    const char *output; /* NULL: stdout */
    const struct ep_report_diff *report;
    size_t top; /* at most so many rows; 0: the format's own choice */
    struct ep_diff_options diff;
    bool is_gate;                /* --fail-above was given */
    double fail_above_percent;   /* the argument of --fail-above */
    const char *debug_directory; /* as in struct ep_load_files */
};

struct ep_diff_command_options ep_diff_options_read(int argc, char **argv);

#endif /* EP_CLI_OPTIONS_H */
