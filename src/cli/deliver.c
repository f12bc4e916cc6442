#include "deliver.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "cell.h"
#include "complain.h"
#include "replace.h"

static bool is_stdout(const char *path)
{
    return !path || strcmp(path, "-") == 0;
}

int ep_deliver_is_terminal(const char *path)
{
    return is_stdout(path) && isatty(STDOUT_FILENO);
}

/* A slip of the keyboard must not cost the figures of a week. */
static bool is_profile(const char *path)
{
    char magic[sizeof EP_IMAGE_MAGIC - 1];
    int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    bool is = file >= 0 && pread(file, magic, sizeof magic, 0) == (ssize_t)sizeof magic &&
              memcmp(magic, EP_IMAGE_MAGIC, sizeof magic) == 0;
    if (file >= 0)
        close(file);
    return is;
}

static enum ep_status fail(const char *name, int error)
{
    ep_complain(name, "%s", strerror(error));
    return EP_STATUS_FAILED;
}

static enum ep_status write_to_file(const char *path,
                                    int (*write)(const void *context, FILE *stream),
                                    const void *context)
{
    struct ep_replace file;
    if (is_profile(path)) {
        ep_complain(path, "a profile, and is left alone; name another file with -o");
        return EP_STATUS_USAGE;
    }
    if (ep_replace_open(&file, path) != 0)
        return fail(path, errno);
    int error = write(context, file.stream) != 0 ? errno : 0;
    if (ep_replace_close(&file, !error) != 0 && !error)
        error = errno;
    return error ? fail(path, error) : EP_STATUS_DONE;
}

enum ep_status ep_deliver(const char *path, int (*write)(const void *context, FILE *stream),
                          const void *context)
{
    if (!is_stdout(path))
        return write_to_file(path, write, context);
    return write(context, stdout) == 0 ? EP_STATUS_DONE : fail("stdout", errno);
}
