/*
 * merge_options.h - the command line of `eprof merge`
 */
#ifndef EP_CLI_MERGE_OPTIONS_H
#define EP_CLI_MERGE_OPTIONS_H

#include <stddef.h>

struct ep_merge_options {
    char *const *files;
    size_t file_count;
    const char *output;
    const char *debug_directory; /* where separate debug information is as well; NULL: nowhere */
};

/* Ends the command where it is not understood, and for --help. */
struct ep_merge_options ep_merge_options_read(int argc, char **argv);

#endif /* EP_CLI_MERGE_OPTIONS_H */
