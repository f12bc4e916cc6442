#include "stderr_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "escape_name.h"
#include "output.h"
#include "write_signals.h"

/* Little enough for the alternate stack of a signal handler, which has 2 KiB at the least
 * (MINSIGSTKSZ); a longer name is cut, so that there is room for what is said of it. */
enum { PLAIN_LINE_BYTES = 1024, PLAIN_WORDS_BYTES = 256 };

static struct stat at_first;

void ep_stderr_line_begin(void)
{
    fstat(STDERR_FILENO, &at_first);
}

/* A program may have closed descriptor 2 and opened its database under that number. */
bool ep_stderr_line_is_same(void)
{
    struct stat now;
    return fstat(STDERR_FILENO, &now) == 0 && now.st_dev == at_first.st_dev &&
           now.st_ino == at_first.st_ino;
}

static void write_line(const char *line, size_t bytes)
{
    struct ep_write_signals signals;
    if (!ep_stderr_line_is_same())
        return;
    ep_write_signals_hold(&signals);
    ssize_t written = write(STDERR_FILENO, line, bytes);
    (void)written; /* there is nobody else to tell */
    ep_write_signals_release(&signals);
}

/* Where `text` ends when `more` is behind it, as far as there is room; what is not plain ASCII
 * as \xNN. */
static char *append(char *end, const char *limit, const char *more)
{
    for (; *more && limit - end > 4; more++) {
        bool is_plain = *more >= ' ' && *more <= '~';
        end += is_plain ? snprintf(end, 2, "%c", *more)
                        : snprintf(end, 5, "\\x%02X", (unsigned char)*more);
    }
    return end;
}

void ep_stderr_line_plain(const char *before, const char *name, const char *after, const char *why)
{
    char line[PLAIN_LINE_BYTES];
    const char *limit = line + sizeof line - 1, *name_limit = limit - PLAIN_WORDS_BYTES;
    char *end = append(line, limit, "eprof: ");
    end = append(append(append(end, limit, before), name_limit, name), limit, after);
    end = append(append(end, limit, ": "), limit, why);
    *end++ = '\n';
    write_line(line, (size_t)(end - line));
}

static int print(FILE *stream, const char *before, const char *name, const char *after,
                 const char *why)
{
    struct ep_output out;
    ep_output_open(&out, stream);
    ep_output_print(&out, "eprof: %s", before);
    ep_escape_name(&out, name);
    ep_output_print(&out, "%s: %s\n", after, why);
    return ep_output_close(&out);
}

void ep_stderr_line(const char *before, const char *name, const char *after, const char *why)
{
    char *line = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&line, &bytes);
    bool is_whole = stream && print(stream, before, name, after, why) == 0;
    if (stream && fclose(stream) == 0 && is_whole)
        write_line(line, bytes);
    else
        ep_stderr_line_plain(before, name, after, why); /* which needs no memory */
    free(line);
}
