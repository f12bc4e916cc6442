/*
 * stderr_line.h - a line on stderr, while it is still the file that it was
 */
#ifndef EP_STDERR_LINE_H
#define EP_STDERR_LINE_H

#include <stdbool.h>

/* Notes what file descriptor 2 is. */
void ep_stderr_line_begin(void);
/* Whether it still is. */
bool ep_stderr_line_is_same(void);

/*
 * "eprof: BEFORE NAME AFTER: WHY", without the blanks: one line whatever bytes
 * the name has, and in one piece, so that lines of several processes do not mix.
 * Nothing where descriptor 2 is another file now.
 */
void ep_stderr_line(const char *before, const char *name, const char *after, const char *why);

/* The same without memory and without a lock, as in a signal handler, or in a forked child that may
 * find none of both: what is not ASCII is shown as \xNN, and a very long name is cut. */
void ep_stderr_line_plain(const char *before, const char *name, const char *after, const char *why);

#endif /* EP_STDERR_LINE_H */
