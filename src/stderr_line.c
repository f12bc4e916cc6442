#include "stderr_line.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output.h"

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

void ep_stderr_line(const char *before, const char *name, const char *after, const char *why)
{
    char *line = NULL;
    size_t bytes = 0;
    FILE *stream = ep_stderr_line_is_same() ? open_memstream(&line, &bytes) : NULL;
    if (!stream)
        return;
    struct ep_output out;
    ep_output_open(&out, stream);
    ep_output_print(&out, "eprof: %s", before);
    ep_output_name(&out, name);
    ep_output_print(&out, "%s: %s\n", after, why);
    ep_output_close(&out);
    if (fclose(stream) == 0) {
        ssize_t written = write(STDERR_FILENO, line, bytes);
        (void)written; /* there is nobody else to tell */
    }
    free(line);
}
