/*
 * beside.h - a new file in the folder of another, to be renamed over it
 */
#ifndef EP_BESIDE_H
#define EP_BESIDE_H

#include <sys/types.h>

/*
 * Creates a file that was not there before, for reading and writing, closed by exec, and gives
 * its descriptor, which is above stderr's; its name goes to *name and is the caller's to free. -1
 * and errno.
 */
int ep_beside_create(const char *path, mode_t mode, char **name);

#endif /* EP_BESIDE_H */
