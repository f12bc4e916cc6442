#include "beside.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Names carry the process id, so that few are in each other's way: threads, what
 * a killed process of that number left, processes of another container. */
enum { TRIES = 1000 };

/* A name in the directory of `path` that is short whatever the file's name is. */
static int name_beside(char name[PATH_MAX], const char *path, unsigned try)
{
    const char *slash = strrchr(path, '/');
    int directory_bytes = slash ? (int)(slash + 1 - path) : 0;
    int bytes = snprintf(name, PATH_MAX, "%.*seprof-%ld-%u.tmp", directory_bytes, path,
                         (long)getpid(), try);
    if (bytes < PATH_MAX)
        return 0;
    errno = ENAMETOOLONG;
    return -1;
}

/* In a program that was started without stdin, stdout or stderr, the file must not take that
 * number: what the program says would be written into it. */
static int above_standard_ones(int descriptor)
{
    if (descriptor > STDERR_FILENO)
        return descriptor;
    int above = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    int error = errno;
    close(descriptor);
    errno = error;
    return above;
}

static int create(const char *name, mode_t mode)
{
    int descriptor = open(name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    if (descriptor < 0)
        return -1;
    int above = above_standard_ones(descriptor);
    if (above < 0)
        unlink(name);
    return above;
}

int ep_beside_create(const char *path, mode_t mode, char name[PATH_MAX])
{
    for (unsigned try = 0; try < TRIES && name_beside(name, path, try) == 0; try++) {
        int descriptor = create(name, mode);
        if (descriptor >= 0)
            return descriptor;
        if (errno != EEXIST)
            break;
    }
    name[0] = '\0';
    return -1;
}
