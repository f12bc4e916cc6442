/*
 * cli/complain.h - lines on stderr, "eprof: NAME: what is wrong; what helps", and exit statuses
 *
 * All text is escaped like a name on a terminal, so a line stays one line even if a name contains a
 * newline.
 */
#ifndef EP_CLI_COMPLAIN_H
#define EP_CLI_COMPLAIN_H

#include <stdarg.h>

#include "base/compiler.h"

enum ep_status {
    EP_STATUS_DONE = 0,
    EP_STATUS_FAILED = 1,
    EP_STATUS_USAGE = 2,
    EP_STATUS_FOUND = 3, /* a region is slower than --fail-above allows */
    /* A program that could not be run: as in a shell (POSIX.1-2017, XCU 2.8.2). */
    EP_STATUS_NOT_EXECUTABLE = 126,
    EP_STATUS_NOT_FOUND = 127,
    EP_STATUS_SIGNAL = 128 /* plus the signal's number */
};

/* `name` may be NULL. */
void ep_complain(const char *name, const char *format, ...) EP_PRINTF(2, 3);
void ep_complain_values(const char *name, const char *format, va_list values) EP_PRINTF(2, 0);
/* The first reports that there is no memory, the second the meaning of an errno. Both return
 * EP_STATUS_FAILED. */
int ep_complain_of_memory(void);
int ep_complain_of_error(const char *name, int error);

/*
 * getopt(3) writes an unknown option to stderr unescaped. If the arguments contain control
 * characters, ep_complain_hold() replaces stderr by a file in memory. ep_complain_release(), which
 * exit() also calls, writes the contents of the file to the real stderr, escaped.
 */
void ep_complain_hold(int argc, char **argv);
void ep_complain_release(void);

#endif /* EP_CLI_COMPLAIN_H */
