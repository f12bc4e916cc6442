/*
 * shelter.h - work that may end its process is done in another one
 *
 * Files that others have made are read by libraries that were not written for hostile ones. What
 * such a file does to the process that reads it, this one only hears of.
 */
#ifndef EP_CLI_SHELTER_H
#define EP_CLI_SHELTER_H

#include <stdio.h>
#include <time.h>

/* What all work may take together is counted from here on. */
struct ep_shelter {
    struct timespec begun;
    time_t processor_seconds; /* that children had used before */
};

enum ep_shelter_end {
    EP_SHELTER_DONE,    /* all that was written is in `out` */
    EP_SHELTER_LONG,    /* it took longer than it may; nothing of it is in `out`, */
    EP_SHELTER_CRASHED, /* nor if it died of something else, or took more memory than it may, */
    EP_SHELTER_NONE     /* or no process could be made */
};

typedef void ep_shelter_work(void *arg, FILE *out);

void ep_shelter_open(struct ep_shelter *shelter);

/* Does the work in a child, of what this process has in memory. SIGCHLD must not be ignored. */
enum ep_shelter_end ep_shelter_do(const struct ep_shelter *shelter, ep_shelter_work *work,
                                  void *arg, FILE *out);

#endif /* EP_CLI_SHELTER_H */
