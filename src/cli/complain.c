#include "cli/complain.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/escape.h"
#include "base/terminal.h"

static void write_line(const char *before, const char *name, const char *text)
{
    struct ep_output out;
    ep_output_open(&out, stderr);
    ep_terminal_describe(&out);
    ep_output_text(&out, before);
    if (name) {
        ep_escape_name(&out, name);
        ep_output_text(&out, ": ");
    }
    ep_escape_name(&out, text);
    ep_output_text(&out, "\n");
    ep_output_close(&out); /* an error on stderr cannot be reported anywhere */
}

void ep_complain_values(const char *name, const char *format, va_list values)
{
    char *text;
    if (vasprintf(&text, format, values) < 0)
        text = NULL;
    write_line("eprof: ", name, text ? text : "no memory");
    free(text);
}

void ep_complain(const char *name, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    ep_complain_values(name, format, values);
    va_end(values);
}

int ep_complain_of_memory(void)
{
    ep_complain(NULL, "no memory");
    return EP_STATUS_FAILED;
}

int ep_complain_of_error(const char *name, int error)
{
    ep_complain(name, "%s", strerror(error));
    return EP_STATUS_FAILED;
}

/* ---- messages of the C library ---- */

static struct {
    int real, file;
    bool is_held, is_registered;
} held;

static bool is_plain(const char *text)
{
    size_t length;
    while (*text && (length = ep_escape_name_plain(text)) > 0)
        text += length;
    return !*text;
}

void ep_complain_release(void)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t bytes;
    if (!held.is_held)
        return;
    fflush(stderr);
    dup2(held.real, STDERR_FILENO);
    close(held.real);
    held.is_held = false;
    FILE *from = lseek(held.file, 0, SEEK_SET) == 0 ? fdopen(held.file, "r") : NULL;
    while (from && (bytes = getline(&line, &room, from)) > 0) {
        line[bytes - (line[bytes - 1] == '\n')] = '\0';
        write_line("", NULL, line);
    }
    free(line);
    if (from)
        fclose(from);
}

void ep_complain_hold(int argc, char **argv)
{
    int i = 0;
    while (i < argc && is_plain(argv[i]))
        i++;
    if (i == argc)
        return;
    if (!held.is_registered) /* argp calls exit() at most errors */
        held.is_registered = atexit(ep_complain_release) == 0;
    held.real = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    held.file = memfd_create("stderr", MFD_CLOEXEC);
    held.is_held = held.is_registered && held.real >= 0 && held.file >= 0 &&
                   dup2(held.file, STDERR_FILENO) >= 0;
}
