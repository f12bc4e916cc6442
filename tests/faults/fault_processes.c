/*
 * fault_processes.c - calls for processes, signals and threads
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "fault.h"

FAILS(pid_t, -1, fork, (void), ())
FAILS(int, -1, execvp, (const char *path, char *const *words), (path, words))
FAILS(int, -1, waitid, (idtype_t type, id_t id, siginfo_t *news, int options),
      (type, id, news, options))
FAILS(int, -1, kill, (pid_t process, int number), (process, number))
FAILS(int, -1, poll, (struct pollfd * files, nfds_t count, int ms), (files, count, ms))
FAILS(int, -1, nanosleep, (const struct timespec *time, struct timespec *left), (time, left))
FAILS(int, -1, sigtimedwait,
      (const sigset_t *signals, siginfo_t *news, const struct timespec *timeout),
      (signals, news, timeout))
FAILS(int, -1, sigwaitinfo, (const sigset_t *signals, siginfo_t *news), (signals, news))
FAILS(int, -1, sigaltstack, (const stack_t *stack, stack_t *old), (stack, old))
FAILS(int, -1, setrlimit, (__rlimit_resource_t resource, const struct rlimit *limit),
      (resource, limit))

RETURNS_ERROR(posix_spawn,
              (pid_t *restrict child, const char *restrict path,
               const posix_spawn_file_actions_t *restrict files,
               const posix_spawnattr_t *restrict attributes, char *const words[restrict],
               char *const variables[restrict]),
              (child, path, files, attributes, words, variables))
RETURNS_ERROR(posix_spawn_file_actions_init, (posix_spawn_file_actions_t * files), (files))
RETURNS_ERROR(posix_spawn_file_actions_adddup2,
              (posix_spawn_file_actions_t * files, int file, int as), (files, file, as))
RETURNS_ERROR(posix_spawn_file_actions_addopen,
              (posix_spawn_file_actions_t *restrict files, int file, const char *restrict path,
               int flags, mode_t mode),
              (files, file, path, flags, mode))
RETURNS_ERROR(posix_spawnattr_init, (posix_spawnattr_t * attributes), (attributes))
RETURNS_ERROR(clock_nanosleep,
              (clockid_t clock, int flags, const struct timespec *time, struct timespec *left),
              (clock, flags, time, left))
RETURNS_ERROR(pthread_key_create, (pthread_key_t * key, void (*end)(void *)), (key, end))
RETURNS_ERROR(pthread_setspecific, (pthread_key_t key, const void *value), (key, value))

/* A call that does not wait cannot be interrupted. */
pid_t waitpid(pid_t child, int *status, int options)
{
    if (!(options & WNOHANG) && IS_DUE(waitpid))
        return -1;
    return REAL(waitpid)(child, status, options);
}

/* If there are fewer arguments, the others have any value, and are not used. */
int prctl(int option, ...)
{
    unsigned long more[4];
    va_list arguments;
    va_start(arguments, option);
    for (int i = 0; i < 4; i++)
        more[i] = va_arg(arguments, unsigned long);
    va_end(arguments);
    return IS_DUE(prctl) ? -1 : REAL(prctl)(option, more[0], more[1], more[2], more[3]);
}

long syscall(long number, ...)
{
    long more[6];
    va_list arguments;
    va_start(arguments, number);
    for (int i = 0; i < 6; i++)
        more[i] = va_arg(arguments, long);
    va_end(arguments);
    return IS_DUE(syscall)
               ? -1
               : REAL(syscall)(number, more[0], more[1], more[2], more[3], more[4], more[5]);
}
