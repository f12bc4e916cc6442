/*
 * api/stderr_line.h - lines on stderr, unless descriptor 2 has become another file
 */
#ifndef EP_API_STDERR_LINE_H
#define EP_API_STDERR_LINE_H

#include <stdbool.h>
#include <sys/types.h>

/* The process that loaded the library; every other one is a forked child, even if it was forked
 * before the first use. */
pid_t ep_stderr_line_loader_id(void);

/* At first use: notes which file descriptor 2 is. */
void ep_stderr_line_begin(void);
/* Whether it still is that file. */
bool ep_stderr_line_is_same(void);

/*
 * Writes "eprof: ", before, name, after, ": " and why: one line regardless of the bytes in the
 * name, in one write, so that lines of several processes do not mix. Writes nothing if descriptor 2
 * is another file.
 */
void ep_stderr_line(const char *before, const char *name, const char *after, const char *why);

/* The same without memory and locks, for signal handlers and forked children: bytes that are not
 * ASCII are shown as \xNN, and a very long name is cut. */
void ep_stderr_line_plain(const char *before, const char *name, const char *after, const char *why);

#endif /* EP_API_STDERR_LINE_H */
