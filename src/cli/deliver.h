/*
 * deliver.h - a report goes where --output says
 */
#ifndef EP_CLI_DELIVER_H
#define EP_CLI_DELIVER_H

#include <stdio.h>

#include "status.h"

/*
 * Writes to `path`; NULL and "-" are stdout. An older file is there until the new one is whole, and
 * a profile is left alone. `write` returns 0, or -1 and errno. What went wrong was complained of.
 */
enum ep_status ep_deliver(const char *path, int (*write)(const void *context, FILE *stream),
                          const void *context);

/* Whether that is the terminal. */
int ep_deliver_is_terminal(const char *path);

#endif /* EP_CLI_DELIVER_H */
