/*
 * beside.h - a new file in the folder of another, to be renamed over it
 */
#ifndef EP_BESIDE_H
#define EP_BESIDE_H

#include <limits.h>
#include <sys/types.h>

/*
 * Creates a file that was not there before, for reading and writing, closed by exec, and gives
 * its descriptor, which is above stderr's; its name goes to `name`, which is empty where there is
 * none: -1 and errno. Needs no memory: a forked child of a program with threads may have none.
 */
int ep_beside_create(const char *path, mode_t mode, char name[PATH_MAX]);

#endif /* EP_BESIDE_H */
