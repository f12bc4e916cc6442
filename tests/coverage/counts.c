/*
 * counts.c - replaces functions of the C library that end a process, or execute another program
 *
 * Counts that have been written are cleared, so that a process that continues after a failed call
 * does not write them twice.
 */
#include "counts.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MOST = 64 }; /* a program and its libraries; no test loads more than a few */

static const struct counts *all[MOST];
static pid_t process;

/* ---- registered counts ---- */

static void know_process(void)
{
    process = getpid();
}

__attribute__((constructor)) static void begin(void)
{
    know_process();
    pthread_atfork(NULL, NULL, know_process);
}

static void replace(const struct counts *old, const struct counts *new)
{
    for (int i = 0; i < MOST; i++) {
        const struct counts *expected = old;
        if (__atomic_compare_exchange_n(&all[i], &expected, new, 0, __ATOMIC_ACQ_REL,
                                        __ATOMIC_RELAXED))
            return;
    }
}

void counts_add(const struct counts *counts)
{
    replace(NULL, counts);
}

/* ---- writing ---- */

/* The limits of a process, which a test sets, must not apply to the files with the counts. */
static const int resources[] = {RLIMIT_FSIZE, RLIMIT_AS, RLIMIT_NOFILE};
enum { RESOURCES = sizeof resources / sizeof resources[0] };

static void lift_limits(struct rlimit *old)
{
    for (int i = 0; i < RESOURCES; i++) {
        getrlimit(resources[i], &old[i]);
        struct rlimit lifted = {old[i].rlim_max, old[i].rlim_max};
        setrlimit(resources[i], &lifted);
    }
}

static void restore_limits(const struct rlimit *old)
{
    for (int i = 0; i < RESOURCES; i++)
        setrlimit(resources[i], &old[i]);
}

/* It is in tests/faults, if that is linked: calls of this thread do not fail meanwhile. */
extern void faults_rest(int is_resting) __attribute__((weak));

static void let_faults_rest(int is_resting)
{
    if (faults_rest)
        faults_rest(is_resting);
}

/* Some tests run programs as another user, who must be able to add to the same files. */
static void write_counts(const struct counts *counts)
{
    struct rlimit old[RESOURCES];
    let_faults_rest(1);
    lift_limits(old);
    mode_t mask = umask(0);
    counts->write();
    umask(mask);
    restore_limits(old);
    let_faults_rest(0);
}

/* A child that was not made by fork() may share the memory of its parent, which writes the counts;
 * or a lock of its copy may be held for ever, and writing needs these locks. */
static void write_all(void)
{
    for (int i = 0; i < MOST && process == getpid(); i++) {
        const struct counts *counts = __atomic_load_n(&all[i], __ATOMIC_ACQUIRE);
        if (counts) {
            write_counts(counts);
            counts->clear();
        }
    }
}

void counts_end(const struct counts *counts)
{
    replace(counts, NULL);
    write_counts(counts);
}

/* ---- a process ends ---- */

void _exit(int status)
{
    write_all();
    for (;;)
        syscall(SYS_exit_group, status);
}

void _Exit(int status)
{
    _exit(status);
}

void abort(void)
{
    write_all();
    void (*behind)(void) = (void (*)(void))dlsym(RTLD_NEXT, "abort");
    behind();
    _exit(127); /* it does not return */
}

int kill(pid_t receiver, int number)
{
    if (number == SIGKILL && receiver == getpid())
        write_all();
    return (int)syscall(SYS_kill, receiver, number);
}

int raise(int number)
{
    if (number == SIGKILL)
        write_all();
    return (int)syscall(SYS_tgkill, getpid(), gettid(), number);
}

/* ---- a process executes another program ---- */

int execve(const char *path, char *const *arguments, char *const *variables)
{
    write_all();
    return (int)syscall(SYS_execve, path, arguments, variables);
}

int execv(const char *path, char *const *arguments)
{
    return execve(path, arguments, environ);
}

int execvp(const char *file, char *const *arguments)
{
    write_all();
    int (*behind)(const char *, char *const *) =
        (int (*)(const char *, char *const *))dlsym(RTLD_NEXT, "execvp");
    return behind(file, arguments);
}
