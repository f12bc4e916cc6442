/*
 * calls.h - the calls of the C library that libeprof and its command make and that can fail, with
 * the ways in which they fail
 *
 * unfailing.txt has the other calls, with reasons. A test checks that each call is in one of the
 * two files.
 */
#ifndef FAULTS_CALLS_H
#define FAULTS_CALLS_H

#include <stddef.h>

/* NAME, KIND, WAYS: the ways are defined in calls.c. */
#define FAULT_CALLS(CALL)                                                                          \
    CALL(malloc, MEMORY, no_memory)                                                                \
    CALL(calloc, MEMORY, no_memory)                                                                \
    CALL(realloc, MEMORY, no_memory)                                                               \
    CALL(strdup, MEMORY, no_memory)                                                                \
    CALL(strndup, MEMORY, no_memory)                                                               \
    CALL(asprintf, MEMORY, no_memory)                                                              \
    CALL(vasprintf, MEMORY, no_memory)                                                             \
    CALL(open_memstream, MEMORY, no_memory)                                                        \
    CALL(setenv, MEMORY, no_memory)                                                                \
    CALL(__cxa_atexit, MEMORY, no_memory)                                                          \
    CALL(__register_atfork, MEMORY, no_memory)                                                     \
    CALL(argp_parse, MEMORY, no_memory)                                                            \
    CALL(glob, MEMORY, no_memory)                                                                  \
    CALL(setlocale, MEMORY, no_memory)                                                             \
    CALL(mmap, MEMORY, no_memory)                                                                  \
    CALL(mremap, MEMORY, no_memory)                                                                \
    CALL(munmap, MEMORY, no_memory)                                                                \
    CALL(mprotect, MEMORY, no_memory)                                                              \
    CALL(madvise, MEMORY, not_supported)                                                           \
    CALL(memfd_create, FILES, no_descriptor)                                                       \
    CALL(open, FILES, no_descriptor)                                                               \
    CALL(fopen, FILES, no_descriptor)                                                              \
    CALL(fdopen, FILES, no_memory)                                                                 \
    CALL(dup2, FILES, busy)                                                                        \
    CALL(fcntl, FILES, no_descriptor)                                                              \
    CALL(pipe2, FILES, no_descriptor)                                                              \
    CALL(signalfd, FILES, no_descriptor)                                                           \
    CALL(close, FILES, io)                                                                         \
    CALL(fclose, FILES, disk_full)                                                                 \
    CALL(read, FILES, in_part)                                                                     \
    CALL(pread, FILES, in_part)                                                                    \
    CALL(write, FILES, written_in_part)                                                            \
    CALL(pwrite, FILES, written_in_part)                                                           \
    CALL(fwrite, FILES, streamed)                                                                  \
    CALL(fprintf, FILES, streamed)                                                                 \
    CALL(vfprintf, FILES, streamed)                                                                \
    CALL(fputs, FILES, streamed)                                                                   \
    CALL(fputc, FILES, streamed)                                                                   \
    CALL(putc, FILES, streamed)                                                                    \
    CALL(fflush, FILES, streamed)                                                                  \
    CALL(fgets, FILES, io)                                                                         \
    CALL(getdelim, FILES, lines)                                                                   \
    CALL(__getdelim, FILES, lines)                                                                 \
    CALL(fsync, FILES, synced)                                                                     \
    CALL(ftruncate, FILES, io)                                                                     \
    CALL(posix_fallocate, FILES, allocated)                                                        \
    CALL(lseek, FILES, io)                                                                         \
    CALL(rename, FILES, renamed)                                                                   \
    CALL(renameat2, FILES, renamed_to_nothing)                                                     \
    CALL(link, FILES, renamed)                                                                     \
    CALL(unlink, FILES, forbidden)                                                                 \
    CALL(stat, FILES, forbidden)                                                                   \
    CALL(lstat, FILES, forbidden)                                                                  \
    CALL(fstat, FILES, io)                                                                         \
    CALL(access, FILES, forbidden)                                                                 \
    CALL(faccessat, FILES, forbidden)                                                              \
    CALL(fchmod, FILES, forbidden)                                                                 \
    CALL(flock, FILES, locked)                                                                     \
    CALL(readlink, FILES, forbidden)                                                               \
    CALL(realpath, FILES, forbidden)                                                               \
    CALL(getcwd, FILES, not_there)                                                                 \
    CALL(ioctl, FILES, io)                                                                         \
    CALL(tcgetattr, FILES, io)                                                                     \
    CALL(tcsetattr, FILES, io)                                                                     \
    CALL(fork, PROCESSES, no_process)                                                              \
    CALL(execvp, PROCESSES, not_executed)                                                          \
    CALL(posix_spawn, PROCESSES, no_process)                                                       \
    CALL(posix_spawn_file_actions_init, PROCESSES, no_memory)                                      \
    CALL(posix_spawn_file_actions_adddup2, PROCESSES, no_memory)                                   \
    CALL(posix_spawn_file_actions_addopen, PROCESSES, no_memory)                                   \
    CALL(posix_spawnattr_init, PROCESSES, no_memory)                                               \
    CALL(waitpid, PROCESSES, interrupted)                                                          \
    CALL(waitid, PROCESSES, interrupted)                                                           \
    CALL(kill, PROCESSES, not_permitted)                                                           \
    CALL(poll, PROCESSES, interrupted)                                                             \
    CALL(nanosleep, PROCESSES, interrupted)                                                        \
    CALL(clock_nanosleep, PROCESSES, interrupted)                                                  \
    CALL(sigtimedwait, PROCESSES, interrupted)                                                     \
    CALL(sigwaitinfo, PROCESSES, interrupted)                                                      \
    CALL(sigaltstack, PROCESSES, not_permitted)                                                    \
    CALL(prctl, PROCESSES, not_supported)                                                          \
    CALL(setrlimit, PROCESSES, not_permitted)                                                      \
    CALL(syscall, PROCESSES, no_such_call)                                                         \
    CALL(pthread_key_create, PROCESSES, no_process)                                                \
    CALL(pthread_setspecific, PROCESSES, no_memory)

enum call {
#define CALL(name, kind, ways) CALL_##name,
    FAULT_CALLS(CALL)
#undef CALL
        CALLS
};

enum call_kind { CALL_MEMORY, CALL_FILES, CALL_PROCESSES };

enum call_how {
    CALL_FAILS,
    CALL_IS_SHORT,      /* half of the bytes */
    CALL_IS_SHORT_NEXT, /* it fails, and the next call is short */
};

struct call_way {
    int error;
    enum call_how how;
    int goes_on; /* it may last; otherwise a program that tries again might never end */
};

const char *call_name(enum call call);
enum call_kind call_kind(enum call call);
/* The ways in which the call fails; *count is set to their number. */
const struct call_way *call_ways(enum call call, size_t *count);

#endif /* FAULTS_CALLS_H */
