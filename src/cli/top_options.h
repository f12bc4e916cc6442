/*
 * top_options.h - the command line of `eprof top`
 */
#ifndef EP_CLI_TOP_OPTIONS_H
#define EP_CLI_TOP_OPTIONS_H

#include "top_view.h"

struct ep_top_options {
    const char *target;   /* a file, or a process id */
    uint64_t interval_ns; /* from one refresh to the next */
    uint64_t frames;      /* so many, and it ends; 0: no end */
    uint64_t lines;       /* the first so many; 0: what there is room for */
    bool is_raw;
    const char *debug_directory; /* where separate debug information is as well; NULL: nowhere */
    struct ep_top_view view;     /* as it begins */
};

/* Ends the command where it is not understood, and for --help. Whether there are colours goes to
 * the environment. */
struct ep_top_options ep_top_options_read(int argc, char **argv);

#endif /* EP_CLI_TOP_OPTIONS_H */
