#include "api/stderr_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/escape.h"
#include "base/file.h"

/* ---- which process loaded the library ---- */

static pid_t loader_id;

/* In a module with the static library this runs before the module's own constructors, which may use
 * the library. */
__attribute__((constructor(101))) static void note_loader(void)
{
    loader_id = getpid();
}

pid_t ep_stderr_line_loader_id(void)
{
    return loader_id;
}

/* ---- a line on stderr, while it is still the file that it was ---- */

/* Little enough for the alternate stack of a signal handler, which has 2 KiB at the least
 * (MINSIGSTKSZ); a longer name is cut, so that there is room for the message. */
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
    ep_file_signals_hold(&signals);
    ssize_t written = write(STDERR_FILENO, line, bytes);
    (void)written; /* a failure cannot be reported anywhere */
    ep_file_signals_release(&signals);
}

/* Appends `more` as far as there is room, with \xNN for each character that is not plain ASCII.
 * Returns the new end. */
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
    char line[PLAIN_LINE_BYTES] = ""; /* gcc -O0 warns that `limit` is uninitialized */
    const char *limit = line + sizeof line - 1, *name_limit = limit - PLAIN_WORDS_BYTES;
    char *end = append(line, limit, "eprof: ");
    end = append(append(append(end, limit, before), name_limit, name), limit, after);
    end = append(append(end, limit, ": "), limit, why);
    *end++ = '\n';
    write_line(line, (size_t)(end - line));
}

void ep_stderr_line(const char *before, const char *name, const char *after, const char *why)
{
    struct ep_text_output line;
    char *text = NULL;
    if (ep_output_text_open(&line) == 0) {
        ep_output_print(&line.out, "eprof: %s", before);
        ep_escape_name(&line.out, name);
        ep_output_print(&line.out, "%s: %s\n", after, why);
        text = ep_output_text_close(&line);
    }
    if (text)
        write_line(text, line.bytes);
    else
        ep_stderr_line_plain(before, name, after, why); /* which needs no memory */
    free(text);
}
