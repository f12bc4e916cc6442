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
#include <stdint.h>

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

/* The formats of `eprof report`, for a message: those of the library, and pprof. */
#ifdef EPROF_PPROF
#define EP_REPORT_FORMATS_NAMES EP_REPORT_NAMES ", pprof"
#else
#define EP_REPORT_FORMATS_NAMES EP_REPORT_NAMES
#endif

struct ep_report_options {
    char *const *files;
    size_t file_count;
    const char *output;             /* NULL: stdout */
    const struct ep_report *report; /* NULL: ep_report_choice() */
    struct ep_snapshot_options snapshot;
    struct ep_view view;
    const char *debug_directory; /* also searched for separate debug information; NULL: none */
};

struct ep_report_options ep_report_options_read(int argc, char **argv);

struct ep_merge_options {
    char *const *files;
    size_t file_count;
    const char *output;
    const char *debug_directory; /* as above */
};

struct ep_merge_options ep_merge_options_read(int argc, char **argv);

struct ep_diff_command_options {
    char **files; /* those of before, then those of after */
    size_t counts[EP_DIFF_SIDES];
    const char *output; /* NULL: stdout */
    const struct ep_report_diff *report;
    size_t top; /* at most so many rows; 0: the format's own choice */
    struct ep_diff_options diff;
    bool is_gate;                /* --fail-above was given, */
    double fail_above_percent;   /* with this argument */
    const char *debug_directory; /* as above */
};

/* To be freed. */
struct ep_diff_command_options ep_diff_options_read(int argc, char **argv);
void ep_diff_options_free(struct ep_diff_command_options *diff);

#endif /* EP_CLI_OPTIONS_H */
