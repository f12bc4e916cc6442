#include "deliver.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "complain.h"
#include "image_file.h"
#include "replace.h"

static bool is_stdout(const char *path)
{
    return !path || strcmp(path, "-") == 0;
}

int ep_deliver_is_terminal(const char *path)
{
    return is_stdout(path) && isatty(STDOUT_FILENO);
}

/* A slip of the keyboard must not cost the figures of a week, nor one that nobody can look at. 1 or
 * 0, or -1 and errno. */
static int is_profile(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0)
        return errno == ENOENT ? 0 : -1;
    if (!S_ISREG(status.st_mode))
        return 0;
    int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file < 0)
        return -1;
    int result = ep_image_file_is_image(file);
    int error = errno;
    close(file);
    errno = error;
    return result;
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
    int is = is_profile(path);
    if (is < 0)
        return fail(path, errno);
    if (is) {
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
