#include "stderr_line.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "output.h"
#include "write_signals.h"

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

char *ep_stderr_line_text(const char *before, const char *name, const char *after)
{
    char *line = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&line, &bytes);
    if (!stream)
        return NULL;
    struct ep_output out;
    ep_output_open(&out, stream);
    ep_output_print(&out, "eprof: %s", before);
    ep_output_name(&out, name);
    ep_output_print(&out, "%s: ", after);
    ep_output_close(&out);
    if (fclose(stream) == 0)
        return line;
    free(line);
    return NULL;
}

void ep_stderr_line_continue(const char *text, const char *why)
{
    if (!text || !ep_stderr_line_is_same())
        return;
    struct iovec parts[] = {
        {.iov_base = (void *)(uintptr_t)text, .iov_len = strlen(text)},
        {.iov_base = (void *)(uintptr_t)why, .iov_len = strlen(why)},
        {.iov_base = (void *)(uintptr_t) "\n", .iov_len = 1},
    };
    struct ep_write_signals signals;
    ep_write_signals_hold(&signals);
    ssize_t written = writev(STDERR_FILENO, parts, sizeof parts / sizeof parts[0]);
    (void)written; /* there is nobody else to tell */
    ep_write_signals_release(&signals);
}

void ep_stderr_line(const char *before, const char *name, const char *after, const char *why)
{
    char *text = ep_stderr_line_is_same() ? ep_stderr_line_text(before, name, after) : NULL;
    ep_stderr_line_continue(text, why);
    free(text);
}
