/*
 * progress.h - how far the command has come, where somebody looks on
 */
#ifndef EP_CLI_PROGRESS_H
#define EP_CLI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

/* One line of stderr, if that is a terminal; else nothing. */
struct ep_progress {
    const char *what; /* "reading" */
    size_t steps;     /* there are so many */
    size_t done;
    bool is_seen;
    unsigned shown; /* how many hundredths are drawn */
};

struct ep_progress ep_progress_begin(const char *what, size_t steps);
/* One more is done. */
void ep_progress_step(struct ep_progress *progress);
/* The line is gone again. */
void ep_progress_end(struct ep_progress *progress);

#endif /* EP_CLI_PROGRESS_H */
