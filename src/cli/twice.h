/*
 * twice.h - a file that is named twice
 */
#ifndef EP_CLI_TWICE_H
#define EP_CLI_TWICE_H

#include <stddef.h>

/* One of the paths whose file is that of another of them, by whatever name; NULL: none is. Those that
 * are not there are not looked at. */
const char *ep_twice_find(char *const *paths, size_t count);

#endif /* EP_CLI_TWICE_H */
