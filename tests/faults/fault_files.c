/*
 * fault_files.c - calls that use files by names and descriptors
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include "fault.h"

FAILS(int, -1, memfd_create, (const char *name, unsigned flags), (name, flags))
FAILS(int, -1, dup2, (int file, int as), (file, as))
FAILS(int, -1, pipe2, (int ends[2], int flags), (ends, flags))
FAILS(int, -1, signalfd, (int file, const sigset_t *signals, int flags), (file, signals, flags))
FAILS(int, -1, fsync, (int file), (file))
FAILS(int, -1, ftruncate, (int file, off_t bytes), (file, bytes))
FAILS(off_t, -1, lseek, (int file, off_t offset, int whence), (file, offset, whence))
FAILS(int, -1, rename, (const char *from, const char *to), (from, to))
FAILS(int, -1, renameat2, (int at, const char *from, int to_at, const char *to, unsigned flags),
      (at, from, to_at, to, flags))
FAILS(int, -1, link, (const char *from, const char *to), (from, to))
FAILS(int, -1, unlink, (const char *path), (path))
FAILS(int, -1, stat, (const char *path, struct stat *status), (path, status))
FAILS(int, -1, lstat, (const char *path, struct stat *status), (path, status))
FAILS(int, -1, fstat, (int file, struct stat *status), (file, status))
FAILS(int, -1, access, (const char *path, int mode), (path, mode))
FAILS(int, -1, faccessat, (int at, const char *path, int mode, int flags), (at, path, mode, flags))
FAILS(int, -1, fchmod, (int file, mode_t mode), (file, mode))
FAILS(int, -1, flock, (int file, int operation), (file, operation))
FAILS(ssize_t, -1, readlink, (const char *path, char *to, size_t bytes), (path, to, bytes))
FAILS(char *, NULL, realpath, (const char *path, char *resolved), (path, resolved))
FAILS(char *, NULL, getcwd, (char *path, size_t bytes), (path, bytes))
FAILS(int, -1, tcgetattr, (int file, struct termios *terminal), (file, terminal))
FAILS(int, -1, tcsetattr, (int file, int when, const struct termios *terminal),
      (file, when, terminal))
RETURNS_ERROR(posix_fallocate, (int file, off_t offset, off_t bytes), (file, offset, bytes))

int open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, int) : 0;
    va_end(arguments);
    return IS_DUE(open) ? -1 : REAL(open)(path, flags, mode);
}

/* Its third argument is a number, an address, or missing; passing it as an address works for each
 * case. */
int fcntl(int file, int command, ...)
{
    va_list arguments;
    va_start(arguments, command);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    return IS_DUE(fcntl) ? -1 : REAL(fcntl)(file, command, argument);
}

int ioctl(int file, unsigned long request, ...)
{
    va_list arguments;
    va_start(arguments, request);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    return IS_DUE(ioctl) ? -1 : REAL(ioctl)(file, request, argument);
}

/* Linux closes it, whatever it returns. */
int close(int file)
{
    const struct call_way *way = IS_DUE(close);
    int result = REAL(close)(file);
    if (way)
        errno = way->error;
    return way ? -1 : result;
}

/* ---- partial results ---- */

/* A part of one byte cannot be nothing, since this would mean the end of the file. */
static size_t part_of(const struct call_way *way, size_t bytes)
{
    return way && bytes > 1 ? bytes / 2 : bytes;
}

/* NOLINTBEGIN(bugprone-macro-parentheses): the text after the count begins with its comma */
#define FAILS_OR_IS_SHORT(name, parameters, before, bytes, after)                                  \
    ssize_t name parameters                                                                        \
    {                                                                                              \
        const struct call_way *way = IS_DUE(name);                                                 \
        if (way && file == STDERR_FILENO)                                                          \
            fault_cut_stderr();                                                                    \
        if (way && way->how != CALL_IS_SHORT)                                                      \
            return -1;                                                                             \
        return REAL(name)(before, part_of(way, bytes) after);                                      \
    }
/* NOLINTEND(bugprone-macro-parentheses) */
#define BEFORE file, buffer
#define AND_OFFSET , offset
#define NO_MORE

FAILS_OR_IS_SHORT(read, (int file, void *buffer, size_t bytes), BEFORE, bytes, NO_MORE)
FAILS_OR_IS_SHORT(write, (int file, const void *buffer, size_t bytes), BEFORE, bytes, NO_MORE)
FAILS_OR_IS_SHORT(pread, (int file, void *buffer, size_t bytes, off_t offset), BEFORE, bytes,
                  AND_OFFSET)
FAILS_OR_IS_SHORT(pwrite, (int file, const void *buffer, size_t bytes, off_t offset), BEFORE, bytes,
                  AND_OFFSET)
