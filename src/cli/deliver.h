/*
 * cli/deliver.h - writes a report to the file that --output names
 */
#ifndef EP_CLI_DELIVER_H
#define EP_CLI_DELIVER_H

#include <stdio.h>

/*
 * Signals while a file is written. The file is written under another name in its folder, and then
 * renamed. If a signal ends the command before that, the signal's handler removes the file first.
 */

/* From now on a write beyond the limit of a file's size fails with EFBIG, and does not end the
 * command without a message. Must not be called before a program is started, since the program
 * would inherit the setting. */
void ep_deliver_signals_survive_size_limit(void);
/* Blocks the signals that end the command until ep_deliver_signals_watch(). */
void ep_deliver_signals_hold(void);
/* Unblocks these signals. From now on each of them removes the file `temporary`, unless that is
 * NULL. */
void ep_deliver_signals_watch(const char *temporary);

/*
 * Writes to `path`; NULL and "-" are stdout. An older file stays until the new one is complete; a
 * profile is never replaced. `write` returns 0, or -1 and errno. Errors are reported on stderr.
 */
int ep_deliver(const char *path, int (*write)(const void *context, FILE *stream),
               const void *context);
/* Whether the path means stdout, and stdout is a terminal. */
int ep_deliver_is_terminal(const char *path);

#endif /* EP_CLI_DELIVER_H */
