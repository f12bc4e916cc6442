#include "image_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "beside.h"
#include "cell.h"
#include "read_at.h"

/* Another program may put a file there between the look and the rename: then all is looked at
 * again. It will not do so for ever. */
enum { MOST_ROUNDS = 100 };

/* A reader holds the lock for some microseconds, to see whether it is held. */
enum { LOCK_TRIES = 50 };
static const struct timespec between_tries = {.tv_nsec = 1000000};

static int refuse(int error, const char **why, const char *reason)
{
    *why = reason ? reason : strerror(error);
    errno = error;
    return -1;
}

/* ---- what is in its place ---- */

static int lock(int descriptor)
{
    for (int tries = 1; flock(descriptor, LOCK_EX | LOCK_NB) != 0; tries++) {
        if (errno != EWOULDBLOCK || tries == LOCK_TRIES)
            return -1;
        nanosleep(&between_tries, NULL);
    }
    return 0;
}

int ep_image_file_is_image(int descriptor)
{
    char magic[sizeof EP_IMAGE_MAGIC - 1];
    ssize_t bytes = ep_read_at(descriptor, 0, magic, sizeof magic);
    if (bytes < 0)
        return -1;
    return bytes == (ssize_t)sizeof magic && memcmp(magic, EP_IMAGE_MAGIC, sizeof magic) == 0;
}

static int look_at(int descriptor, const char **why)
{
    struct stat status;
    if (fstat(descriptor, &status) != 0)
        return refuse(errno, why, NULL);
    if (status.st_uid != geteuid())
        return refuse(EPERM, why, "it is another user's, and is left alone");
    int is_image = ep_image_file_is_image(descriptor);
    if (is_image < 0)
        return refuse(errno, why, NULL);
    if (!is_image)
        return refuse(EEXIST, why, "it is there and not an eprof image, and is left alone");
    if (lock(descriptor) != 0)
        return refuse(errno == EWOULDBLOCK ? EBUSY : errno, why,
                      errno == EWOULDBLOCK ? "a running program is writing it" : NULL);
    return 0;
}

/* Opens and locks the image that is there; -1 with ENOENT: nothing is there. */
static int open_old(const char *path, const char **why)
{
    struct stat status;
    if (lstat(path, &status) != 0)
        return refuse(errno, why, NULL);
    if (S_ISLNK(status.st_mode))
        return refuse(ELOOP, why, "it is a symbolic link, and is left alone");
    /* not even opened: a pipe would be waited for, a device may do something */
    if (!S_ISREG(status.st_mode))
        return refuse(EEXIST, why, "it is not a regular file, and is left alone");
    int descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (descriptor < 0)
        return refuse(errno, why, NULL);
    if (look_at(descriptor, why) == 0)
        return descriptor;
    int error = errno;
    close(descriptor);
    errno = error;
    return -1;
}

/* A child that was forked meanwhile has the descriptor too: it shall not have the lock. */
static void close_old(int descriptor)
{
    flock(descriptor, LOCK_UN);
    close(descriptor);
}

/* Whether what was opened and locked is still what the path leads to. */
static bool is_in_place(const char *path, int descriptor)
{
    struct stat there, opened;
    return lstat(path, &there) == 0 && fstat(descriptor, &opened) == 0 &&
           there.st_dev == opened.st_dev && there.st_ino == opened.st_ino;
}

/* *old is what is there, locked, or -1 where nothing is. */
static int find_old(const char *path, int *old, const char **why)
{
    for (int round = 0; round < MOST_ROUNDS; round++) {
        *old = open_old(path, why);
        if (*old < 0)
            return errno == ENOENT ? 0 : -1;
        if (is_in_place(path, *old))
            return 0;
        close_old(*old);
    }
    return refuse(EBUSY, why, NULL);
}

/* Before there is a new one, so that nothing is made in vain. */
static int look_in_place(const char *path, const char **why)
{
    int old;
    if (find_old(path, &old, why) != 0)
        return -1;
    if (old >= 0)
        close_old(old);
    return 0;
}

/* ---- the new one ---- */

int ep_image_file_create(struct ep_image_file *file, const char *path, const char **why)
{
    file->path = path;
    file->descriptor = -1;
    file->temporary[0] = '\0';
    if (!*path)
        return refuse(ENOENT, why, NULL);
    if (look_in_place(path, why) != 0)
        return -1;
    file->descriptor = ep_beside_create(path, 0600, file->temporary);
    if (file->descriptor >= 0 && flock(file->descriptor, LOCK_EX) == 0)
        return 0;
    refuse(errno, why, NULL);
    ep_image_file_discard(file);
    return -1;
}

/* rename() that fails where something is there; on file systems that do not know it by a second
 * name, and on those that know no second names, by a look before. */
static int rename_to_nothing(const char *from, const char *to)
{
    struct stat status;
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
        return 0;
    if (errno != EINVAL && errno != ENOSYS)
        return -1;
    if (link(from, to) == 0)
        return unlink(from);
    if (errno == EEXIST || lstat(to, &status) == 0) {
        errno = EEXIST;
        return -1;
    }
    return rename(from, to);
}

/* The old one's lock is held while it is replaced, and not longer: of several that come to one
 * place at a time, each is the last for a moment. */
static int put_in_place(const struct ep_image_file *file, const char **why)
{
    for (int round = 0; round < MOST_ROUNDS; round++) {
        int old;
        if (find_old(file->path, &old, why) != 0)
            return -1;
        int result = old >= 0 ? rename(file->temporary, file->path)
                              : rename_to_nothing(file->temporary, file->path);
        int error = errno;
        if (old >= 0)
            close_old(old);
        if (result == 0)
            return 0;
        if (old >= 0 || error != EEXIST) /* else something came there meanwhile */
            return refuse(error, why, NULL);
    }
    return refuse(EBUSY, why, NULL);
}

int ep_image_file_publish(struct ep_image_file *file, const char **why)
{
    if (put_in_place(file, why) != 0)
        return -1;
    file->temporary[0] = '\0';
    return 0;
}

void ep_image_file_discard(struct ep_image_file *file)
{
    int error = errno;
    if (file->temporary[0])
        unlink(file->temporary);
    if (file->descriptor >= 0)
        close(file->descriptor);
    errno = error;
}
