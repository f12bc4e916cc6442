/*
 * cli/complain.h - lines on stderr, "eprof: NAME: what is wrong; what helps", and exit statuses
 *
 * Everything is escaped as names are on a terminal, so that a line stays one line whatever bytes it
 * contains.
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
/* Both return EP_STATUS_FAILED: there is no memory; what an errno means. */
int ep_complain_of_memory(void);
int ep_complain_of_error(const char *name, int error);

/*
 * getopt(3) writes an unknown option to stderr unescaped. If the arguments contain bytes that a
 * terminal would obey, stderr is a file in memory from hold to release, also at exit; its contents
 * are then written to the real stderr, escaped.
 */
void ep_complain_hold(int argc, char **argv);
void ep_complain_release(void);

#endif /* EP_CLI_COMPLAIN_H */
