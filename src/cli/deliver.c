#include "cli/deliver.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/complain.h"
#include "image/file.h"

/* ---- signals while a file is written ---- */

/* The signals that end a program by default and come from outside: keys, other programs, timers,
 * limits. SIGPIPE is one of them, since -o may name a pipe. */
static const int ending[] = {SIGHUP,  SIGINT,  SIGQUIT,   SIGPIPE, SIGALRM, SIGTERM,
                             SIGUSR1, SIGUSR2, SIGVTALRM, SIGPROF, SIGXCPU};
enum { ENDING = sizeof ending / sizeof ending[0] };

/* Written while the signals are blocked, read by the handler. */
static char watched[PATH_MAX];
static sigset_t mask_before;

/* The raised signal has its default effect when the handler returns. */
static void remove_watched(int signal)
{
    unlink(watched);
    raise(signal);
}

/* A signal that is ignored stays ignored, as nohup(1) and background jobs of a shell need it. */
static void take(int signal)
{
    struct sigaction action = {.sa_handler = remove_watched, .sa_flags = SA_RESETHAND}, before;
    sigfillset(&action.sa_mask);
    if (sigaction(signal, NULL, &before) == 0 && before.sa_handler == SIG_DFL)
        sigaction(signal, &action, NULL);
}

void ep_deliver_signals_survive_size_limit(void)
{
    signal(SIGXFSZ, SIG_IGN);
}

void ep_deliver_signals_hold(void)
{
    sigset_t held;
    sigemptyset(&held);
    for (int i = 0; i < ENDING; i++)
        sigaddset(&held, ending[i]);
    sigprocmask(SIG_BLOCK, &held, &mask_before);
}

void ep_deliver_signals_watch(const char *temporary)
{
    if (temporary)
        snprintf(watched, sizeof watched, "%s", temporary);
    for (int i = 0; temporary && i < ENDING; i++)
        take(ending[i]);
    sigprocmask(SIG_SETMASK, &mask_before, NULL);
}

/* ---- writing ---- */

static bool is_stdout(const char *path)
{
    return !path || strcmp(path, "-") == 0;
}

int ep_deliver_is_terminal(const char *path)
{
    return is_stdout(path) && isatty(STDOUT_FILENO);
}

/* A typing error must not replace a profile. A file that cannot be read may be one, so that is an
 * error. Returns 1 or 0, or -1 and errno. */
static int is_profile(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0)
        return errno == ENOENT ? 0 : -1;
    if (!S_ISREG(status.st_mode))
        return 0;
    int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file < 0)
        return -1;
    int result = ep_image_file_is_image(file);
    ep_file_close(file);
    return result;
}

/* A pipe has no temporary file that a signal would leave, so signals stay unblocked for it: opening
 * a pipe may wait for its reader. */
static int open_file(struct ep_replace *file, const char *path)
{
    struct stat status;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
        return ep_file_replace_open(file, path);
    ep_deliver_signals_hold();
    int result = ep_file_replace_open(file, path);
    ep_deliver_signals_watch(result == 0 ? file->temporary : NULL);
    return result;
}

static int write_to_file(const char *path, int (*write)(const void *context, FILE *stream),
                         const void *context)
{
    struct ep_replace file;
    int is = is_profile(path);
    if (is < 0)
        return ep_complain_of_error(path, errno);
    if (is) {
        ep_complain(path, "a profile, and is left alone; name another file with -o");
        return EP_STATUS_USAGE;
    }
    if (open_file(&file, path) != 0)
        return ep_complain_of_error(path, errno);
    int error = write(context, file.stream) != 0 ? errno : 0;
    if (ep_file_replace_close(&file, !error) != 0 && !error)
        error = errno;
    return error ? ep_complain_of_error(path, error) : EP_STATUS_DONE;
}

int ep_deliver(const char *path, int (*write)(const void *context, FILE *stream),
               const void *context)
{
    ep_deliver_signals_survive_size_limit();
    if (!is_stdout(path))
        return write_to_file(path, write, context);
    return write(context, stdout) == 0 ? EP_STATUS_DONE : ep_complain_of_error("stdout", errno);
}
