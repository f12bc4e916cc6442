#include "replace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "beside.h"

static void remove_temporary(const struct ep_replace *file)
{
    int error = errno;
    unlink(file->temporary);
    errno = error;
}

static int open_beside(struct ep_replace *file, const struct stat *old)
{
    /* until it has the permissions of the old one, nobody else may open it */
    char name[PATH_MAX];
    int descriptor = ep_beside_create(file->path, old ? 0600 : 0666, name);
    if (descriptor < 0)
        return -1;
    file->temporary = strdup(name);
    if (!file->temporary) {
        unlink(name);
        close(descriptor);
        return -1;
    }
    if (!old || fchmod(descriptor, old->st_mode & 0777) == 0)
        file->stream = fdopen(descriptor, "w");
    if (file->stream)
        return 0;
    remove_temporary(file);
    close(descriptor);
    return -1;
}

static int open_directly(struct ep_replace *file)
{
    /* at its end: /dev/stdout may be a file with the program's own output in it */
    file->stream = fopen(file->path, "ae");
    return file->stream ? 0 : -1;
}

static void forget(struct ep_replace *file)
{
    int error = errno;
    free(file->path);
    free(file->temporary);
    *file = (struct ep_replace){NULL, NULL, NULL};
    errno = error;
}

static int open_path(struct ep_replace *file, const char *path)
{
    struct stat old;
    bool exists = stat(path, &old) == 0;
    if (!exists && (errno != ENOENT || !*path))
        return -1;
    /* what /dev/stdout leads to belongs to whoever redirected it, a regular file too */
    bool replaces = exists && S_ISREG(old.st_mode) && strncmp(path, "/dev/", 5) != 0;
    /* a pipe behind /dev/stdout has no other path; a file's link shall stay a link */
    file->path = replaces ? realpath(path, NULL) : strdup(path);
    if (!file->path)
        return -1;
    if (!replaces)
        return exists ? open_directly(file) : open_beside(file, NULL);
    if (faccessat(AT_FDCWD, file->path, W_OK, AT_EACCESS) != 0)
        return -1;
    return open_beside(file, &old);
}

int ep_replace_open(struct ep_replace *file, const char *path)
{
    *file = (struct ep_replace){NULL, NULL, NULL};
    if (open_path(file, path) == 0)
        return 0;
    forget(file);
    return -1;
}

/* The stream's own memory of a failed write is asked too: fclose() does not
 * tell of what was lost before. */
static int close_stream(FILE *stream)
{
    bool failed = ferror(stream) != 0;
    if (fclose(stream) != 0)
        return -1;
    if (failed)
        errno = EIO;
    return failed ? -1 : 0;
}

int ep_replace_close(struct ep_replace *file, int keep)
{
    int errno_before = errno;
    int result = close_stream(file->stream);
    if (!keep)
        result = 0; /* what is thrown away need not be whole */
    if (keep && result == 0 && file->temporary)
        result = rename(file->temporary, file->path);
    if (file->temporary && (!keep || result != 0))
        remove_temporary(file);
    if (result == 0)
        errno = errno_before;
    forget(file);
    return result;
}
