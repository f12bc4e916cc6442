/*
 * run_options.h - the command line of `eprof run`
 */
#ifndef EP_CLI_RUN_OPTIONS_H
#define EP_CLI_RUN_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct ep_run_options {
    const char *file; /* a pattern (profile_pattern.h); NULL: named by the program */
    uint64_t repeat;
    bool is_quiet;
    bool is_auto;       /* the library for the compiler's hooks is preloaded */
    const char *source; /* NULL: nothing is said of it */
    char **program;     /* with its arguments, and a NULL behind them */
};

/* Ends the command where it is not understood, and for --help. */
struct ep_run_options ep_run_options_read(int argc, char **argv);

#endif /* EP_CLI_RUN_OPTIONS_H */
