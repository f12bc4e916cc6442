#include "symbolizer.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "platform.h"
#include "write_signals.h"

enum { PIECE_BYTES = 64 << 10 }; /* what a pipe holds */

static void close_quietly(int file)
{
    int saved_errno = errno;
    if (file >= 0)
        close(file);
    errno = saved_errno;
}

/* ---- what it is given ---- */

static int write_all(int file, const struct ep_fields *request)
{
    for (size_t done = 0; done < request->count;) {
        ssize_t bytes = write(file, request->bytes + done, request->count - done);
        if (bytes < 0 && errno != EINTR)
            return -1;
        done += bytes > 0 ? (size_t)bytes : 0;
    }
    return lseek(file, 0, SEEK_SET) == 0 ? 0 : -1;
}

/* In a file and not in a pipe: whoever writes to a child and reads from it can wait for it while
 * it waits for him. */
static int file_of(const struct ep_fields *request)
{
    struct ep_write_signals signals;
    int file = memfd_create("eprof symbolizer request", MFD_CLOEXEC);
    if (file < 0) /* Linux before 3.17, or a sandbox */
        file = open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    ep_write_signals_hold(&signals);
    if (file >= 0 && write_all(file, request) != 0) {
        close_quietly(file);
        file = -1;
    }
    ep_write_signals_release(&signals);
    return file;
}

/* What would profile or change the helper as it was to change the program, and what would send it
 * to the network. */
static bool is_left_out(const char *variable)
{
    static const char *const names[] = {"EPROF=", "LD_PRELOAD=", "DEBUGINFOD_URLS="};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strncmp(variable, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

static char **make_environment(void)
{
    size_t count = 0, kept = 0;
    while (environ && environ[count])
        count++;
    char **variables = malloc((count + 1) * sizeof *variables);
    if (!variables) {
        errno = ENOMEM;
        return NULL;
    }
    for (size_t i = 0; i < count; i++)
        if (!is_left_out(environ[i]))
            variables[kept++] = environ[i];
    variables[kept] = NULL;
    return variables;
}

/* ---- started ---- */

struct start {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
};

/* Signals are as a program finds them that somebody starts at a terminal. In this order, since
 * `input` and `output` are 0 and more, and 1 and more, where the program has closed those. */
static int prepare(struct start *start, int input, int output)
{
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&start->attributes, &none);
    posix_spawnattr_setsigdefault(&start->attributes, &all);
    posix_spawnattr_setflags(&start->attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    int error = posix_spawn_file_actions_adddup2(&start->files, input, STDIN_FILENO);
    if (!error)
        error = posix_spawn_file_actions_adddup2(&start->files, output, STDOUT_FILENO);
    if (!error) /* what it would say there the program has not asked for */
        error = posix_spawn_file_actions_addopen(&start->files, STDERR_FILENO, "/dev/null",
                                                 O_WRONLY, 0);
    return error;
}

static int spawn(pid_t *child, char *const *arguments, char *const *variables, int input,
                 int output)
{
    struct start start;
    int error = posix_spawn_file_actions_init(&start.files);
    if (error)
        return error;
    error = posix_spawnattr_init(&start.attributes);
    if (!error) {
        error = prepare(&start, input, output);
        if (!error)
            error = posix_spawn(child, arguments[0], &start.files, &start.attributes, arguments,
                                variables);
        posix_spawnattr_destroy(&start.attributes);
    }
    posix_spawn_file_actions_destroy(&start.files);
    return error;
}

static int start(pid_t *child, char *const *arguments, int input, int output)
{
    char **variables = make_environment();
    int error = variables ? spawn(child, arguments, variables, input, output) : ENOMEM;
    free(variables);
    errno = error;
    return error ? -1 : 0;
}

/* ---- read ---- */

/* For poll(): rounded up, so that the deadline is past when it is over. */
static int left_ms(uint64_t deadline_ns)
{
    uint64_t now_ns = ep_platform_monotonic_ns();
    uint64_t ms = deadline_ns > now_ns ? (deadline_ns - now_ns + 999999) / 1000000 : 0;
    return ms < INT32_MAX ? (int)ms : INT32_MAX;
}

/* 1, or 0 at its end; -1 and errno. */
static int read_piece(int file, const struct ep_symbolizer *symbolizer, struct ep_fields *answer)
{
    struct pollfd wait = {.fd = file, .events = POLLIN};
    int ms = left_ms(symbolizer->deadline_ns);
    if (ms == 0) {
        errno = ETIMEDOUT;
        return -1;
    }
    if (poll(&wait, 1, ms) <= 0)
        return 1; /* time decides, or it was a signal */
    if (ep_fields_need(answer, PIECE_BYTES) != 0)
        return -1;
    ssize_t bytes = read(file, answer->bytes + answer->count, PIECE_BYTES);
    if (bytes < 0)
        return errno == EINTR ? 1 : -1;
    answer->count += (size_t)bytes;
    if (answer->count > symbolizer->most_bytes) {
        errno = EFBIG;
        return -1;
    }
    return bytes > 0;
}

static int read_all(int file, const struct ep_symbolizer *symbolizer, struct ep_fields *answer)
{
    int result;
    do
        result = read_piece(file, symbolizer, answer);
    while (result > 0);
    return result;
}

/* ---- ended ---- */

/* It has closed its output, which is mostly its end. Who waits for all children of the program
 * may have taken it: that is one as well. */
static void wait_for(pid_t child, uint64_t deadline_ns)
{
    while (waitpid(child, NULL, WNOHANG) == 0) {
        if (left_ms(deadline_ns) == 0) {
            kill(child, SIGKILL);
            while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
                continue;
            return;
        }
        poll(NULL, 0, 1);
    }
}

/* Takes back the news of a child that the program does not know of. Of several ends there is one
 * signal: where another child has ended too, it stays. */
static void forget_end(const sigset_t *end)
{
    static const struct timespec at_once = {.tv_sec = 0};
    enum { ENDS = WEXITED | WSTOPPED | WCONTINUED };
    siginfo_t other = {.si_pid = 0};
    if (sigtimedwait(end, NULL, &at_once) == SIGCHLD &&
        waitid(P_ALL, 0, &other, ENDS | WNOHANG | WNOWAIT) == 0 && other.si_pid != 0)
        kill(getpid(), SIGCHLD);
}

/* ---- the whole ---- */

static int run(const struct ep_symbolizer *symbolizer, int input, struct ep_fields *answer)
{
    int ends[2];
    pid_t child;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    int result = start(&child, symbolizer->arguments, input, ends[1]);
    close_quietly(ends[1]);
    bool is_started = result == 0;
    if (is_started)
        result = read_all(ends[0], symbolizer, answer);
    int error = errno;
    close(ends[0]);
    if (is_started)
        wait_for(child, result == 0 ? symbolizer->deadline_ns : 0);
    errno = error;
    return result;
}

int ep_symbolizer_ask(const struct ep_symbolizer *symbolizer, const struct ep_fields *request,
                      struct ep_fields *answer)
{
    sigset_t end, before;
    int cancel_state;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
    sigemptyset(&end);
    sigaddset(&end, SIGCHLD);
    pthread_sigmask(SIG_BLOCK, &end, &before);
    int input = file_of(request);
    int result = input < 0 ? -1 : run(symbolizer, input, answer);
    int error = errno;
    close_quietly(input);
    forget_end(&end);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_setcancelstate(cancel_state, NULL);
    errno = error;
    return result;
}
