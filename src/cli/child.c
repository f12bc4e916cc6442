#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "status.h"

/* How signals were before, for the program and for the time after it. */
struct signals {
    struct sigaction child;
    sigset_t mask;
};

/* Taken by sigwaitinfo() alone: so none comes between the program's end and its last look. */
static sigset_t awaited_signals(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGHUP);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGQUIT);
    return set;
}

static void take_signals(struct signals *before)
{
    struct sigaction usual = {.sa_handler = SIG_DFL};
    sigset_t awaited = awaited_signals();
    sigprocmask(SIG_BLOCK, &awaited, &before->mask);
    /* who was started with SIGCHLD ignored would learn of no end */
    sigaction(SIGCHLD, &usual, &before->child);
}

static void give_signals_back(const struct signals *before)
{
    sigaction(SIGCHLD, &before->child, NULL);
    sigprocmask(SIG_SETMASK, &before->mask, NULL);
}

static int put(const struct ep_child_environment *environment)
{
    if (environment->preload && setenv("LD_PRELOAD", environment->preload, 1) != 0)
        return -1;
    return setenv("EPROF", environment->items, 1);
}

_Noreturn static void become(char *const *argv, const struct ep_child_environment *environment,
                             int report)
{
    if (put(environment) == 0)
        execvp(argv[0], argv);
    int error = errno;
    ssize_t written = write(report, &error, sizeof error);
    (void)written; /* without it the status tells */
    _exit(error == ENOENT ? EP_STATUS_NOT_FOUND : EP_STATUS_NOT_EXECUTABLE);
}

/* errno of the execution that failed; the end of the pipe, closed by it, tells that it did not. */
static int execution_error(int report)
{
    int error;
    ssize_t count;
    do
        count = read(report, &error, sizeof error);
    while (count < 0 && errno == EINTR);
    return count == (ssize_t)sizeof error ? error : 0;
}

/* The keys of the terminal reach the program without help. */
static void take(int signal, pid_t id, struct ep_child_end *end)
{
    end->is_told_to_end |= signal > 0 && signal != SIGCHLD;
    if (signal == SIGTERM || signal == SIGHUP)
        kill(id, signal);
}

/* What came in the program's last moment must not end this one. */
static void take_the_rest(struct ep_child_end *end)
{
    static const struct timespec at_once = {.tv_sec = 0};
    sigset_t awaited = awaited_signals();
    int signal;
    while ((signal = sigtimedwait(&awaited, NULL, &at_once)) > 0)
        end->is_told_to_end |= signal != SIGCHLD;
}

static int wait_for(pid_t id, struct ep_child_end *end)
{
    sigset_t awaited = awaited_signals();
    int status = 0;
    pid_t ended;
    while ((ended = waitpid(id, &status, WNOHANG)) != id && (ended == 0 || errno == EINTR))
        take(sigwaitinfo(&awaited, NULL), id, end);
    take_the_rest(end);
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
        end->is_told_to_end = false;
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
    prctl(PR_SET_DUMPABLE, 0); /* a core is the program's, and would lie where this one's did */
    sigaction(signal, &usual, NULL);
    sigemptyset(&set);
    sigaddset(&set, signal);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    raise(signal);
    _exit(EP_STATUS_SIGNAL + signal);
}
