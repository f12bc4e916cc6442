/*
 * top_target.h - the file that `eprof top` is to look at
 */
#ifndef EP_CLI_TOP_TARGET_H
#define EP_CLI_TOP_TARGET_H

#include <limits.h>

struct ep_top_target {
    char path[PATH_MAX]; /* to be read at each refresh: what has been put there since counts */
    int file;            /* of a process, its image: path leads to it; else -1 */
};

/*
 * Digits are the number of a process, unless a file is called so. Its image is held from then on,
 * so that it can be read when the process has ended, wherever its file is. 0; -1, and a line on
 * stderr says what is wrong.
 */
int ep_top_target_open(struct ep_top_target *target, const char *name);
void ep_top_target_close(struct ep_top_target *target);

#endif /* EP_CLI_TOP_TARGET_H */
