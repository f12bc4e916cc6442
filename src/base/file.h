/*
 * base/file.h - reading and writing files: whole parts, mappings, temporary files, replacement
 */
#ifndef EP_BASE_FILE_H
#define EP_BASE_FILE_H

#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

/* Reads `bytes` bytes at `offset`, fewer where the file ends; continues after a signal. Returns how
 * many bytes were read; -1 and errno. */
ssize_t ep_file_read_at(int file, uint64_t offset, void *to, size_t bytes);
/* Writes to the beginning of the file; its position stays. 0, or -1 and errno. */
int ep_file_write_at_start(int file, const void *from, size_t bytes);
/* Closes a descriptor, unless it is below 0. Keeps errno. */
void ep_file_close(int file);

/* Small parts of a file that another process writes, read without a system call: 256 bytes take 1.2
 * us by pread() and 50 ns from a mapping (2026-11-23), so a part can be read between two changes
 * that are a microsecond apart. Beyond the end of the file an access raises SIGBUS, which is
 * caught: a process may have only one such file, and reads it in one thread. */
struct ep_mapped_file {
    const uint64_t *words; /* NULL: it could not be mapped */
    size_t bytes;
    struct sigaction former; /* of SIGBUS */
};

/* Maps the first `bytes` bytes. */
void ep_file_map_begin(struct ep_mapped_file *mapped, int file, size_t bytes);
void ep_file_map_end(struct ep_mapped_file *mapped);

/* Reads whole words in their order. False: they do not exist, or are not mapped. */
bool ep_file_map_read(const struct ep_mapped_file *mapped, uint64_t offset, void *to, size_t bytes);

/* Creates a new file in the folder of `path`, to be renamed over it: for reading and writing,
 * closed by exec, with a descriptor above that of stderr. `name` is its name, or empty: -1 and
 * errno. Allocates no memory: a forked child of a program with threads may have none. */
int ep_file_create_beside(const char *path, mode_t mode, char name[PATH_MAX]);

/* Writes that must not end the program. A write to a pipe without a reader raises SIGPIPE, and one
 * beyond RLIMIT_FSIZE raises SIGXFSZ. If the program did not call the library for a write, the
 * write is made between hold and release: it fails, and the signal is removed. */
struct ep_write_signals {
    sigset_t mask;    /* of the thread before */
    sigset_t pending; /* signals that were pending before, and stay pending */
};

void ep_file_signals_hold(struct ep_write_signals *signals);
/* Keeps errno. */
void ep_file_signals_release(const struct ep_write_signals *signals);

/* Replaces a file: a new one is written beside it and renamed over it, so the old one survives a
 * full disk. A file that is not regular (/dev/full, a pipe, a terminal) is written directly. */
struct ep_replace {
    FILE *stream;    /* write here */
    char *path;      /* the file to replace; the target of a symbolic link */
    char *temporary; /* NULL: `path` itself is written */
};

/* The new file has the permissions of the old one; if there is none, those that the umask leaves.
 * 0, or -1 and errno: EACCES also if the old file must not be written, which a rename would not
 * check. */
int ep_file_replace_open(struct ep_replace *file, const char *path);
/* Closes, and renames if `keep`; else removes what was written, unless it was written directly. 0,
 * or -1 and errno; then the old file is unchanged. */
int ep_file_replace_close(struct ep_replace *file, int keep);

#endif /* EP_BASE_FILE_H */
