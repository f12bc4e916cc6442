#include "image/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "image/layout.h"

int ep_image_file_save_into(const struct ep_image *image, struct ep_image_file *file,
                            const char **why)
{
    size_t bytes = (size_t)ep_image_root(image)->cells_used * EP_CELL_BYTES;
    int descriptor = file->descriptor;
    int result = ep_backing_write(descriptor, image->cells, bytes);
    /* some file systems report only now that they are full */
    if (result == 0)
        result = fsync(descriptor);
    if (result != 0) {
        *why = strerror(errno);
        ep_image_file_discard(file);
        return -1;
    }
    /* it is complete: no process needs to wait for it, or for a child that was forked meanwhile */
    flock(descriptor, LOCK_UN);
    if (ep_image_file_publish(file, why) == 0) {
        close(descriptor);
        return 0;
    }
    ep_image_file_discard(file);
    return -1;
}

/* Allocated, because the path in it is too long for the smallest stack of a thread. */
int ep_image_file_save(const struct ep_image *image, const char *path, const char **why)
{
    struct ep_image_file *file = malloc(sizeof *file);
    if (!file) {
        *why = strerror(ENOMEM);
        errno = ENOMEM;
        return -1;
    }
    int result = ep_image_file_create(file, path, why);
    if (result == 0)
        result = ep_image_file_save_into(image, file, why);
    int error = errno;
    free(file);
    errno = error;
    return result;
}

/* ---- the file at the path ---- */

/* If another program puts a file there between the check and the rename, the check is repeated. */
enum { MOST_ROUNDS = 100 };

/* A reader holds the lock for some microseconds to test it. */
enum { LOCK_TRIES = 50 };
static const struct timespec between_tries = {.tv_nsec = 1000000};

static int refuse(int error, const char **why, const char *reason)
{
    *why = reason ? reason : strerror(error);
    errno = error;
    return -1;
}

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
    ssize_t bytes = ep_file_read_at(descriptor, 0, magic, sizeof magic);
    if (bytes < 0)
        return -1;
    return bytes == (ssize_t)sizeof magic && memcmp(magic, EP_IMAGE_MAGIC, sizeof magic) == 0;
}

static int check_and_lock(int descriptor, const char **why)
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
    if (lock(descriptor) == 0)
        return 0;
    bool is_written = errno == EWOULDBLOCK;
    return refuse(is_written ? EBUSY : errno, why,
                  is_written ? "a running program is writing it" : NULL);
}

/* Opens and locks the image at the path; -1 with ENOENT: there is no file. */
static int open_old(const char *path, const char **why)
{
    struct stat status;
    if (lstat(path, &status) != 0)
        return refuse(errno, why, NULL);
    if (S_ISLNK(status.st_mode))
        return refuse(ELOOP, why, "it is a symbolic link, and is left alone");
    /* not opened: the open could wait for a pipe, or have an effect on a device */
    if (!S_ISREG(status.st_mode))
        return refuse(EEXIST, why, "it is not a regular file, and is left alone");
    int descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (descriptor < 0)
        return refuse(errno, why, NULL);
    if (check_and_lock(descriptor, why) == 0)
        return descriptor;
    ep_file_close(descriptor);
    return -1;
}

/* A child that was forked meanwhile has the descriptor too, but must not keep the lock. */
static void close_old(int descriptor)
{
    flock(descriptor, LOCK_UN);
    close(descriptor);
}

/* *old is the locked file at the path, or -1 if there is none. */
static int find_old(const char *path, int *old, const char **why)
{
    for (int round = 0; round < MOST_ROUNDS; round++) {
        *old = open_old(path, why);
        if (*old < 0)
            return errno == ENOENT ? 0 : -1;
        /* whether the path still leads to the file that was opened and locked */
        struct stat there, opened;
        if (lstat(path, &there) == 0 && fstat(*old, &opened) == 0 &&
            there.st_dev == opened.st_dev && there.st_ino == opened.st_ino)
            return 0;
        close_old(*old);
    }
    return refuse(EBUSY, why, NULL);
}

/* ---- the new file ---- */

int ep_image_file_create(struct ep_image_file *file, const char *path, const char **why)
{
    file->path = path;
    file->descriptor = -1;
    file->temporary[0] = '\0';
    if (!*path)
        return refuse(ENOENT, why, NULL);
    int old; /* seen before the new file is created, which may be for nothing otherwise */
    if (find_old(path, &old, why) != 0)
        return -1;
    if (old >= 0)
        close_old(old);
    file->descriptor = ep_file_create_beside(path, 0600, file->temporary);
    if (file->descriptor >= 0 && flock(file->descriptor, LOCK_EX) == 0)
        return 0;
    refuse(errno, why, NULL);
    ep_image_file_discard(file);
    return -1;
}

/* A rename() that fails if the target exists. File systems without RENAME_NOREPLACE use a hard link
 * instead, and those without hard links a check before the rename. */
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

/* The old file's lock is held only while it is replaced: of several processes that publish to one
 * path at a time, each one's file is there for a moment. */
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
        if (old >= 0 || error != EEXIST) /* else a file has appeared there meanwhile */
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
    ep_file_close(file->descriptor);
    errno = error;
}
