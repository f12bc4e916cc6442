/*
 * scarce_files.h - files that are refused as well: each call for one fails, one after the other
 *
 * Beside what scarce.h does with memory.
 */
#ifndef SCARCE_FILES_H
#define SCARCE_FILES_H

#include "scarce.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define SCARCE_FILE_CALL(type, nothing, name, parameters, arguments)                               \
    type __real_##name parameters;                                                                 \
    type __wrap_##name parameters;                                                                 \
    type __wrap_##name parameters                                                                  \
    {                                                                                              \
        return scarce_refuses_with(SCARCE_FILE_ERROR) ? (nothing) : __real_##name arguments;       \
    }

SCARCE_FILE_CALL(int, -1, stat, (const char *path, struct stat *status), (path, status))
SCARCE_FILE_CALL(int, -1, lstat, (const char *path, struct stat *status), (path, status))
SCARCE_FILE_CALL(int, -1, fstat, (int file, struct stat *status), (file, status))
SCARCE_FILE_CALL(ssize_t, -1, pread, (int file, void *to, size_t bytes, off_t from),
                 (file, to, bytes, from))
SCARCE_FILE_CALL(ssize_t, -1, pwrite, (int file, const void *from, size_t bytes, off_t to),
                 (file, from, bytes, to))
SCARCE_FILE_CALL(int, -1, flock, (int file, int how), (file, how))
SCARCE_FILE_CALL(int, -1, fsync, (int file), (file))
SCARCE_FILE_CALL(int, -1, fchmod, (int file, mode_t mode), (file, mode))
SCARCE_FILE_CALL(int, -1, rename, (const char *from, const char *to), (from, to))
SCARCE_FILE_CALL(int, -1, renameat2,
                 (int from_folder, const char *from, int to_folder, const char *to, unsigned how),
                 (from_folder, from, to_folder, to, how))
SCARCE_FILE_CALL(int, -1, faccessat, (int folder, const char *path, int mode, int how),
                 (folder, path, mode, how))
SCARCE_FILE_CALL(FILE *, NULL, fdopen, (int file, const char *how), (file, how))

/* Given back by free(). */
char *__real_realpath(const char *path, char *to);
char *__wrap_realpath(const char *path, char *to);
char *__wrap_realpath(const char *path, char *to)
{
    if (scarce_refuses_with(SCARCE_FILE_ERROR))
        return NULL;
    char *found = __real_realpath(path, to);
    scarce.held += found && !to;
    return found;
}

int __real_open(const char *path, int how, ...);
int __wrap_open(const char *path, int how, ...);
int __wrap_open(const char *path, int how, ...)
{
    va_list arguments;
    va_start(arguments, how);
    mode_t mode = how & O_CREAT ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    return scarce_refuses_with(SCARCE_FILE_ERROR) ? -1 : __real_open(path, how, mode);
}

#endif /* SCARCE_FILES_H */
