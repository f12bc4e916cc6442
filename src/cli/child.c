#include "cli/child.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/complain.h"

/* ---- LD_PRELOAD ---- */

#define LIBRARY "libeprof-auto.so.0"

/* Folders relative to that of the command: as configured, as usual, and in the build tree. */
static const char *const library_folders[] = {EPROF_LIBRARY_FOLDER, "../lib", "../auto", NULL};
static const char *const program_folders[] = {EPROF_PROGRAM_FOLDER, "../libexec/eprof", ".", NULL};

/* The path of a file in the first of these folders that has it, to be freed; NULL with a line on
 * stderr: the name of the file, and `remedy`. */
static char *find_installed(const char *name, const char *const *folders, const char *remedy)
{
    char folder[PATH_MAX];
    ssize_t bytes = readlink("/proc/self/exe", folder, sizeof folder - 1);
    if (bytes < 0) {
        ep_complain_of_error("/proc/self/exe", errno);
        return NULL;
    }
    folder[bytes] = '\0';
    *strrchr(folder, '/') = '\0'; /* the path is absolute, so it has a slash */
    for (; *folders; folders++) {
        char *path, *found = NULL;
        if (asprintf(&path, "%s/%s/%s", folder, *folders, name) >= 0) {
            found = realpath(path, NULL);
            free(path);
        }
        if (found || errno == ENOMEM)
            return found ? found : (ep_complain_of_memory(), NULL);
    }
    ep_complain(name, "not found from %s; %s", folder, remedy);
    return NULL;
}

char *ep_child_preload_with(const char *before)
{
    char *list = NULL, *library = find_installed(LIBRARY, library_folders,
                                                 "install it with eprof, or link the program with "
                                                 "-leprof-auto, and run it without --auto");
    bool is_more = before && *before;
    if (library && strpbrk(library, ": "))
        /* ld.so(8): both separate entries, and cannot be escaped */
        ep_complain(library,
                    "LD_PRELOAD takes no path with a blank or a colon; install it elsewhere");
    else if (library &&
             asprintf(&list, "%s%s%s", library, is_more ? ":" : "", is_more ? before : "") < 0) {
        ep_complain_of_memory();
        list = NULL;
    }
    free(library);
    return list;
}

/* ---- a program in place of this one ---- */

void ep_child_become(const char *program, char **argv)
{
    char *path = find_installed(program, program_folders, "install it with eprof");
    if (!path)
        return;
    execvp(path, argv); /* it has a slash */
    ep_complain_of_error(path, errno);
    free(path);
}

/* ---- the program ---- */

/* The former state of the signals. The child restores it before it executes the program, and this
 * process when the program has ended. */
struct signals {
    struct sigaction child;
    sigset_t mask;
};

/* These signals are received by sigwaitinfo() only, so that none arrives between the check for the
 * program's end and the wait. */
static sigset_t awaited_signals(void)
{
    static const int signals[] = {SIGCHLD, SIGTERM, SIGHUP, SIGINT, SIGQUIT};
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaddset(&set, signals[i]);
    return set;
}

static void take_signals(struct signals *before)
{
    struct sigaction usual = {.sa_handler = SIG_DFL};
    sigset_t awaited = awaited_signals();
    sigprocmask(SIG_BLOCK, &awaited, &before->mask);
    /* if SIGCHLD were ignored, the end of the program would not be reported */
    sigaction(SIGCHLD, &usual, &before->child);
}

static void give_signals_back(const struct signals *before)
{
    sigaction(SIGCHLD, &before->child, NULL);
    sigprocmask(SIG_SETMASK, &before->mask, NULL);
}

_Noreturn static void become(char *const *argv, const struct ep_child_environment *environment,
                             int report)
{
    const char *preload = environment->preload;
    if ((!preload || setenv("LD_PRELOAD", preload, 1) == 0) &&
        setenv("EPROF", environment->items, 1) == 0)
        execvp(argv[0], argv);
    int error = errno;
    ssize_t written = write(report, &error, sizeof error);
    (void)written; /* if it fails, the exit status still says so */
    _exit(error == ENOENT ? EP_STATUS_NOT_FOUND : EP_STATUS_NOT_EXECUTABLE);
}

/* Returns the errno of a failed execution, or 0: a successful one closes the pipe. */
static int execution_error(int report)
{
    int error;
    ssize_t count;
    do
        count = read(report, &error, sizeof error);
    while (count < 0 && errno == EINTR);
    return count == (ssize_t)sizeof error ? error : 0;
}

/* SIGINT and SIGQUIT are not passed on, since the terminal sends them to the program as well. */
static void take(int signal, pid_t id, struct ep_child_end *end)
{
    end->is_asked_to_end |= signal > 0 && signal != SIGCHLD;
    if (signal == SIGTERM || signal == SIGHUP)
        kill(id, signal);
}

static int wait_for(pid_t id, struct ep_child_end *end)
{
    static const struct timespec at_once = {.tv_sec = 0};
    sigset_t awaited = awaited_signals();
    int signal, status = 0;
    pid_t ended;
    while ((ended = waitpid(id, &status, WNOHANG)) != id && (ended == 0 || errno == EINTR))
        take(sigwaitinfo(&awaited, NULL), id, end);
    /* a signal that arrived just before the program's end must not end this process */
    while ((signal = sigtimedwait(&awaited, NULL, &at_once)) > 0)
        end->is_asked_to_end |= signal != SIGCHLD;
    return status;
}

int ep_child_run(char *const *argv, const struct ep_child_environment *environment,
                 struct ep_child_end *end)
{
    struct signals before;
    int report[2];
    if (pipe2(report, O_CLOEXEC) != 0)
        return -1;
    take_signals(&before);
    pid_t id = fork();
    int error = errno;
    if (id == 0) {
        give_signals_back(&before);
        become(argv, environment, report[1]);
    }
    close(report[1]);
    if (id > 0) {
        end->error = execution_error(report[0]);
        end->is_asked_to_end = false;
        int status = wait_for(id, end);
        end->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
        end->status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    }
    close(report[0]);
    give_signals_back(&before);
    errno = error;
    return id < 0 ? -1 : 0;
}

_Noreturn void ep_child_end_alike(int signal)
{
    struct sigaction usual = {.sa_handler = SIG_DFL};
    sigset_t set;
    prctl(PR_SET_DUMPABLE, 0); /* its core would replace that of the program */
    sigaction(signal, &usual, NULL);
    sigemptyset(&set);
    sigaddset(&set, signal);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    raise(signal);
    _exit(EP_STATUS_SIGNAL + signal);
}
