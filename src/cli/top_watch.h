/*
 * top_watch.h - a file that is looked at again and again
 */
#ifndef EP_CLI_TOP_WATCH_H
#define EP_CLI_TOP_WATCH_H

#include <sys/stat.h>

#include "top_head.h"
#include "top_options.h"
#include "top_target.h"

struct ep_top_watch {
    struct ep_top_target target;
    struct ep_look_up look_up; /* the names that are known */
    struct ep_top_sight sight; /* the last one */
    struct ep_top_notes notes;
    struct stat seen; /* the file of the last one */
    char why[160];    /* what notes.why is */
    bool is_raw;
    uint64_t interval_ns;
    uint64_t due_ns; /* when it is to be looked at again, on CLOCK_MONOTONIC */
};

/* Looks for the first time. 0; -1, and a line on stderr says what is wrong. */
int ep_top_watch_open(struct ep_top_watch *watch, const struct ep_top_options *options);
/* Looks again: where that fails, the last sight stays, and the notes say why. */
void ep_top_watch_look(struct ep_top_watch *watch);
void ep_top_watch_close(struct ep_top_watch *watch);

#endif /* EP_CLI_TOP_WATCH_H */
